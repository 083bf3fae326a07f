// What is known about the server, and why it does not run. Data only; `messages.ts` puts it into words.

import type { Located, Origin } from "./locate";

export type Failure =
  | { reason: "notFound"; located: Extract<Located, { found: false }> }
  /** The system refuses to run it. */
  | { reason: "cannotRun"; path: string; origin: Origin; detail: string }
  /** It runs, but is another program. */
  | { reason: "notPromptblock"; path: string; origin: Origin; output: string }
  | { reason: "tooOld"; path: string; origin: Origin; version: string; oldest: string }
  /** It answered `initialize` with an error. */
  | { reason: "initialize"; path: string; origin: Origin; detail: string }
  | { reason: "noAnswer"; path: string; origin: Origin; seconds: number }
  /** It ended by itself: at the start, or too often. */
  | { reason: "crashed"; path: string; origin: Origin; code: number | null; signal: string | null; times: number };

export type ServerState =
  | { kind: "stopped" }
  | { kind: "starting" }
  | { kind: "running"; path: string; origin: Origin; version: string }
  | { kind: "failed"; failure: Failure };
