// Shows how the server is: an entry in the language status of block files, and, while something is wrong, a red
// item in the status bar that says what, with the ways out.

import * as vscode from "vscode";
import { describeFailure, describeOrigin } from "./messages";
import { LANGUAGE } from "./selector";
import type { Failure, ServerState } from "./server/state";
import { SECTION, SERVER_PATH } from "./settings";

export const SHOW_PROBLEM = "promptblock.showProblem";

export class Status implements vscode.Disposable {
  private readonly language = vscode.languages.createLanguageStatusItem("promptblock.server", { language: LANGUAGE });
  private readonly bar = vscode.window.createStatusBarItem("promptblock.problem", vscode.StatusBarAlignment.Right, 100);
  private failure: Failure | undefined;

  constructor(private readonly log: vscode.LogOutputChannel) {
    this.language.name = vscode.l10n.t("Prompt Block server");
    this.bar.name = this.language.name;
    this.bar.command = SHOW_PROBLEM;
    this.bar.backgroundColor = new vscode.ThemeColor("statusBarItem.errorBackground");
    this.bar.text = "$(error) Prompt Block";
  }

  show(state: ServerState): void {
    const { t } = vscode.l10n;
    const log = { command: "promptblock.showLog", title: t("Show Log") };
    this.failure = state.kind === "failed" ? state.failure : undefined;
    this.language.busy = state.kind === "starting";
    this.language.severity = state.kind === "failed" ? vscode.LanguageStatusSeverity.Error : vscode.LanguageStatusSeverity.Information;
    this.language.command = log;
    switch (state.kind) {
      case "running":
        this.language.text = `promptblock ${state.version}`;
        this.language.detail = describeOrigin(state.origin);
        break;
      case "starting":
        this.language.text = t("promptblock is starting");
        this.language.detail = "";
        break;
      case "stopped":
        this.language.text = t("promptblock is stopped");
        this.language.detail = "";
        this.language.command = { command: "promptblock.restartServer", title: t("Restart Server") };
        break;
      case "failed": {
        const what = describeFailure(state.failure);
        this.log.error(what);
        this.language.text = t("promptblock does not run");
        this.language.detail = what;
        this.language.command = { command: SHOW_PROBLEM, title: t("What to do") };
        this.bar.tooltip = what;
        this.bar.accessibilityInformation = { label: what, role: "button" };
        this.bar.show();
        void this.explain();
        return;
      }
    }
    this.bar.hide();
  }

  /** Says what is wrong and offers the ways out. */
  async explain(): Promise<void> {
    if (!this.failure) return;
    const { t } = vscode.l10n;
    const log = t("Show Log");
    const settings = t("Open Settings");
    const restart = t("Restart Server");
    const what = t("Prompt blocks are not checked. {0}", describeFailure(this.failure));
    const chosen = await vscode.window.showErrorMessage(what, log, settings, restart);
    if (chosen === log) this.log.show();
    if (chosen === settings) await openSettings();
    if (chosen === restart) await vscode.commands.executeCommand("promptblock.restartServer");
  }

  dispose(): void {
    this.language.dispose();
    this.bar.dispose();
  }
}

/** Opens the setting of the server's path at the level where it is set, or would be. */
async function openSettings(): Promise<void> {
  const set = vscode.workspace.getConfiguration(SECTION).inspect(SERVER_PATH);
  // In a remote window the setting belongs to the machine at the other end, and the user's own list leaves it out.
  const level = set?.workspaceValue !== undefined ? "Workspace" : vscode.env.remoteName !== undefined ? "Remote" : "";
  await vscode.commands.executeCommand(`workbench.action.open${level}Settings`, { query: `@id:${SECTION}.${SERVER_PATH}` });
}
