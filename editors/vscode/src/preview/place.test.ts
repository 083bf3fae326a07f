import assert from "node:assert/strict";
import { test } from "node:test";
import { placeOf, sourceOf } from "./place";
import type { Block, Piece } from "./protocol";

const at = (line: number, character: number) => ({ line, character });
const piece = (kind: Piece["kind"], text: string, start: [number, number], end: [number, number]): Piece => ({
  kind,
  text,
  range: { start: at(...start), end: at(...end) },
});

/** `你😀{who}e\n第二 {{x}}` from line 6 on. */
const block: Block = {
  id: "t:a",
  uri: "file:///a",
  zone: "system",
  role: "system",
  order: 1,
  tokens: 1,
  pieces: [
    piece("text", "你😀", [6, 0], [6, 3]),
    piece("value", "阿\n桂", [6, 3], [6, 8]),
    piece("text", "e\n第二 ", [6, 8], [7, 3]),
    piece("text", "{", [7, 3], [7, 5]),
    piece("text", "x", [7, 5], [7, 6]),
  ],
};

test("from the file to the output", () => {
  assert.deepEqual(placeOf(block, at(6, 0)), { piece: 0, offset: 0 });
  assert.deepEqual(placeOf(block, at(6, 1)), { piece: 0, offset: 1 });
  assert.deepEqual(placeOf(block, at(6, 5)), { piece: 1, offset: 0 });
  assert.deepEqual(placeOf(block, at(6, 9)), { piece: 2, offset: 1 });
  assert.deepEqual(placeOf(block, at(7, 2)), { piece: 2, offset: 4 });
  assert.deepEqual(placeOf(block, at(6, 99)), { piece: 2, offset: 1 }, "behind the end of a line");
  assert.deepEqual(placeOf(block, at(0, 0)), { piece: 0, offset: 0 }, "the header leads to the block's start");
  assert.equal(placeOf(block, at(99, 0)), undefined);
});

test("from the output to the file", () => {
  assert.deepEqual(sourceOf(block, { piece: 0, offset: 1 }), { start: at(6, 1), end: at(6, 1) });
  assert.deepEqual(sourceOf(block, { piece: 1, offset: 1 }), { start: at(6, 3), end: at(6, 8) });
  assert.deepEqual(sourceOf(block, { piece: 2, offset: 2 }), { start: at(7, 0), end: at(7, 0) });
  assert.deepEqual(sourceOf(block, { piece: 2, offset: 4 }), { start: at(7, 2), end: at(7, 2) });
  assert.equal(sourceOf(block, { piece: 9, offset: 0 }), undefined);
});

test("there and back, at every character of the text", () => {
  for (const [index, { kind, text }] of block.pieces.entries()) {
    if (kind !== "text") continue;
    for (let offset = 0; offset < text.length; offset++) {
      const source = sourceOf(block, { piece: index, offset });
      assert.ok(source);
      assert.deepEqual(placeOf(block, source.start), offset === 0 && index > 0 && block.pieces[index - 1]?.kind === "text"
        ? { piece: index - 1, offset: block.pieces[index - 1]?.text.length }
        : { piece: index, offset });
    }
  }
});

test("pieces without a place are left out", () => {
  const note: Block = { ...block, uri: null, pieces: [{ kind: "value", text: "note" }] };
  assert.equal(placeOf(note, at(0, 0)), undefined);
  assert.equal(sourceOf(note, { piece: 0, offset: 0 }), undefined);
});
