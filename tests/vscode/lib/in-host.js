// For the modules that run in the extension host.
"use strict";
const vscode = require("vscode");
const { Report, until } = require("./report");

const folder = () => vscode.workspace.workspaceFolders[0].uri;
const inFolder = (...parts) => vscode.Uri.joinPath(folder(), ...parts);

async function open(uri) {
  const document = await vscode.workspace.openTextDocument(uri);
  return vscode.window.showTextDocument(document);
}

/** The position of the `|` in `marked`, of which the rest stands somewhere in the document. */
function find(document, marked) {
  const bar = marked.indexOf("|");
  const at = document.getText().indexOf(marked.slice(0, bar) + marked.slice(bar + 1));
  if (at < 0) throw new Error(`not in ${document.uri.path}: ${marked}`);
  return document.positionAt(at + bar);
}

const textOf = (range, document) => document.getText(range);
const codeOf = (diagnostic) => (typeof diagnostic.code === "object" ? diagnostic.code.value : diagnostic.code);

/** `[code, text it marks]` of every diagnostic of a document. */
const marks = (document) =>
  vscode.languages.getDiagnostics(document.uri).map((found) => [codeOf(found), textOf(found.range, document)]);

const extension = () => vscode.extensions.getExtension("promptblock.promptblock");

async function serverState(kind, ms) {
  const { serverState: state } = await extension().activate();
  return until(`server ${kind}`, () => {
    if (state().kind === kind) return state();
    throw new Error(`it is ${JSON.stringify(state())}`);
  }, ms);
}

async function replaceAll(editor, text) {
  const { document } = editor;
  const whole = new vscode.Range(new vscode.Position(0, 0), document.lineAt(document.lineCount - 1).range.end);
  await editor.edit((edit) => edit.replace(whole, text));
}

const setting = (name, value) => vscode.workspace.getConfiguration("promptblock").update(name, value, vscode.ConfigurationTarget.Global);

/** What VS Code calls as the module's `run`: all checks, then a rejection if one failed. */
const suite = (name, checks) => async () => {
  const report = new Report(name);
  try {
    await checks((what, body) => report.check(what, body));
  } catch (error) {
    report.line("the checks themselves", error);
  }
  if (report.failed > 0) throw new Error(`${report.failed} failed`);
};

module.exports = { vscode, until, inFolder, open, find, marks, codeOf, extension, serverState, replaceAll, setting, suite };
