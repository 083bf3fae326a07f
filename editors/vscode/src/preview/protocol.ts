// `promptblock/assembly` as docs/protocol.md has it, and what a client makes of it.

export interface Position {
  line: number;
  character: number;
}

export interface Range {
  start: Position;
  end: Position;
}

export interface Piece {
  kind: "text" | "value" | "example" | "missing";
  text: string;
  range?: Range;
  source?: string;
}

export interface Block {
  id: string | null;
  uri: string | null;
  zone: "system" | "context" | "input";
  role: "system" | "user" | "assistant";
  order: number | null;
  tokens: number;
  pieces: Piece[];
  truncated?: boolean;
}

/** Blocks of the answer before: the first one's number, and how many. */
export interface Kept {
  keep: [number, number];
}

export type Section = { text: string } | { blocks: [number, number] };

export interface Message {
  role: Block["role"];
  sections: Section[];
  tokens: number;
  /** Whether it has a cache mark. */
  cache: boolean;
  /** Whether the stable prefix ends with it. */
  prefixEnd: boolean;
}

export interface Limit {
  tokens: number;
  over: boolean;
}

export interface Tokens {
  system: number;
  prelude: number;
  contexts: number;
  input: number;
  /** As far as the stable prefix reaches. */
  prefix: number;
}

export interface Finding {
  uri: string | null;
  diagnostic: { message: string; range: Range; severity?: number };
}

/** An answer but for its blocks. */
export interface Assembly {
  resultId: string;
  project: string | null;
  vocabulary: string;
  environment: string | null;
  then: string | null;
  environments: string[];
  findings: Finding[];
  refused: boolean;
  digest?: string;
  tokens?: Tokens;
  budget?: { system?: Limit; context?: Limit };
  messages?: Message[];
  changed?: { name: string; before: string | null; after: string | null }[];
  withoutPin?: { firstChanged: string | null; survives: number; recomputed: number };
  /** Blocks of source code whose text only the running program knows. */
  computed?: { id: string | null; uri: string | null; range: Range }[];
  absent?: "zone" | "replaced" | "blank";
}

export type Answer = Assembly & { blocks?: (Block | Kept)[] };

export interface Params {
  textDocument: { uri: string };
  environment?: string;
  then?: string;
  examples?: boolean;
  previousResultId?: string;
  summary?: boolean;
}

export const METHOD = "promptblock/assembly";
export const CHANGED = "promptblock/assemblyChanged";

/**
 * The blocks of an answer, those of the one before put in where it says that they are the same. `undefined` where it speaks
 * of blocks that are not there: then all of it has to be asked for again.
 */
export function merge<B>(before: readonly B[], now: readonly (B | Kept)[]): B[] | undefined {
  const blocks: B[] = [];
  for (const item of now) {
    if (!isKept(item)) {
      blocks.push(item);
      continue;
    }
    const [first, count] = item.keep;
    if (first < 0 || first + count > before.length) return undefined;
    for (let at = first; at < first + count; at++) blocks.push(before[at] as B);
  }
  return blocks;
}

function isKept<B>(item: B | Kept): item is Kept {
  return typeof item === "object" && item !== null && "keep" in item;
}
