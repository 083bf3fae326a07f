// The tokens of the project of the open block, in the status bar, by zone and against its budget.

import * as vscode from "vscode";
import { Feed } from "./preview/feed";
import type { Link } from "./preview/link";
import type { Assembly, Limit } from "./preview/protocol";
import { LANGUAGE } from "./selector";

export class TokensItem implements vscode.Disposable {
  private readonly item = vscode.window.createStatusBarItem("promptblock.tokens", vscode.StatusBarAlignment.Right, 99);
  private readonly feed: Feed;
  private readonly subscriptions: vscode.Disposable[];

  constructor(command: string, link: Link) {
    this.feed = new Feed(link);
    this.item.name = vscode.l10n.t("Prompt Block tokens");
    this.item.command = command;
    this.feed.onDidUpdate(({ answer }) => this.show(answer));
    this.subscriptions = [this.item, this.feed, link.onDidConnect(() => !link.client && this.item.hide()), vscode.window.onDidChangeActiveTextEditor((editor) => this.follow(editor))];
    this.follow(vscode.window.activeTextEditor);
  }

  dispose(): void {
    for (const one of this.subscriptions) one.dispose();
  }

  private follow(editor: vscode.TextEditor | undefined): void {
    // A panel has no editor of its own; what it is about stays.
    if (!editor && vscode.window.tabGroups.activeTabGroup.activeTab?.input instanceof vscode.TabInputWebview) return;
    const uri = editor?.document.languageId === LANGUAGE ? editor.document.uri.toString() : undefined;
    if (uri === undefined) this.item.hide();
    this.feed.want(uri === undefined ? undefined : { textDocument: { uri }, summary: true });
  }

  private show(answer: Assembly): void {
    const { t } = vscode.l10n;
    const { tokens, budget } = answer;
    if (!tokens) {
      this.item.text = `$(error) ${t("no assembly")}`;
      this.item.tooltip = answer.findings.map(({ diagnostic }) => diagnostic.message).join("\n");
      this.item.backgroundColor = new vscode.ThemeColor("statusBarItem.errorBackground");
      this.item.show();
      return;
    }
    const prefix = tokens.system + tokens.prelude;
    const over = budget?.system?.over === true || budget?.context?.over === true;
    const count = (number: number, limit?: Limit) => number.toLocaleString(vscode.env.language) + (limit ? `/${limit.tokens.toLocaleString(vscode.env.language)}` : "");
    this.item.text = `${over ? "$(warning)" : "$(symbol-ruler)"} ${count(prefix, budget?.system)} + ${count(tokens.contexts, budget?.context)}`;
    this.item.backgroundColor = over ? new vscode.ThemeColor("statusBarItem.warningBackground") : undefined;
    const lines = [
      t("System: {0} tokens", count(tokens.system)),
      ...(tokens.prelude > 0 ? [t("Prelude: {0} tokens", count(tokens.prelude))] : []),
      ...(budget?.system ? [limitLine(t("Budget of the system zone: {0} tokens", count(budget.system.tokens)), budget.system)] : []),
      t("Context: {0} tokens", count(tokens.contexts)),
      ...(budget?.context ? [limitLine(t("Budget of the context zone: {0} tokens", count(budget.context.tokens)), budget.context)] : []),
      t("Input: {0} tokens", count(tokens.input)),
      t("Counted with {0}; tool schemas are not counted.", answer.vocabulary),
      ...(answer.environment === null ? [] : [t("Environment: {0}", answer.environment)]),
    ];
    this.item.tooltip = lines.join("\n");
    this.item.accessibilityInformation = { label: lines.join(", ") };
    this.item.show();
  }
}

const limitLine = (text: string, { over }: Limit): string => (over ? `⚠ ${text}` : text);
