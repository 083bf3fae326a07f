import assert from "node:assert/strict";
import { test } from "node:test";
import { type Kept, merge } from "./protocol";

const keep = (first: number, count: number): Kept => ({ keep: [first, count] });

test("blocks that are the same come from the answer before", () => {
  const before = ["a", "b", "c", "d"];
  assert.deepEqual(merge(before, [keep(0, 4)]), before);
  assert.deepEqual(merge(before, [keep(0, 1), "B", keep(2, 2)]), ["a", "B", "c", "d"]);
  assert.deepEqual(merge(before, [keep(2, 2), keep(0, 1), "x"]), ["c", "d", "a", "x"]);
  assert.deepEqual(merge(before, []), []);
  assert.deepEqual(merge([], ["x"]), ["x"]);
});

test("what was never sent cannot be kept", () => {
  assert.equal(merge(["a"], [keep(0, 2)]), undefined);
  assert.equal(merge(["a"], [keep(-1, 1)]), undefined);
  assert.equal(merge([], [keep(0, 1)]), undefined);
});
