// Starts the server, watches over it, and says at any time how it is.
//
// Every start makes a fresh client. The client library can restart one by itself, but only with the same program,
// and it reports a failure in its own words; here a new path, a crash and a broken program take the same way.

import { type ChildProcess, spawn } from "node:child_process";
import { homedir } from "node:os";
import * as vscode from "vscode";
import type { LanguageClient } from "vscode-languageclient/node";
import { createClient } from "../client";
import { readSettings } from "../settings";
import { type Located, locate } from "./locate";
import { thisMachine } from "./machine";
import { probe } from "./probe";
import { RestartBudget } from "./restarts";
import type { Failure, ServerState } from "./state";
import { checkVersion, OLDEST_SERVER } from "./version";

const ANSWER_SECONDS = 30;
const STOP_MS = 2_000;
const RESTARTS = 4;
const RESTART_WINDOW_MS = 3 * 60_000;

type Found = Extract<Located, { found: true }>;

interface Session {
  program: Found;
  process: ChildProcess;
  client: LanguageClient;
  exited: Promise<{ code: number | null; signal: string | null }>;
  /** Set before the session is ended on purpose, so that the end of its connection is no crash. */
  ending: boolean;
}

export class Supervisor implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<ServerState>();
  readonly onDidChange = this.changed.event;
  private current: ServerState = { kind: "stopped" };
  private session: Session | undefined;
  private readonly budget = new RestartBudget(RESTARTS, RESTART_WINDOW_MS);
  private queue: Promise<void> = Promise.resolve();

  constructor(
    private readonly context: vscode.ExtensionContext,
    private readonly log: vscode.LogOutputChannel,
    private readonly traceLog: vscode.LogOutputChannel,
    private readonly showAssembly: (uri: unknown) => void,
  ) {}

  /** The client of the server that runs. */
  get client(): LanguageClient | undefined {
    return this.current.kind === "running" ? this.session?.client : undefined;
  }

  get state(): ServerState {
    return this.current;
  }

  /** Starts the server where none was started. */
  start(): Promise<void> {
    return this.enqueue(async () => {
      if (this.current.kind === "stopped") await this.launch();
    });
  }

  /** Starts the server afresh, whatever its state. */
  restart(): Promise<void> {
    return this.enqueue(async () => {
      this.budget.reset();
      await this.end();
      await this.launch();
    });
  }

  stop(): Promise<void> {
    return this.enqueue(async () => {
      await this.end();
      this.become({ kind: "stopped" });
    });
  }

  dispose(): void {
    this.changed.dispose();
  }

  /** One thing at a time: a restart asked for during a start waits for it. */
  private enqueue(step: () => Promise<void>): Promise<void> {
    const next = this.queue.then(step);
    this.queue = next.catch((error: unknown) => this.log.error(String(error)));
    return next;
  }

  private become(state: ServerState): void {
    this.current = state;
    this.changed.fire(state);
  }

  private fail(failure: Failure): void {
    this.become({ kind: "failed", failure });
  }

  private async launch(): Promise<void> {
    this.become({ kind: "starting" });
    const settings = readSettings();
    const folder = vscode.workspace.workspaceFolders?.find((candidate) => candidate.uri.scheme === "file")?.uri.fsPath;
    const located = await locate(
      { setting: settings.serverPath, workspaceFolder: folder, extensionFolder: this.context.extensionPath },
      thisMachine,
    );
    if (!located.found) return this.fail({ reason: "notFound", located });

    const { path, origin } = located;
    const answer = await probe(path);
    if (!answer.ran) return this.fail({ reason: "cannotRun", path, origin, detail: answer.detail });
    const check = checkVersion(answer.output);
    if (!check.ok) {
      return check.reason === "tooOld"
        ? this.fail({ reason: "tooOld", path, origin, version: check.version, oldest: OLDEST_SERVER })
        : this.fail({ reason: "notPromptblock", path, origin, output: answer.output.trim().slice(0, 200) });
    }

    this.log.info(`${path} lsp (${origin}, ${check.version})`);
    let session: Session;
    try {
      session = this.open(located, folder ?? homedir(), settings.locale);
    } catch (error) {
      return this.fail({ reason: "cannotRun", path, origin, detail: error instanceof Error ? error.message : String(error) });
    }
    const failure = await this.initialize(session);
    if (failure) {
      session.ending = true;
      session.process.kill("SIGKILL");
      await discard(session.client);
      return this.fail(failure);
    }
    this.session = session;
    this.become({ kind: "running", path, origin, version: check.version });
    // It may have fallen over between its answer and this line.
    if (session.process.exitCode !== null || session.process.signalCode !== null) this.connectionClosed(session);
  }

  private open(program: Found, cwd: string, locale: string | null): Session {
    const child = spawn(program.path, ["lsp"], { cwd, stdio: "pipe", windowsHide: true });
    const exited = new Promise<{ code: number | null; signal: string | null }>((resolve) => {
      child.once("exit", (code, signal) => resolve({ code, signal }));
      child.once("error", (error) => {
        this.log.error(error.message);
        resolve({ code: null, signal: null });
      });
    });
    // Writing to a server that is gone must not take the extension host down; the client reports it.
    child.stdin.on("error", (error) => this.log.debug(error.message));
    const client = createClient(child, locale, this.log, this.traceLog, () => this.connectionClosed(session), this.showAssembly);
    const session: Session = { program, process: child, client, exited, ending: false };
    return session;
  }

  private async initialize(session: Session): Promise<Failure | undefined> {
    const { path, origin } = session.program;
    let timer: NodeJS.Timeout | undefined;
    const patience = new Promise<"late">((resolve) => {
      timer = setTimeout(() => resolve("late"), ANSWER_SECONDS * 1000);
    });
    const started = session.client.start().then(
      () => "started" as const,
      (error: unknown) => ({ detail: error instanceof Error ? error.message : String(error) }),
    );
    const end = session.exited.then((exit) => ({ exit }));
    // A process that ends may be noticed before or after its connection: the exit says more than the connection.
    const first = await Promise.race([started, patience, end]);
    clearTimeout(timer);
    if (first === "started") return undefined;
    if (first === "late") return { reason: "noAnswer", path, origin, seconds: ANSWER_SECONDS };
    const exit = "exit" in first ? first.exit : await within(session.exited, 300);
    if (exit) return { reason: "crashed", path, origin, ...exit, times: 1 };
    return { reason: "initialize", path, origin, detail: "detail" in first ? first.detail : "" };
  }

  private connectionClosed(session: Session): void {
    if (session.ending || this.session !== session) return;
    session.ending = true;
    this.session = undefined;
    void this.enqueue(async () => {
      const exit = (await within(session.exited, 1000)) ?? { code: null, signal: null };
      session.process.kill("SIGKILL");
      await discard(session.client);
      this.log.error(`The server ended: code ${exit.code}, signal ${exit.signal}.`);
      // Something else may have started a server while this waited.
      if (this.session) return;
      const { path, origin } = session.program;
      if (this.budget.take()) await this.launch();
      else this.fail({ reason: "crashed", path, origin, ...exit, times: RESTARTS + 1 });
    });
  }

  private async end(): Promise<void> {
    const session = this.session;
    if (!session) return;
    session.ending = true;
    this.session = undefined;
    try {
      await session.client.stop(STOP_MS);
    } catch (error) {
      this.log.warn(String(error));
    }
    if (!(await within(session.exited, STOP_MS))) session.process.kill("SIGKILL");
    await discard(session.client);
  }
}

async function discard(client: LanguageClient): Promise<void> {
  // A client that never came up refuses to be disposed of, and there is nothing more to do about it.
  await client.dispose().catch(() => undefined);
}

async function within<T>(promise: Promise<T>, ms: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
