// What the server is told. The server here is a fake one that answers every hover with all that it has seen.
"use strict";
const assert = require("node:assert/strict");
const { vscode, until, inFolder, open, serverState, setting, replaceAll, suite } = require("./lib/in-host");

let block;

async function seen() {
  const [hover] = await vscode.commands.executeCommand("vscode.executeHoverProvider", block.uri, new vscode.Position(0, 0));
  return JSON.parse(hover.contents[0].value.split("\n")[1]);
}

const seenUntil = (what, ok) => until(what, async () => {
  const now = await seen();
  return ok(now) && now;
});

exports.run = suite("client", async (check) => {
  await setting("server.path", inFolder("programs", "fake-server.js").fsPath);
  ({ document: block } = await open(inFolder("blocks", "time.promptblock")));
  await until("the fake server", async () => (await serverState("running")).version === "99.0.0");

  await check("it is started as `promptblock lsp`", async () => assert.deepEqual((await seen()).argv, ["lsp"]));

  await check("the locale: the editor's, and none of its own", async () => {
    const { initialize } = await seen();
    assert.deepEqual(initialize.initializationOptions, { locale: null });
    assert.equal(initialize.locale, vscode.env.language);
  });

  for (const locale of ["zh-CN", "en"]) {
    await check(`the locale: ${locale} if it is set`, async () => {
      await setting("locale", locale);
      await seenUntil(locale, ({ initialize }) => initialize.initializationOptions.locale === locale);
    });
  }
  await setting("locale", undefined);
  await seenUntil("no locale", ({ initialize }) => initialize.initializationOptions.locale === null);

  await check("the settings, at the start and when they change", async () => {
    await seenUntil("settings", ({ configuration }) => configuration?.promptblock?.autoCloseTags === true);
    await setting("autoCloseTags", false);
    await seenUntil("changed settings", ({ configuration }) => configuration?.promptblock?.autoCloseTags === false);
    await setting("autoCloseTags", undefined);
  });

  await check("the trace that is asked for, by the setting alone", async () => {
    assert.equal((await seen()).trace, "off");
    for (const level of ["messages", "verbose", undefined]) {
      await setting("trace.server", level);
      await seenUntil(`trace ${level}`, ({ trace }) => trace === (level ?? "off"));
    }
  });

  await check("the project's files, as they stand in the editor", async () => {
    for (const name of ["promptblock.catalog.json", "promptblock.env.json", "promptblock.toml"]) {
      const editor = await open(inFolder(name));
      const uri = editor.document.uri.toString();
      await seenUntil(name, ({ documents }) => documents[uri] === editor.document.getText());
      await replaceAll(editor, "未保存");
      await seenUntil(`${name} unsaved`, ({ documents }) => documents[uri] === "未保存");
      await vscode.commands.executeCommand("workbench.action.files.revert");
      await seenUntil(`${name} reverted`, ({ documents }) => documents[uri] !== "未保存");
    }
  });

  await check("a catalog of one's own, and a block without a name", async () => {
    const local = inFolder("promptblock.catalog.local.json");
    await vscode.workspace.fs.writeFile(local, Buffer.from("{}"));
    await open(local);
    await seenUntil("the local catalog", ({ documents }) => documents[local.toString()] === "{}");
    const unnamed = await vscode.workspace.openTextDocument({ language: "promptblock", content: "新的" });
    await vscode.window.showTextDocument(unnamed);
    await seenUntil("the unnamed block", ({ documents }) => documents[unnamed.uri.toString()] === "新的");
    await vscode.commands.executeCommand("workbench.action.revertAndCloseActiveEditor");
    await vscode.workspace.fs.delete(local);
  });

  await check("no other file", async () => {
    for (const name of ["notes.md", "other.json"]) {
      const uri = inFolder(name);
      await vscode.workspace.fs.writeFile(uri, Buffer.from("{}"));
      await open(uri);
    }
    const { uri } = await vscode.workspace.openTextDocument({ language: "plaintext", content: "text" });
    await open(inFolder("promptblock.toml"));
    const { documents } = await seenUntil("the settings file", (now) => Object.keys(now.documents).some((name) => name.endsWith(".toml")));
    for (const name of Object.keys(documents)) assert.doesNotMatch(name, /notes\.md|other\.json/);
    assert.equal(documents[uri.toString()], undefined);
    for (const name of ["notes.md", "other.json"]) await vscode.workspace.fs.delete(inFolder(name));
  });

  await setting("server.path", undefined);
});
