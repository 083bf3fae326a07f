// The preview: the messages that the model is sent, in a panel beside the text.

import { randomBytes } from "node:crypto";
import * as vscode from "vscode";
import { LANGUAGE } from "../selector";
import { Feed, type Update } from "./feed";
import type { Link } from "./link";
import { type Place, placeOf, sourceOf } from "./place";
import type { Block, Range } from "./protocol";
import { texts } from "./texts";
import type { FromPage, State, ToPage } from "./webview/messages";

export const VIEW = "promptblock.preview";

/** What the tests ask of the panel. */
export interface Seen {
  uri: string;
  environment: string | null;
  then: string | null;
  blocks: readonly Block[];
  messages: number;
  refused: boolean;
}

export class Preview implements vscode.Disposable, vscode.WebviewPanelSerializer<State> {
  private panel: vscode.WebviewPanel | undefined;
  private feed: Feed | undefined;
  private last: Update | undefined;
  /** The file that the panel is about. */
  private uri: string | undefined;
  private environment: string | null = null;
  private then: string | null = null;
  private loaded = false;
  private readonly subscriptions: vscode.Disposable[] = [];

  constructor(
    private readonly extension: vscode.Uri,
    private readonly link: Link,
  ) {
    this.subscriptions.push(
      vscode.window.registerWebviewPanelSerializer(VIEW, this),
      vscode.window.onDidChangeActiveTextEditor((editor) => this.follow(editor)),
      vscode.window.onDidChangeTextEditorSelection((event) => {
        if (event.textEditor === vscode.window.activeTextEditor) this.showCursor(event.textEditor, true);
      }),
    );
  }

  /** Opens the panel beside the text, or shows the one that is open. */
  open(uri?: string): void {
    const editor = vscode.window.activeTextEditor;
    const about = uri ?? (editor?.document.languageId === LANGUAGE ? editor.document.uri.toString() : this.uri);
    if (about === undefined) {
      void vscode.window.showInformationMessage(vscode.l10n.t("Open a prompt block first; the preview is of its project."));
      return;
    }
    if (this.panel) {
      this.panel.reveal(undefined, true);
    } else {
      const column = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true };
      this.take(vscode.window.createWebviewPanel(VIEW, vscode.l10n.t("Prompt Preview"), column, this.options()));
    }
    this.about(about);
  }

  /** Called by the editor after a reload of the window. */
  async deserializeWebviewPanel(panel: vscode.WebviewPanel, state: State | undefined): Promise<void> {
    if (this.panel) return panel.dispose();
    panel.webview.options = this.options();
    this.environment = state?.environment ?? null;
    this.then = state?.then ?? null;
    this.take(panel);
    const editor = vscode.window.activeTextEditor;
    if (editor?.document.languageId === LANGUAGE) this.follow(editor);
    else if (state) this.about(state.uri);
  }

  seen(): Seen | undefined {
    if (!this.panel || !this.last || this.uri === undefined) return undefined;
    const { answer, blocks } = this.last;
    return {
      uri: this.uri,
      environment: answer.environment,
      then: answer.then,
      blocks,
      messages: answer.messages?.length ?? 0,
      refused: answer.refused,
    };
  }

  /** What the page says. The tests say it in its place. */
  async heard(message: FromPage): Promise<void> {
    switch (message.type) {
      case "ready":
        this.loaded = true;
        this.post({ type: "texts", texts: texts(), language: vscode.env.language });
        this.show(undefined);
        break;
      case "jump":
        await this.jump(message.block, message.place);
        break;
      case "finding": {
        const finding = this.last?.answer.findings[message.index];
        if (finding?.uri) await reveal(finding.uri, finding.diagnostic.range);
        break;
      }
      case "computed": {
        const computed = this.last?.answer.computed?.[message.index];
        if (computed?.uri) await reveal(computed.uri, computed.range);
        break;
      }
      case "environment":
        this.environment = message.environment;
        this.then = message.then;
        this.ask();
        break;
    }
  }

  dispose(): void {
    this.panel?.dispose();
    this.feed?.dispose();
    for (const one of this.subscriptions) one.dispose();
  }

  private options(): vscode.WebviewPanelOptions & vscode.WebviewOptions {
    return { enableScripts: true, localResourceRoots: [vscode.Uri.joinPath(this.extension, "dist", "preview")] };
  }

  private take(panel: vscode.WebviewPanel): void {
    this.panel = panel;
    this.loaded = false;
    const feed = new Feed(this.link);
    this.feed = feed;
    feed.onDidUpdate((update) => {
      this.last = update;
      this.show(update);
    });
    panel.iconPath = vscode.Uri.joinPath(this.extension, "images", "icon.png");
    panel.onDidDispose(() => {
      feed.dispose();
      this.feed = undefined;
      this.panel = undefined;
      this.last = undefined;
      this.loaded = false;
      this.environment = null;
      this.then = null;
    });
    panel.webview.onDidReceiveMessage((message: FromPage) => void this.heard(message));
    // Hidden, a page is gone, and says `ready` when it is back.
    panel.onDidChangeViewState(() => {
      if (!panel.visible) this.loaded = false;
    });
    panel.webview.html = this.html(panel.webview);
  }

  private about(uri: string): void {
    this.uri = uri;
    this.ask();
    const editor = vscode.window.visibleTextEditors.find((one) => one.document.uri.toString() === uri);
    if (editor) this.showCursor(editor, true);
  }

  private ask(): void {
    if (this.uri === undefined) return;
    this.feed?.want({
      textDocument: { uri: this.uri },
      ...(this.environment === null ? {} : { environment: this.environment }),
      ...(this.then === null ? {} : { then: this.then }),
    });
  }

  /** The panel is about the project of the block that is worked on. */
  private follow(editor: vscode.TextEditor | undefined): void {
    if (!this.panel || editor?.document.languageId !== LANGUAGE) return;
    this.about(editor.document.uri.toString());
  }

  private show(update: Update | undefined): void {
    if (!this.loaded || !this.last || this.uri === undefined) return;
    const { blocks: sent, ...assembly } = this.last.answer;
    // A page that has just come knows no blocks yet.
    const blocks = update?.builds ? (sent ?? []) : this.last.blocks;
    this.post({ type: "assembly", assembly, blocks, uri: this.uri });
    const editor = vscode.window.activeTextEditor;
    if (editor) this.showCursor(editor, update === undefined);
  }

  private showCursor(editor: vscode.TextEditor, revealed: boolean): void {
    if (!this.last || editor.document.languageId !== LANGUAGE) return;
    const uri = editor.document.uri.toString();
    const { blocks } = this.last;
    const exact = blocks.findIndex((block) => block.uri === uri);
    // Spelled otherwise, perhaps.
    const index = exact >= 0 ? exact : blocks.findIndex((block) => block.uri !== null && sameUri(block.uri, uri));
    const block = this.last.blocks[index];
    const place = block ? (placeOf(block, editor.selection.start) ?? null) : null;
    this.post({ type: "cursor", block: block ? index : null, place, reveal: revealed });
  }

  private async jump(index: number, place: Place): Promise<void> {
    const block = this.last?.blocks[index];
    if (!block?.uri) return;
    const known = block.pieces.find((piece) => piece.range)?.range;
    const source = sourceOf(block, place) ?? known ?? { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };
    await reveal(block.uri, source);
  }

  private post(message: ToPage): void {
    if (this.loaded) void this.panel?.webview.postMessage(message);
  }

  private html(webview: vscode.Webview): string {
    const nonce = randomBytes(16).toString("base64url");
    const at = (name: string) => webview.asWebviewUri(vscode.Uri.joinPath(this.extension, "dist", "preview", name)).toString();
    // Nothing but this script and this style sheet: what a block says must not load or run anything.
    const policy = `default-src 'none'; style-src ${webview.cspSource}; script-src 'nonce-${nonce}'`;
    return `<!DOCTYPE html>
<html>
<head>
<meta charset="UTF-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="${at("page.css")}">
</head>
<body><header id="bar"></header><main id="messages"></main><script nonce="${nonce}" src="${at("page.js")}"></script></body>
</html>`;
  }
}

/** Shows a range of a file in the column where files are, not in the panel's. */
async function reveal(uri: string, range: Range): Promise<void> {
  const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(uri));
  const shown = vscode.window.visibleTextEditors.find((editor) => editor.document === document);
  const other = vscode.window.visibleTextEditors.find((editor) => editor.document.languageId === LANGUAGE);
  const column = shown?.viewColumn ?? other?.viewColumn ?? vscode.ViewColumn.One;
  const selection = new vscode.Range(range.start.line, range.start.character, range.end.line, range.end.character);
  await vscode.window.showTextDocument(document, { viewColumn: column, selection });
}

/** Two spellings of one URI; the server's are those of the editor, but for files that are not open. */
function sameUri(a: string, b: string): boolean {
  return vscode.Uri.parse(a).toString() === vscode.Uri.parse(b).toString();
}
