// The extension with the real server, on the example projects, seen from inside the extension host.
"use strict";
const assert = require("node:assert/strict");
const fs = require("node:fs/promises");
const { vscode, until, inFolder, open, find, marks, codeOf, extension, serverState, replaceAll, setting, suite } = require("./lib/in-host");

const mistake = (name) => inFolder("mistakes", "blocks", `${name}.promptblock`);
const sound = (name) => inFolder("chat-bot", "blocks", `${name}.promptblock`);
const run = (command, ...args) => vscode.commands.executeCommand(command, ...args);
const plain = (contents) => contents.map((part) => (typeof part === "string" ? part : part.value)).join("\n");
const labelOf = (item) => (typeof item.label === "string" ? item.label : item.label.label);
const untilMarks = (document, what, ok) => until(what, () => ok(marks(document)) || undefined);
const revert = () => run("workbench.action.files.revert");

exports.run = suite("host", async (check) => {
  await check("activates, and the bundled server runs", async () => {
    await open(mistake("clock-in-system"));
    const state = await serverState("running");
    assert.equal(state.origin, "bundled");
    assert.equal(state.path, vscode.Uri.joinPath(extension().extensionUri, "server", "promptblock").fsPath);
  });

  // The server is asked for what is open, and for the rest of the folder at once.
  const codesOf = (uri) => vscode.languages.getDiagnostics(uri).map(codeOf);
  const eachOnce = (uri) => {
    const seen = vscode.languages.getDiagnostics(uri).map((one) => JSON.stringify([codeOf(one), one.range, one.message]));
    assert.equal(new Set(seen).size, seen.length, `${uri.path}: ${seen.join(" ")}`);
  };
  const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

  await check("problems: those of closed files too, and each once", async () => {
    const files = await vscode.workspace.findFiles("mistakes/blocks/*.promptblock");
    assert.ok(files.length >= 10);
    await until("findings of closed files", () => ["open-if", "weather-without-city"].every((name) => codesOf(mistake(name)).length > 0));
    for (const uri of files) eachOnce(uri);
    const before = codesOf(mistake("open-if"));
    await open(mistake("open-if"));
    await pause(1500);
    assert.deepEqual(codesOf(mistake("open-if")), before, "opened: the same");
    for (const uri of files) eachOnce(uri);
  });

  await check("problems: closed without saving, the file's own again", async () => {
    const uri = mistake("open-if");
    const before = codesOf(uri);
    const editor = await open(uri);
    await replaceAll(editor, editor.document.getText().replace(/\n---\n[^]*/, "\n---\n{if}\n"));
    await until("the buffer's", () => codesOf(uri).join() === "invalid-expression");
    await run("workbench.action.revertAndCloseActiveEditor");
    await until("the file's", () => codesOf(uri).join() === before.join());
    // Behind the last questions of the editor, and the answers for the folder.
    await pause(3500);
    assert.deepEqual(codesOf(uri), before);
    eachOnce(uri);
  });

  await check("problems: a change of the catalog reaches closed files", async () => {
    const uri = mistake("weather-without-city");
    const path = inFolder("mistakes", "promptblock.catalog.json").fsPath;
    const text = await fs.readFile(path, "utf8");
    const before = codesOf(uri);
    try {
      await fs.writeFile(path, text.replace('"weather":', '"wetter":'));
      await until("unknown-variable", () => codesOf(uri).includes("unknown-variable"));
    } finally {
      await fs.writeFile(path, text);
    }
    await until("as before", () => codesOf(uri).join() === before.join());
  });

  await check("problems: a folder that is moved on the disk takes its findings along", async () => {
    const at = (...path) => inFolder("mistakes", ...path);
    const text = "---\nid: moved:block\nzone: nowhere\norder: 1\n---\n";
    await fs.mkdir(at("one", "deep").fsPath, { recursive: true });
    try {
      await fs.writeFile(at("one", "deep", "a.promptblock").fsPath, text);
      await until("the new one's", () => codesOf(at("one", "deep", "a.promptblock")).includes("invalid-value"));
      await fs.rename(at("one").fsPath, at("two").fsPath);
      await until("none at the old place", () => codesOf(at("one", "deep", "a.promptblock")).length === 0);
      await until("the moved one's", () => codesOf(at("two", "deep", "a.promptblock")).includes("invalid-value"));
    } finally {
      for (const name of ["one", "two"]) await fs.rm(at(name).fsPath, { recursive: true, force: true });
    }
    await until("none when it is deleted", () => codesOf(at("two", "deep", "a.promptblock")).length === 0);
  });

  await check("languages", async () => {
    const language = async (...path) => (await vscode.workspace.openTextDocument(inFolder(...path))).languageId;
    assert.equal(await language("mistakes", "blocks", "clock-in-system.promptblock"), "promptblock");
    assert.equal(await language("chat-bot", "promptblock.catalog.json"), "jsonc");
    assert.equal(await language("chat-bot", "promptblock.env.json"), "jsonc");
  });

  await check("settings of the language", () => {
    const editor = vscode.workspace.getConfiguration("editor", { languageId: "promptblock" });
    assert.equal(editor.get("wordWrap"), "on");
    assert.equal(editor.get("semanticHighlighting.enabled"), true);
    assert.equal(editor.get("unicodeHighlight.ambiguousCharacters"), false);
  });

  await check("diagnostics: the mutable variable, on its name, and nothing else", async () => {
    const { document } = await open(mistake("clock-in-system"));
    await untilMarks(document, "a diagnostic", (found) => found.length > 0);
    assert.deepEqual(marks(document), [["mutable-in-system", "time"]]);
    const [found] = vscode.languages.getDiagnostics(document.uri);
    assert.equal(found.severity, vscode.DiagnosticSeverity.Error);
    assert.equal(found.source, "promptblock");
    assert.match(found.message, /time/);
  });

  await check("diagnostics: each classic mistake has its code", async () => {
    const table = await fs.readFile(inFolder("mistakes", "README.md").fsPath, "utf8");
    let rows = 0;
    for (const [, names, codes] of table.matchAll(/^\| (`[^|]+`) \| (`[^|]+`) \|/gm)) {
      rows += 1;
      const name = /`([^`]+)`/.exec(names)[1];
      const { document } = await open(mistake(name));
      for (const [, code] of codes.matchAll(/`([^`]+)`/g)) {
        await untilMarks(document, `${code} in ${name}`, (found) => found.some(([is]) => is === code));
      }
    }
    assert.ok(rows >= 10, `${rows} rows`);
  });

  await check("diagnostics: none in the sound example", async () => {
    const files = await vscode.workspace.findFiles("chat-bot/blocks/*.promptblock");
    assert.ok(files.length >= 10);
    for (const uri of files) await open(uri);
    // What is to be awaited is that nothing comes: the answer to a later request comes after the earlier diagnostics.
    await run("vscode.executeDocumentSymbolProvider", files.at(-1));
    await new Promise((resolve) => setTimeout(resolve, 500));
    const found = files.flatMap((uri) => vscode.languages.getDiagnostics(uri).map((one) => [uri.path, codeOf(one), one.message]));
    assert.deepEqual(found, []);
  });

  await check("hover: an order names its band", async () => {
    const { document } = await open(mistake("clock-in-system"));
    const hovers = await run("vscode.executeHoverProvider", document.uri, find(document, "order: 1|20"));
    assert.match(plain(hovers.flatMap((hover) => hover.contents)), /tool guidance/i);
  });

  await check("hover: a variable has its description", async () => {
    const { document } = await open(mistake("clock-in-system"));
    const hovers = await run("vscode.executeHoverProvider", document.uri, find(document, "{ti|me}"));
    assert.match(plain(hovers.flatMap((hover) => hover.contents)), /当前本地时间/);
  });

  await check("completion: the catalog, what is not allowed here last and marked", async () => {
    const { document } = await open(mistake("clock-in-system"));
    const list = await run("vscode.executeCompletionItemProvider", document.uri, find(document, "钟：{|time}"));
    const item = (name) => list.items.find((one) => labelOf(one) === name);
    const order = (name) => item(name).sortText ?? labelOf(item(name));
    assert.ok(item("character_name") && item("time") && item("weather"), list.items.map(labelOf).join(" "));
    assert.ok(order("character_name") < order("time"), "the allowed one comes first");
    const shown = (name) => JSON.stringify([item(name).label, item(name).detail, item(name).documentation]);
    assert.match(shown("time"), /not allowed/i);
    assert.doesNotMatch(shown("character_name"), /not allowed/i);
    assert.ok(list.items.some((one) => /^if\b/.test(labelOf(one))), "control tags");
  });

  await check("completion: the documentation of what is looked at, and nothing committed by typing on", async () => {
    const { document } = await open(mistake("clock-in-system"));
    const place = find(document, "钟：{|time}");
    const list = await run("vscode.executeCompletionItemProvider", document.uri, place, undefined, 100);
    const time = list.items.find((one) => labelOf(one) === "time");
    assert.match(plain([time.documentation]), /当前本地时间/);
    // Insert keeps what stands behind the cursor, replace does not.
    assert.ok(time.range.inserting.isEmpty && !time.range.replacing.isEmpty, JSON.stringify(time.range));
    assert.deepEqual(list.items.filter((one) => one.commitCharacters?.length), []);
  });

  await check("completion: in a catalog nothing twice, and what no schema can know", async () => {
    const { document } = await open(inFolder("mistakes", "promptblock.catalog.json"));
    const list = await until("the schema's keys", async () => {
      const found = await run("vscode.executeCompletionItemProvider", document.uri, find(document, '"time": {|'));
      return found.items.some((one) => /mutable|zones|args/.test(labelOf(one))) ? found : undefined;
    });
    const labels = list.items.map((one) => labelOf(one).replace(/"/g, ""));
    assert.equal(new Set(labels).size, labels.length, labels.join(" "));
    const names = await run("vscode.executeCompletionItemProvider", document.uri, find(document, '"variables": {|'));
    // A misspelt name in one of the blocks.
    const unknown = names.items.filter((one) => /in no catalog|目录中没有/.test(one.detail ?? ""));
    assert.ok(unknown.length > 0, names.items.map(labelOf).join(" "));
  });

  await check("completion: none in prose", async () => {
    const { document } = await open(mistake("clock-in-system"));
    const list = await run("vscode.executeCompletionItemProvider", document.uri, find(document, "查库存|时"));
    assert.deepEqual(list.items.filter((one) => ["time", "character_name"].includes(labelOf(one))), []);
  });

  await check("semantic tokens: the variable is one, and mutable", async () => {
    const { document } = await open(mistake("clock-in-system"));
    const legend = await run("vscode.provideDocumentSemanticTokensLegend", document.uri);
    const { data } = await until("tokens", () => run("vscode.provideDocumentSemanticTokens", document.uri));
    const where = find(document, "{|time}");
    let line = 0;
    let character = 0;
    let found;
    for (let at = 0; at < data.length; at += 5) {
      character = data[at] > 0 ? data[at + 1] : character + data[at + 1];
      line += data[at];
      if (line === where.line && character === where.character) found = data.slice(at, at + 5);
    }
    assert.ok(found, "a token at the name");
    assert.equal(found[2], "time".length);
    assert.equal(legend.tokenTypes[found[3]], "variable");
    const modifiers = legend.tokenModifiers.filter((_, bit) => found[4] & (1 << bit));
    assert.ok(modifiers.includes("mutable"), modifiers.join());
    assert.ok(modifiers.includes("deprecated"), "an error here");
    const declared = extension().packageJSON.contributes.semanticTokenModifiers.map(({ id }) => id);
    for (const modifier of declared) assert.ok(legend.tokenModifiers.includes(modifier), `the legend has ${modifier}`);
  });

  await check("semantic tokens: those of a range", async () => {
    const { document } = await open(mistake("clock-in-system"));
    const line = find(document, "{|time}").line;
    const range = new vscode.Range(line, 0, line, document.lineAt(line).text.length);
    const { data } = await until("tokens", () => run("vscode.provideDocumentRangeSemanticTokens", document.uri, range));
    assert.equal(data[0], line, "the first one stands on that line");
    const lines = [];
    for (let at = 5; at < data.length; at += 5) lines.push(data[at]);
    assert.ok(lines.every((delta) => delta === 0), "and the others too");
  });

  await check("definition: a variable leads to its catalog entry", async () => {
    const { document } = await open(mistake("clock-in-system"));
    const [target] = await run("vscode.executeDefinitionProvider", document.uri, find(document, "{ti|me}"));
    const uri = target.targetUri ?? target.uri;
    assert.equal(uri.path, inFolder("mistakes", "promptblock.catalog.json").path);
    const range = target.targetSelectionRange ?? target.targetRange ?? target.range;
    assert.match((await vscode.workspace.openTextDocument(uri)).getText(range), /time/);
  });

  await check("references: a variable in the catalog and in its block", async () => {
    const { document } = await open(mistake("clock-in-system"));
    const places = await run("vscode.executeReferenceProvider", document.uri, find(document, "{ti|me}"));
    const files = places.map((place) => place.uri.path);
    assert.ok(files.includes(document.uri.path), files.join());
    assert.ok(files.some((path) => path.endsWith(".json")), files.join());
  });

  await check("rename: a variable in the catalog, the environments and every block, and nothing without a name", async () => {
    const { document } = await open(mistake("clock-in-system"));
    const place = find(document, "{ti|me}");
    const prepared = await run("vscode.prepareRename", document.uri, place);
    assert.equal(prepared.placeholder, "time");
    assert.equal(document.getText(prepared.range), "time");
    const edit = await run("vscode.executeDocumentRenameProvider", document.uri, place, "clock");
    const edited = edit.entries().map(([uri, edits]) => {
      assert.ok(edits.length > 0 && edits.every((one) => one.newText === "clock"), uri.path);
      return uri.path;
    });
    for (const path of [document.uri.path, inFolder("mistakes", "promptblock.catalog.json").path]) assert.ok(edited.includes(path), edited.join());
    await assert.rejects(async () => run("vscode.executeDocumentRenameProvider", document.uri, place, "weather"), /weather/);
    await assert.rejects(async () => run("vscode.prepareRename", document.uri, find(document, "zo|ne")));
  });

  await check("call hierarchy: where a variable is used, and what a block uses", async () => {
    const { document } = await open(mistake("clock-in-system"));
    const [variable] = await run("vscode.prepareCallHierarchy", document.uri, find(document, "{ti|me}"));
    assert.equal(variable.name, "time");
    const users = await run("vscode.provideIncomingCalls", variable);
    const here = users.find((call) => call.from.uri.path === document.uri.path);
    assert.ok(here, users.map((call) => call.from.name).join());
    assert.equal(document.getText(here.fromRanges[0]), "time");
    const used = await run("vscode.provideOutgoingCalls", here.from);
    assert.ok(used.some((call) => call.to.name === "time"), used.map((call) => call.to.name).join());
  });

  await check("highlights: the uses of a variable", async () => {
    const { document } = await open(mistake("clock-in-system"));
    const lit = await run("vscode.executeDocumentHighlights", document.uri, find(document, "{ti|me}"));
    assert.ok(lit.length > 0 && lit.every((one) => document.getText(one.range) === "time"));
  });

  await check("selection ranges: tag, branch, construct", async () => {
    const { document } = await open(sound("scene"));
    const [steps] = await run("vscode.executeSelectionRangeProvider", document.uri, [find(document, "{if del|ivery}")]);
    const texts = [];
    for (let step = steps; step; step = step.parent) texts.push(document.getText(step.range));
    assert.ok(texts.includes("{if delivery}"), texts.join(" | "));
    assert.ok(texts.some((text) => text.startsWith("{if delivery}") && text.endsWith("{/if}")), "the construct");
    assert.equal(texts.at(-1), document.getText(), "the file");
  });

  await check("linked editing: both words of a construct", async () => {
    const { document } = await open(sound("scene"));
    assert.equal(vscode.workspace.getConfiguration("editor", document).get("linkedEditing"), true);
    const at = find(document, "{i|f delivery}");
    const found = await until("linked words", () => run("_executeLinkedEditingProvider", document.uri, at));
    // The editor's own ranges count from 1.
    const words = found.ranges.map(({ startLineNumber: line, startColumn, endColumn }) =>
      document.getText(new vscode.Range(line - 1, startColumn - 1, line - 1, endColumn - 1)),
    );
    assert.deepEqual(words, ["if", "if"]);
  });

  await check("linked editing: what is typed in one word is typed in the other", async () => {
    const editor = await open(sound("scene"));
    const { document } = editor;
    const before = document.getText();
    await until("both words changed", async () => {
      // The editor asks when the cursor comes to rest, and does not tell when it has the answer.
      const away = find(document, "书店每天|");
      editor.selection = new vscode.Selection(away, away);
      await pause(300);
      const at = find(document, "{i|f delivery}");
      editor.selection = new vscode.Selection(at, at);
      await pause(900);
      await run("type", { text: "x" });
      await pause(300);
      const text = document.getText();
      await revert();
      const want = before.replace("{if delivery}", "{ixf delivery}").replace("{/if}", "{/ixf}");
      if (text !== want) throw new Error(text);
      return true;
    });
  });

  await check("document links: an address in a body", async () => {
    const { document } = await open(sound("scene"));
    const editor = await open(document.uri);
    await replaceAll(editor, `${document.getText()}\n你🎉 见 https://a.example/b。https://a.example/{delivery}\n`);
    const links = await until("links", async () => {
      const found = await run("vscode.executeLinkProvider", document.uri);
      return found.length > 0 ? found : undefined;
    });
    const texts = links.map((link) => document.getText(link.range));
    assert.ok(texts.includes("https://a.example/b"), texts.join(" | "));
    await revert();
  });

  await check("signature help: the argument at the cursor", async () => {
    const { document } = await open(mistake("clock-in-system"));
    await replaceAll(await open(document.uri), `${document.getText()}\n🎉{weather "北京"}\n`);
    const help = await until("signatures", () => run("vscode.executeSignatureHelpProvider", document.uri, find(document, '{weather "北|京'), " "));
    assert.equal(help.signatures.length, 1);
    assert.match(help.signatures[0].label, /weather.*city/);
    assert.equal(help.activeParameter, 0);
    const prose = await run("vscode.executeSignatureHelpProvider", document.uri, find(document, "查库存|时"), " ");
    assert.deepEqual(prose?.signatures ?? [], []);
    await revert();
  });

  await check("definition: a closer leads to its opener", async () => {
    const { document } = await open(sound("scene"));
    const [target] = await run("vscode.executeDefinitionProvider", document.uri, find(document, "{/i|f}"));
    const range = target.targetSelectionRange ?? target.range;
    assert.equal(range.start.line, find(document, "{|if delivery}").line);
  });

  await check("document symbols", async () => {
    const { document } = await open(sound("scene"));
    const symbols = await run("vscode.executeDocumentSymbolProvider", document.uri);
    assert.ok(JSON.stringify(symbols).includes("chat-bot:scene"));
  });

  await check("workspace symbols: a block by a part of its id", async () => {
    const found = await run("vscode.executeWorkspaceSymbolProvider", "bot:scene");
    const scene = found.find((one) => one.name === "chat-bot:scene");
    assert.ok(scene, JSON.stringify(found));
    assert.equal(scene.location.uri.fsPath, sound("scene").fsPath);
    const document = await vscode.workspace.openTextDocument(scene.location.uri);
    assert.equal(document.getText(scene.location.range), "chat-bot:scene");
  });

  await check("folding: header and branches", async () => {
    const { document } = await open(sound("scene"));
    const starts = (await run("vscode.executeFoldingRangeProvider", document.uri)).map(({ start }) => start);
    assert.ok(starts.includes(0), "the header");
    assert.ok(starts.includes(find(document, "{|if delivery}").line), "the tag");
  });

  await check("code action: the nearest name, applied, clears the diagnostic", async () => {
    const { document } = await open(mistake("unknown-name"));
    const isUnknown = ([code]) => code === "unknown-variable";
    await untilMarks(document, "unknown-variable", (found) => found.some(isUnknown));
    const { range } = vscode.languages.getDiagnostics(document.uri).find((one) => codeOf(one) === "unknown-variable");
    const actions = await run("vscode.executeCodeActionProvider", document.uri, range, vscode.CodeActionKind.QuickFix.value);
    const fix = actions.find(({ title }) => title.includes("character_name"));
    assert.ok(fix, actions.map(({ title }) => title).join(" | "));
    if (fix.edit) assert.ok(await vscode.workspace.applyEdit(fix.edit));
    else await run(fix.command.command, ...fix.command.arguments);
    assert.match(document.getText(), /\{character_name\}/);
    await untilMarks(document, "no unknown-variable", (found) => !found.some(isUnknown));
    await revert();
  });

  await check("code action in another file: the variable is registered in the catalog", async () => {
    const { document } = await open(mistake("unknown-name"));
    const isUnknown = ([code]) => code === "unknown-variable";
    await untilMarks(document, "unknown-variable", (found) => found.some(isUnknown));
    const { range } = vscode.languages.getDiagnostics(document.uri).find((one) => codeOf(one) === "unknown-variable");
    const actions = await run("vscode.executeCodeActionProvider", document.uri, range, vscode.CodeActionKind.QuickFix.value);
    const fix = actions.find(({ title }) => title === "Register `charcter_name` in `promptblock.catalog.json`");
    assert.ok(fix, actions.map(({ title }) => title).join(" | "));
    assert.ok(await vscode.workspace.applyEdit(fix.edit));
    const catalog = await open(inFolder("mistakes", "promptblock.catalog.json"));
    assert.match(catalog.document.getText(), /"charcter_name": \{/);
    await untilMarks(document, "no unknown-variable", (found) => !found.some(isUnknown));
    await revert();
    await untilMarks(document, "unknown-variable again", (found) => found.some(isUnknown));
  });

  await check("refactorings: a selection becomes a block of its own, and an if is taken away", async () => {
    const { document } = await open(sound("scene"));
    const before = document.getText();
    const line = document.lineAt(find(document, "书店每天|").line).range;
    const offered = (range) => run("vscode.executeCodeActionProvider", document.uri, range, vscode.CodeActionKind.Refactor.value, 20);
    const actions = await offered(line);
    const extract = actions.find(({ title }) => title === "Extract into a new block `chat-bot:scene-2`, order 21");
    assert.ok(extract, actions.map(({ title }) => title).join(" | "));
    assert.equal(extract.kind.value, "refactor.extract");
    const added = sound("scene-2");
    try {
      assert.ok(await vscode.workspace.applyEdit(extract.edit));
      const { document: block } = await open(added);
      assert.equal(block.getText(), "---\nid: chat-bot:scene-2\nzone: system\norder: 21\ntemplate: true\n---\n书店每天 10:00 开门，21:00 打烊，周一休息。\n");
      assert.equal(document.getText(), before.replace("书店每天 10:00 开门，21:00 打烊，周一休息。\n", ""));
      await revert();
      await run("workbench.action.closeActiveEditor");
    } finally {
      await vscode.workspace.fs.delete(added);
    }
    await open(sound("scene"));
    await revert();
    const tag = find(document, "{i|f delivery}");
    const unwrap = (await offered(new vscode.Range(tag, tag))).find(({ title }) => title.includes("this branch"));
    assert.ok(await vscode.workspace.applyEdit(unwrap.edit));
    assert.equal(document.getText(), before.replace("{if delivery}", "").replace(/\{else\}[^]*\{\/if\}/, ""));
    await revert();
  });

  await check("what is safe is fixed on saving, and the rest is not", async () => {
    const uri = mistake("raw-json");
    const before = await fs.readFile(uri.fsPath, "utf8");
    const editor = vscode.workspace.getConfiguration("editor");
    await editor.update("codeActionsOnSave", { "source.fixAll.promptblock": "always" }, vscode.ConfigurationTarget.Global);
    try {
      const { document } = await open(uri);
      await untilMarks(document, "literal-braces", (found) => found.some(([code]) => code === "literal-braces"));
      await vscode.window.activeTextEditor.edit((edit) => edit.insert(document.positionAt(document.getText().length), "{nobody}\n"));
      await document.save();
      assert.match(document.getText(), /\{\{"/);
      assert.match(document.getText(), /\{nobody\}/);
      await untilMarks(document, "what is left", (found) => found.map(([code]) => code).sort().join() === "escaped-variable,unknown-variable");
    } finally {
      await editor.update("codeActionsOnSave", undefined, vscode.ConfigurationTarget.Global);
      await fs.writeFile(uri.fsPath, before);
    }
    await revert();
  });

  await check("formatting: whole, a selection, on typing", async () => {
    const { document } = await open(sound("scene"));
    const options = { tabSize: 2, insertSpaces: true };
    const before = document.getText();
    await replaceAll(vscode.window.activeTextEditor, before.replace("zone: system", "zone:   system").replace("{if delivery}", "{ if  delivery }"));
    const tag = find(document, "{ if  delivery }|");
    const typed = await run("vscode.executeFormatOnTypeProvider", document.uri, tag, "}", options);
    assert.equal(typed.length, 3);
    const line = document.lineAt(tag.line).range;
    assert.equal((await run("vscode.executeFormatRangeProvider", document.uri, line, options)).length, 3);
    const edit = new vscode.WorkspaceEdit();
    edit.set(document.uri, await run("vscode.executeFormatDocumentProvider", document.uri, options));
    assert.ok(await vscode.workspace.applyEdit(edit));
    assert.equal(document.getText(), before);
    await revert();
  });

  await check("the unsaved catalog counts, and so does taking the change back", async () => {
    const { document: block } = await open(mistake("clock-in-system"));
    const catalog = await open(inFolder("mistakes", "promptblock.catalog.json"));
    await replaceAll(catalog, catalog.document.getText().replace(/"time": \{[^}]*\}/, '"time": {"description": "固定的"}'));
    assert.ok(catalog.document.isDirty);
    await untilMarks(block, "no diagnostic", (found) => found.length === 0);
    await revert();
    await untilMarks(block, "the diagnostic again", (found) => found.some(([code]) => code === "mutable-in-system"));
  });

  await check("a catalog changed on the disk is noticed", async () => {
    const { document: block } = await open(mistake("clock-in-system"));
    const path = inFolder("mistakes", "promptblock.catalog.json").fsPath;
    const before = await fs.readFile(path, "utf8");
    try {
      await fs.writeFile(path, before.replace('"time":', '"clock":'));
      await untilMarks(block, "unknown-variable", (found) => found.some(([code]) => code === "unknown-variable"));
    } finally {
      await fs.writeFile(path, before);
    }
    await untilMarks(block, "mutable-in-system", (found) => found.some(([code]) => code === "mutable-in-system"));
  });

  await check("a new, unnamed block is judged", async () => {
    const document = await vscode.workspace.openTextDocument({ language: "promptblock", content: "---\nid: a:b\nzone: nowhere\norder: 1\n---\n" });
    await vscode.window.showTextDocument(document);
    await untilMarks(document, "invalid-value", (found) => found.some(([code, text]) => code === "invalid-value" && text === "nowhere"));
    await run("workbench.action.revertAndCloseActiveEditor");
  });

  await check("positions behind emoji, combining marks and CRLF", async () => {
    const content = "---\r\nid: a:b\r\nzone: context\r\norder: 1\r\ntemplate: true\r\n---\r\n👩‍👩‍👧 e\u0301 {if nobody_knows}\r\n";
    const document = await vscode.workspace.openTextDocument({ language: "promptblock", content });
    await vscode.window.showTextDocument(document);
    await untilMarks(document, "unclosed-tag", (found) => found.some(([code, text]) => code === "unclosed-tag" && text === "{if nobody_knows}"));
    await run("workbench.action.revertAndCloseActiveEditor");
  });

  await check("the JSON Schema is used for the catalog, and comments are no fault", async () => {
    const editor = await open(inFolder("chat-bot", "promptblock.catalog.json"));
    const bySchema = () => vscode.languages.getDiagnostics(editor.document.uri).filter((one) => one.source !== "promptblock");
    await new Promise((resolve) => setTimeout(resolve, 1500));
    assert.deepEqual(bySchema().map((one) => one.message), []);
    await replaceAll(editor, '{"variables": {"time": {"description": 3}}}');
    await until("a complaint by the schema", () => bySchema().length > 0);
    await revert();
  });

  await check("the server speaks the language that is set", async () => {
    const { document } = await open(mistake("clock-in-system"));
    const message = () => vscode.languages.getDiagnostics(document.uri)[0]?.message ?? "";
    const chinese = (text) => /\p{Script=Han}{4,}/u.test(text);
    await until("English", () => message() !== "" && !chinese(message()));
    await setting("locale", "zh-CN");
    await until("Chinese", () => chinese(message()));
    await setting("locale", undefined);
    await until("English again", () => message() !== "" && !chinese(message()));
  });

  await check("source code: the rules inside its texts, and nothing else of ours", async () => {
    const uri = inFolder("chat-bot", "blocks", "in-source.ts");
    const text = [
      "// 你🎉",
      "ctx.prompt.variable({ name: 'tone', description: '语气' }, () => '')",
      "ctx.prompt.block({ id: 't:src', zone: 'context', order: 30, template: true, content: '\\u4f60🎉 {nme} {tone}' })",
      "",
    ];
    await fs.writeFile(uri.fsPath, text.join("\n"));
    const silent = inFolder("chat-bot", "blocks", "silent.ts");
    await fs.writeFile(silent.fsPath, 'export const text = "{nme} {if x}";\n');
    try {
      const { document } = await open(uri);
      assert.equal(document.languageId, "typescript");
      const ours = () => marks(document).filter(([code]) => typeof code === "string");
      await until("a diagnostic", () => ours().length > 0 || undefined);
      assert.deepEqual(ours(), [["unknown-variable", "nme"]]);
      const at = (marked) => find(document, marked);
      const hovers = await run("vscode.executeHoverProvider", document.uri, at("{to|ne}"));
      assert.match(plain(hovers.flatMap((hover) => hover.contents)), /语气/);
      const listed = async (marked) => (await run("vscode.executeCompletionItemProvider", document.uri, at(marked))).items.map(labelOf);
      assert.ok((await listed("{|nme}")).includes("character_name"), "inside");
      assert.ok(!(await listed("zo|ne: ")).includes("character_name"), "outside");
      const [target] = await run("vscode.executeDefinitionProvider", document.uri, at("{to|ne}"));
      assert.equal((target.targetSelectionRange ?? target.range).start.line, 1);
      // The other formatter is the editor's own for the language; two of them, and it would ask which one is meant.
      const options = { tabSize: 2, insertSpaces: true };
      const before = document.getText();
      assert.deepEqual((await run("vscode.executeFormatOnTypeProvider", document.uri, at("{tone}|"), "}", options)) ?? [], []);
      await run("editor.action.formatDocument");
      assert.equal(document.getText().includes("{nme} {tone}' })"), true, document.getText());
      if (document.getText() !== before) await revert();
      await open(silent);
      await run("vscode.executeDocumentSymbolProvider", silent);
      await pause(500);
      assert.deepEqual(vscode.languages.getDiagnostics(silent).map(codeOf).filter((code) => typeof code === "string"), []);
    } finally {
      for (const one of [uri, silent]) await fs.rm(one.fsPath, { force: true });
    }
  });

  await check("restart: the diagnostics come back", async () => {
    const { document } = await open(mistake("clock-in-system"));
    await run("promptblock.restartServer");
    await serverState("running");
    await untilMarks(document, "a diagnostic", (found) => found.length === 1);
  });
});
