// From a place in a block's file to the place in what it renders as, and back.

import type { Block, Piece, Position, Range } from "./protocol";

/** A piece of a block, and a character of it in UTF-16 units. */
export interface Place {
  piece: number;
  offset: number;
}

const before = (a: Position, b: Position): boolean => a.line < b.line || (a.line === b.line && a.character < b.character);

/** Where the text at a position of the file is in the output: the piece that holds it, else the next one behind it. */
export function placeOf(block: Block, at: Position): Place | undefined {
  let next: number | undefined;
  for (const [index, piece] of block.pieces.entries()) {
    if (!piece.range) continue;
    const { start, end } = piece.range;
    const holds = !before(at, start) && (before(at, end) || (piece.kind === "text" && !before(end, at)));
    if (holds) return { piece: index, offset: piece.kind === "text" ? offsetIn(piece.text, start, at) : 0 };
    const known = next === undefined ? undefined : block.pieces[next]?.range?.start;
    if (before(at, start) && (!known || before(start, known))) next = index;
  }
  if (next !== undefined) return { piece: next, offset: 0 };
  return undefined;
}

/** What a place of the output comes from: a position in text, all of the tag else. */
export function sourceOf(block: Block, place: Place): Range | undefined {
  const piece = block.pieces[place.piece];
  if (!piece?.range) return undefined;
  if (piece.kind !== "text") return piece.range;
  const at = positionIn(piece, place.offset);
  return { start: at, end: at };
}

/** Lines and characters run on in the file as they do in the output. */
function offsetIn(text: string, start: Position, at: Position): number {
  let line = start.line;
  let offset = 0;
  while (line < at.line) {
    const end = text.indexOf("\n", offset);
    if (end < 0) return text.length;
    offset = end + 1;
    line += 1;
  }
  const lineEnd = text.indexOf("\n", offset);
  const column = at.character - (at.line === start.line ? start.character : 0);
  return Math.max(0, Math.min(offset + column, lineEnd < 0 ? text.length : lineEnd));
}

function positionIn(piece: Piece, offset: number): Position {
  const { start, end } = piece.range as Range;
  const upTo = piece.text.slice(0, offset);
  const lastBreak = upTo.lastIndexOf("\n");
  if (lastBreak < 0) {
    const at = { line: start.line, character: start.character + upTo.length };
    return before(end, at) ? end : at;
  }
  const lines = upTo.split("\n").length - 1;
  return { line: start.line + lines, character: upTo.length - lastBreak - 1 };
}
