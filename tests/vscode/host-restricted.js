// A folder that nobody trusts yet names a server of its own. It must not be run, and all else must work.
"use strict";
const assert = require("node:assert/strict");
const fs = require("node:fs");
const { vscode, until, inFolder, open, extension, serverState, suite } = require("./lib/in-host");

const wasRun = inFolder("programs", "was-run").fsPath;

exports.run = suite("restricted", async (check) => {
  await check("the folder names a server, and is not trusted", () => {
    assert.equal(vscode.workspace.isTrusted, false);
    const settings = fs.readFileSync(inFolder(".vscode", "settings.json").fsPath, "utf8");
    assert.match(settings, /leaves-a-trace/);
    assert.equal(vscode.workspace.getConfiguration("promptblock").get("server.path"), "");
  });

  await check("the bundled server runs in its place", async () => {
    const { document } = await open(inFolder("blocks", "time.promptblock"));
    assert.equal(document.languageId, "promptblock");
    assert.equal((await serverState("running")).origin, "bundled");
    await vscode.commands.executeCommand("promptblock.restartServer");
    assert.equal((await serverState("running")).origin, "bundled");
  });

  await check("the folder's server was never run", () => assert.equal(fs.existsSync(wasRun), false));

  await check("diagnostics come all the same", async () => {
    const { document } = await open(inFolder("blocks", "restricted.promptblock"));
    await until("a diagnostic", () => vscode.languages.getDiagnostics(document.uri).length > 0);
  });

  await check("the manifest says what is restricted", () => {
    const { untrustedWorkspaces } = extension().packageJSON.capabilities;
    assert.equal(untrustedWorkspaces.supported, "limited");
    assert.deepEqual(untrustedWorkspaces.restrictedConfigurations, ["promptblock.server.path"]);
  });
});
