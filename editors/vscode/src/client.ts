// The language client for one server process.

import type { ChildProcess } from "node:child_process";
import * as vscode from "vscode";
import { CloseAction, ErrorAction, LanguageClient, RevealOutputChannelOn } from "vscode-languageclient/node";
import { documentSelector } from "./selector";
import { SECTION } from "./settings";

/** The command behind each lens. */
const SHOW_ASSEMBLY = "promptblock.showAssembly";

/** Writes what goes wrong to the log only. What the user must know is said by the status, once and in their language. */
class QuietClient extends LanguageClient {
  override error(message: string, data?: unknown): void {
    super.error(message, data, false);
  }
}

export function createClient(
  server: ChildProcess,
  locale: string | null,
  log: vscode.LogOutputChannel,
  traceLog: vscode.LogOutputChannel,
  closed: () => void,
  showAssembly: (uri: unknown) => void,
): LanguageClient {
  const schemes = (vscode.workspace.workspaceFolders ?? []).map((folder) => folder.uri.scheme);
  return new QuietClient(SECTION, "Prompt Block", () => Promise.resolve(server), {
    documentSelector: documentSelector(schemes),
    initializationOptions: { locale },
    synchronize: { configurationSection: SECTION },
    outputChannel: log,
    traceOutputChannel: traceLog,
    revealOutputChannelOn: RevealOutputChannelOn.Never,
    middleware: {
      // The server's command writes a document; here is a panel for it.
      executeCommand: (command, args, next) => (command === SHOW_ASSEMBLY ? showAssembly(args[0]) : next(command, args)),
    },
    initializationFailedHandler: () => false,
    errorHandler: {
      error: () => ({ action: ErrorAction.Continue, handled: true }),
      closed: () => {
        closed();
        return { action: CloseAction.DoNotRestart, handled: true };
      },
    },
  });
}
