// Writes the closer behind the cursor when an opening tag is finished by typing its `}`.

import * as vscode from "vscode";
import { closerFor } from "./closingTag";
import { LANGUAGE } from "./selector";
import { closesTags } from "./settings";

/** Of a larger file only the header and this much around the cursor is looked at: a keystroke must stay cheap. */
const WINDOW_LINES = 2_000;
const ATTEMPTS = 3;

export function closeTagsWhileTyping(): vscode.Disposable {
  return vscode.workspace.onDidChangeTextDocument((event) => {
    const typed = typedBrace(event);
    const editor = vscode.window.activeTextEditor;
    if (!typed || editor?.document !== event.document || editor.selections.length !== 1) return;
    if (!closesTags(event.document)) return;
    void close(editor, typed);
  });
}

/** Where the `}` ends that was just typed, be it new or over the one that came with the `{`. */
function typedBrace(event: vscode.TextDocumentChangeEvent): vscode.Position | undefined {
  if (event.document.languageId !== LANGUAGE || event.reason !== undefined || event.contentChanges.length !== 1) return undefined;
  const change = event.contentChanges[0];
  if (change?.text !== "}" || change.rangeLength > 1) return undefined;
  return change.range.start.translate(0, 1);
}

async function close(editor: vscode.TextEditor, typed: vscode.Position): Promise<void> {
  // An edit is refused if a fast typist has changed the text meanwhile. Then it is decided anew on the new text.
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const closer = closerAt(editor.document, typed);
    const at = attempt === 0 ? typed : editor.selection.active;
    if (!closer || at.line !== typed.line || at.isBefore(typed)) return;
    // As a snippet, so that the cursor stays before the closer; a step of its own, so that one undo takes it away.
    const snippet = new vscode.SnippetString("$0").appendText(closer);
    if (await editor.insertSnippet(snippet, at, { undoStopBefore: true, undoStopAfter: true })) return;
  }
}

function closerAt(document: vscode.TextDocument, typed: vscode.Position): string | undefined {
  if (document.lineCount <= 2 * WINDOW_LINES) return closerFor(document.getText(), document.offsetAt(typed));
  const header = headerOf(document);
  if (header === undefined || typed.line <= header.lines) return undefined;
  const from = new vscode.Position(Math.max(header.lines, typed.line - WINDOW_LINES), 0);
  const before = document.getText(new vscode.Range(from, typed));
  const after = document.getText(new vscode.Range(typed, new vscode.Position(typed.line + WINDOW_LINES, 0)));
  return closerFor(header.text + before + after, header.text.length + before.length);
}

function headerOf(document: vscode.TextDocument): { text: string; lines: number } | undefined {
  for (let line = 1; line < WINDOW_LINES; line++) {
    if (!/^---[ \t]*$/.test(document.lineAt(line).text)) continue;
    return { text: document.getText(new vscode.Range(0, 0, line + 1, 0)), lines: line + 1 };
  }
  return undefined;
}
