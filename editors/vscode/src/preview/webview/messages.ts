// What the panel's page and the extension say to each other.

import type { Assembly, Block, Kept } from "../protocol";
import type { Place } from "../place";

/** Texts of the page, in the reader's language. */
export interface Texts {
  environment: string;
  then: string;
  noThen: string;
  tokens: string;
  system: string;
  prelude: string;
  context: string;
  input: string;
  /** The end of the stable prefix; `{0}` tokens, `{1}` digest. */
  boundary: string;
  noBoundary: string;
  mark: string;
  refused: string;
  value: string;
  example: string;
  missing: string;
  truncated: string;
  note: string;
  /** Without the pin; `{0}` tokens, `{1}` the first block that changes. */
  withoutPin: string;
  unchanged: string;
  noValue: string;
  absent: Record<"zone" | "replaced" | "blank", string>;
  computed: string;
  jump: string;
  waiting: string;
  noEnvironment: string;
  overBudget: string;
  of: string;
}

export type ToPage =
  | { type: "texts"; texts: Texts; language: string }
  | { type: "assembly"; assembly: Assembly; blocks: (Block | Kept)[]; uri: string }
  | { type: "cursor"; block: number | null; place: Place | null; reveal: boolean };

export type FromPage =
  | { type: "ready" }
  | { type: "jump"; block: number; place: Place }
  | { type: "finding"; index: number }
  | { type: "computed"; index: number }
  | { type: "environment"; environment: string | null; then: string | null };

/** What the page keeps over a reload of the window. */
export interface State {
  uri: string;
  environment: string | null;
  then: string | null;
  scroll: number;
}
