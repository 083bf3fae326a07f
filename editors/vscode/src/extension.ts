// Where the extension begins and ends.

import * as vscode from "vscode";
import { closeTagsWhileTyping } from "./autoClose";
import { onDemand } from "./demand";
import { Link } from "./preview/link";
import { Preview } from "./preview/panel";
import { describeFailure, describeOrigin } from "./messages";
import type { ServerState } from "./server/state";
import { Supervisor } from "./server/supervisor";
import { readSettings, SECTION } from "./settings";
import { SHOW_PROBLEM, Status } from "./status";
import { TokensItem } from "./tokens";
import { TraceLog } from "./traceLog";

/** What other extensions, and the tests, may ask. */
export interface Api {
  serverState(): ServerState;
  readonly preview: Pick<Preview, "seen" | "heard">;
}

const OPEN_PREVIEW = "promptblock.openPreview";

let supervisor: Supervisor | undefined;

export function activate(context: vscode.ExtensionContext): Api {
  const log = vscode.window.createOutputChannel("Prompt Block", { log: true });
  const traceLog = new TraceLog();
  const link = new Link();
  const preview = new Preview(context.extensionUri, link);
  const tokens = new TokensItem(OPEN_PREVIEW, link);
  const openPreview = (uri?: unknown) => preview.open(uriOf(uri));
  const server = new Supervisor(context, log, traceLog, openPreview);
  const status = new Status(log);
  supervisor = server;

  context.subscriptions.push(
    log,
    traceLog,
    status,
    server,
    link,
    preview,
    tokens,
    server.onDidChange((state) => {
      status.show(state);
      link.connect(server.client);
    }),
    vscode.commands.registerCommand(OPEN_PREVIEW, openPreview),
    vscode.commands.registerCommand("promptblock.restartServer", () => server.restart()),
    vscode.commands.registerCommand("promptblock.showLog", () => log.show()),
    vscode.commands.registerCommand("promptblock.showVersion", () => showVersion(context, server.state)),
    vscode.commands.registerCommand(SHOW_PROBLEM, () => status.explain()),
    restartWhereSettingsAskForIt(server),
    closeTagsWhileTyping(),
  );
  // Not awaited: the editor need not wait for the server.
  context.subscriptions.push(onDemand(() => void server.start()));
  return { serverState: () => server.state, preview };
}

export async function deactivate(): Promise<void> {
  await supervisor?.stop();
  supervisor = undefined;
}

/** A command may come from a menu, with a `Uri`, or from a lens, with a text. */
function uriOf(argument: unknown): string | undefined {
  if (argument instanceof vscode.Uri) return argument.toString();
  return typeof argument === "string" ? argument : undefined;
}

/** Some settings are told to a server once, at its start. Trusting a folder may bring another value of them, too. */
function restartWhereSettingsAskForIt(server: Supervisor): vscode.Disposable {
  let inForce = JSON.stringify(readSettings());
  const look = () => {
    const now = JSON.stringify(readSettings());
    if (now === inForce) return;
    inForce = now;
    // Nobody needs one yet, else.
    if (server.state.kind !== "stopped") void server.restart();
  };
  return vscode.Disposable.from(
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration(SECTION)) look();
    }),
    vscode.workspace.onDidGrantWorkspaceTrust(look),
  );
}

function showVersion(context: vscode.ExtensionContext, state: ServerState): void {
  const { t } = vscode.l10n;
  const extension = String((context.extension.packageJSON as { version?: unknown }).version);
  if (state.kind === "failed") {
    void vscode.window.showErrorMessage(t("Extension {0}, no server. {1}", extension, describeFailure(state.failure)));
  } else if (state.kind === "running") {
    void vscode.window.showInformationMessage(t("Extension {0}, server {1}, {2}: {3}", extension, state.version, describeOrigin(state.origin), state.path));
  } else {
    void vscode.window.showInformationMessage(t("Extension {0}, no server running.", extension));
  }
}
