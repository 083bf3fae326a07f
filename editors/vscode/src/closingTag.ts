// Decides whether a closer belongs behind a tag that was just finished. Text in, text out: nothing of VS Code here.
//
// The server knows tags exactly, but a closer must be there between two keystrokes, so a small reader of tags lives
// in the client. It errs on the side of writing nothing.

export type BlockKind = "if" | "for" | "while" | "repeat";

interface ControlTag {
  kind: BlockKind;
  opens: boolean;
  /** Fits its form. Only such an opener gets a closer: `{if in doubt, ask}` is most likely prose. */
  sound: boolean;
  end: number;
}

const BLANK = String.raw`[ \t]`;
const STRING = String.raw`(?:"(?:[^"\\\r\n]|\\[^\r\n])*"|'(?:[^'\\\r\n]|\\[^\r\n])*')`;
const NUMBER = String.raw`-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?`;
const WORD = String.raw`[\p{XID_Start}_]\p{XID_Continue}*`;
const KEYWORD = String.raw`(?:if|elseif|else|for|while|repeat|in|true|false)(?!\p{XID_Continue})`;
const SIMPLE_NAME = `(?!${KEYWORD})${WORD}`;
const NAME = String.raw`${SIMPLE_NAME}(?:\.${WORD})*`;
const ARGUMENT = String.raw`(?:${STRING}|[^\s"'{}]+)`;
const OPERAND = `(?:${STRING}|${NUMBER}|true|false|${NAME})`;
const CONDITION = `${OPERAND}(?:${BLANK}*(?:==|!=|<=|>=|<|>)${BLANK}*${OPERAND})?`;

/** Any tag that starts here, with the control word and what follows it captured. */
const TAG = new RegExp(
  String.raw`\{${BLANK}*(?:` +
    String.raw`(?<slash>\/?)(?<word>if|elseif|else|for|while|repeat)(?=[ \t}])(?<rest>(?:${STRING}|[^{}"'\r\n])*|[^{}\r\n]*)` +
    `|${NAME}(?:${BLANK}+${ARGUMENT})*${BLANK}*` +
    String.raw`)\}`,
  "uy",
);

const SOUND: Record<BlockKind, RegExp> = {
  if: new RegExp(`^${BLANK}+${CONDITION}${BLANK}*$`, "u"),
  while: new RegExp(`^${BLANK}+${CONDITION}${BLANK}*$`, "u"),
  for: new RegExp(`^${BLANK}+${SIMPLE_NAME}${BLANK}+in${BLANK}+${NAME}${BLANK}*$`, "u"),
  repeat: new RegExp(`^${BLANK}+(?:${NUMBER}|${NAME})${BLANK}*$`, "u"),
};

/**
 * The closer to write at `offset` of the file `text`, where the last character typed was the `}` before it;
 * `undefined` where none belongs: no template, no sound opener ends there, or it is closed already.
 */
export function closerFor(text: string, offset: number): string | undefined {
  const body = templateBodyStart(text);
  if (body === undefined || offset <= body) return undefined;
  const tags = controlTags(text, body);
  const typed = tags.find((tag) => tag.end === offset);
  if (!typed?.opens || !typed.sound) return undefined;
  return openAtEnd(tags, typed.kind) > 0 ? `{/${typed.kind}}` : undefined;
}

/** Where the body starts, if the header switches the template syntax on. */
export function templateBodyStart(text: string): number | undefined {
  const header = /^\uFEFF?---[ \t]*(?:\r\n|\r|\n)([\s\S]*?)(?:\r\n|\r|\n)---[ \t]*(?:\r\n|\r|\n|$)/.exec(text);
  if (!header) return undefined;
  const on = /(?:^|[\r\n])template[ \t]*:[ \t]+(?:true|True|TRUE)[ \t]*(?:#[^\r\n]*)?(?=[\r\n]|$)/.test(header[1] ?? "");
  return on ? header[0].length : undefined;
}

/** How many openers of this kind have no closer. Only closers of the same kind matter: a tag is closed by its own kind. */
function openAtEnd(tags: ControlTag[], kind: BlockKind): number {
  let open = 0;
  for (const tag of tags) {
    if (tag.kind !== kind) continue;
    if (tag.opens) open += 1;
    else if (open > 0) open -= 1;
  }
  return open;
}

function controlTags(text: string, from: number): ControlTag[] {
  const tags: ControlTag[] = [];
  let closing: Map<number, number> | undefined;
  let at = from;
  while (at < text.length) {
    at = nextBrace(text, at);
    const pair = text.slice(at, at + 2);
    if (pair === "{{" || pair === "}}") {
      at += 2;
      continue;
    }
    if (text[at] !== "{") {
      at += 1;
      continue;
    }
    TAG.lastIndex = at;
    const match = TAG.exec(text);
    if (match) {
      at = TAG.lastIndex;
      const tag = asBlockTag(match, at);
      if (tag) tags.push(tag);
      continue;
    }
    // Literal braces are kept word for word up to the brace that closes them; unclosed, the brace stands alone.
    closing ??= matchingBraces(text, at);
    at = (closing.get(at) ?? at) + 1;
  }
  return tags;
}

function asBlockTag(match: RegExpExecArray, end: number): ControlTag | undefined {
  const { slash, word, rest } = match.groups ?? {};
  if (word !== "if" && word !== "for" && word !== "while" && word !== "repeat") return undefined;
  const opens = slash === "";
  return { kind: word, opens, sound: opens && SOUND[word].test(rest ?? ""), end };
}

function nextBrace(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x7b || code === 0x7d) return at;
  }
  return text.length;
}

/** For every `{` from `from` on, its `}` by plain counting. One pass, so that a text of nothing but braces is no trap. */
function matchingBraces(text: string, from: number): Map<number, number> {
  const closing = new Map<number, number>();
  const open: number[] = [];
  for (let at = nextBrace(text, from); at < text.length; at = nextBrace(text, at + 1)) {
    if (text[at] === "{") open.push(at);
    else {
      const start = open.pop();
      if (start !== undefined) closing.set(start, at);
    }
  }
  return closing;
}
