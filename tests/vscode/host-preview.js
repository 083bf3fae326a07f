// The preview, lenses, hints and the tokens in the status bar, seen from inside the extension host, on the sound example.
"use strict";
const assert = require("node:assert/strict");
const { vscode, until, inFolder, open, find, extension, serverState, setting, suite } = require("./lib/in-host");

const block = (name) => inFolder("blocks", `${name}.promptblock`);
const run = (command, ...args) => vscode.commands.executeCommand(command, ...args);
const close = () => run("workbench.action.closeAllEditors");
const preview = () => extension().exports.preview;
const textOf = ({ pieces }) => pieces.map(({ text }) => text).join("");
const blockOf = (name) => preview().seen()?.blocks.find(({ id }) => id === `chat-bot:${name}`);
const panels = () => vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs).filter(({ input }) => input instanceof vscode.TabInputWebview);

exports.run = suite("preview", async (check) => {
  const editor = await open(block("persona"));
  await serverState("running");

  await check("lenses: place, tokens and cost over the first line", async () => {
    const lenses = await until("lenses", async () => {
      const found = await run("vscode.executeCodeLensProvider", editor.document.uri, 10);
      return found.length === 2 && found;
    });
    const titles = lenses.map(({ command }) => command.title);
    assert.match(titles[0], /^system 3 of 6 · \d+ tokens$/);
    assert.match(titles[1], /^an edit recomputes [\d,]+ tokens of cached prefix$/);
    assert.equal(lenses[0].range.start.line, 0);
  });

  await check("hints: bands by default, examples where they are switched on", async () => {
    const whole = new vscode.Range(0, 0, editor.document.lineCount, 0);
    const labels = async () => (await run("vscode.executeInlayHintProvider", editor.document.uri, whole)).map(({ label }) => label);
    await until("the band", async () => (await labels()).join() === "persona");
    await setting("inlayHints.examples", true);
    await until("the example", async () => (await labels()).join() === "persona,= 120");
    await setting("inlayHints.bands", false);
    await until("the example alone", async () => (await labels()).join() === "= 120");
    await setting("inlayHints.bands", undefined);
    await setting("inlayHints.examples", undefined);
    await until("as before", async () => (await labels()).join() === "persona");
  });

  await check("the command opens one panel beside the text, and the text keeps the focus", async () => {
    await run("promptblock.openPreview");
    await until("the assembly", () => preview().seen()?.blocks.length === 13);
    await run("promptblock.openPreview");
    await until("one panel", () => panels().length === 1);
    assert.equal(vscode.window.activeTextEditor?.document.uri.path, block("persona").path);
    assert.match(textOf(blockOf("identity")), /^你叫阿桂，是拾页书店的店员。/);
  });

  await check("a lens opens it, too", async () => {
    for (const tab of panels()) await vscode.window.tabGroups.close(tab);
    await until("no panel", () => preview().seen() === undefined);
    const [lens] = await run("vscode.executeCodeLensProvider", editor.document.uri, 1);
    await run(lens.command.command, ...lens.command.arguments);
    await until("the assembly", () => preview().seen()?.blocks.length === 13);
    await until("one panel", () => panels().length === 1);
  });

  await check("typing shows at once, unsaved", async () => {
    await vscode.window.showTextDocument(editor.document, { viewColumn: 1 });
    const at = find(editor.document, "你读得|杂");
    await vscode.window.activeTextEditor.edit((edit) => edit.insert(at, "很😀"));
    await until("the new text", () => textOf(blockOf("persona")).startsWith("你读得很😀杂"));
    await run("undo");
    await until("the old text", () => textOf(blockOf("persona")).startsWith("你读得杂"));
  });

  await check("an unsaved environment counts", async () => {
    const other = await open(inFolder("promptblock.env.json"));
    const at = other.document.getText().indexOf("阿桂");
    await other.edit((edit) => edit.replace(new vscode.Range(other.document.positionAt(at), other.document.positionAt(at + 2)), "小满"));
    await until("the new name", () => textOf(blockOf("identity")).startsWith("你叫小满"));
    await run("workbench.action.files.revert");
    await until("the old name", () => textOf(blockOf("identity")).startsWith("你叫阿桂"));
  });

  await check("from the preview to the source: into text, and a value's tag", async () => {
    const index = preview().seen().blocks.findIndex(({ id }) => id === "chat-bot:identity");
    await preview().heard({ type: "jump", block: index, place: { piece: 0, offset: 1 } });
    const shown = () => vscode.window.activeTextEditor;
    assert.equal(shown().document.uri.path, block("identity").path);
    const expected = find(shown().document, "你|叫");
    assert.ok(shown().selection.active.isEqual(expected));
    const value = preview().seen().blocks[index].pieces.findIndex(({ source }) => source === "{shop_name}");
    await preview().heard({ type: "jump", block: index, place: { piece: value, offset: 2 } });
    assert.equal(shown().document.getText(shown().selection), "{shop_name}");
    assert.equal(panels().length, 1, "the panel stays where it is");
    assert.equal(preview().seen().uri, shown().document.uri.toString(), "and goes along");
  });

  await check("another environment, and a second one with the pin", async () => {
    await preview().heard({ type: "environment", environment: "private", then: null });
    await until("private", () => preview().seen().environment === "private");
    assert.match(textOf(blockOf("group")), /老周 单独找你/);
    await preview().heard({ type: "environment", environment: "group", then: "private" });
    await until("the pin", () => preview().seen().then === "private");
    await preview().heard({ type: "environment", environment: null, then: null });
    await until("as the project says", () => preview().seen().environment === "group" && preview().seen().then === null);
  });

  await check("a refused assembly, and back", async () => {
    const copy = inFolder("blocks", "copy.promptblock");
    await vscode.workspace.fs.copy(block("identity"), copy);
    await until("refused", () => preview().seen().refused);
    await vscode.workspace.fs.delete(copy);
    await until("assembled", () => !preview().seen().refused && preview().seen().blocks.length === 13);
  });

  await check("a restarted server goes on with it", async () => {
    await run("promptblock.restartServer");
    await serverState("running");
    const at = find(editor.document, "你读得|杂");
    await vscode.window.showTextDocument(editor.document, { viewColumn: 1 });
    assert.ok(await vscode.window.activeTextEditor.edit((edit) => edit.insert(at, "真")));
    await until("the new text", () => {
      const seen = textOf(blockOf("persona"));
      if (!seen.startsWith("你读得真杂")) throw new Error(seen.slice(0, 40) + vscode.window.activeTextEditor.document.getText().slice(60, 160));
      return true;
    });
    await run("workbench.action.files.revert");
  });
  await close();
});
