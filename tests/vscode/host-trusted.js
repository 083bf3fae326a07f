// The counterpart of host-restricted.js: the same folder, trusted, may name its server.
"use strict";
const assert = require("node:assert/strict");
const fs = require("node:fs");
const { vscode, inFolder, open, serverState, suite } = require("./lib/in-host");

exports.run = suite("trusted", async (check) => {
  await check("the folder's own server runs", async () => {
    assert.equal(vscode.workspace.isTrusted, true);
    await open(inFolder("blocks", "time.promptblock"));
    const state = await serverState("running");
    assert.equal(state.origin, "setting");
    assert.equal(state.version, "99.0.0");
    assert.match(fs.readFileSync(inFolder("programs", "was-run").fsPath, "utf8"), /lsp/);
  });
});
