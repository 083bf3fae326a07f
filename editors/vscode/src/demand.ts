// When a server is needed. Opening TypeScript or JavaScript wakes the extension, and most of that has nothing to do with prompts: then no
// program is started, until a file of ours or a source file that registers something is there.

import * as vscode from "vscode";
import { LANGUAGE, PROJECT_FILES, SOURCE_LANGUAGES } from "./selector";

/** The calls that the server reads. It looks closer; this only has to miss none. */
const REGISTERS = /[pP]rompt\s*!?\s*\??\s*\.\s*(?:block|variable|environment|section|context)\b/;

const FILES = `{${["**/*.promptblock", ...PROJECT_FILES].join(",")}}`;
const NAMES = PROJECT_FILES.map((pattern) => pattern.slice(pattern.lastIndexOf("/") + 1));

function asksForServer(document: vscode.TextDocument): boolean {
  if (document.languageId === LANGUAGE) return true;
  if (SOURCE_LANGUAGES.includes(document.languageId)) return REGISTERS.test(document.getText());
  const { path } = document.uri;
  return NAMES.includes(path.slice(path.lastIndexOf("/") + 1));
}

/** Calls `start` once, as soon as a server is needed. */
export function onDemand(start: () => void): vscode.Disposable {
  const subscriptions: vscode.Disposable[] = [];
  let waiting = true;
  const stop = () => {
    waiting = false;
    for (const one of subscriptions) one.dispose();
  };
  const look = (document: vscode.TextDocument) => {
    if (!waiting || !asksForServer(document)) return;
    stop();
    start();
  };
  const lookEverywhere = () => {
    for (const document of vscode.workspace.textDocuments) look(document);
    if (!waiting) return;
    void vscode.workspace.findFiles(FILES, undefined, 1).then((found) => {
      if (!waiting || found.length === 0) return;
      stop();
      start();
    });
  };
  subscriptions.push(
    vscode.workspace.onDidOpenTextDocument(look),
    vscode.workspace.onDidSaveTextDocument(look),
    vscode.workspace.onDidChangeWorkspaceFolders(lookEverywhere),
  );
  lookEverywhere();
  return { dispose: stop };
}
