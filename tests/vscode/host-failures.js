// Servers that cannot be started, or do not stay. Each must be told apart, and be over once the setting is right.
"use strict";
const assert = require("node:assert/strict");
const fs = require("node:fs");
const { vscode, until, inFolder, open, extension, serverState, setting, suite } = require("./lib/in-host");

const program = (name) => inFolder("programs", name).fsPath;

/** The server that is a child of this extension host. */
function serverProcess() {
  for (const pid of fs.readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      const parent = / \(.*\) \S (\d+) /s.exec(` ${fs.readFileSync(`/proc/${pid}/stat`, "utf8")}`)[1];
      const isServer = fs.readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("/server/promptblock\0lsp\0");
      if (isServer && Number(parent) === process.pid) return Number(pid);
    } catch {
      // Gone meanwhile.
    }
  }
  return undefined;
}

exports.run = suite("failures", async (check) => {
  await open(inFolder("blocks", "time.promptblock"));
  await serverState("running");

  const failing = [
    ["nothing there", program("no-such-file"), { reason: "notFound", located: "missing" }],
    ["a folder", inFolder("programs").fsPath, { reason: "notFound", located: "folder" }],
    ["not executable", program("not-executable"), { reason: "notFound", located: "notExecutable" }],
    ["a relative path", "programs/leaves-a-trace", { reason: "notFound", located: "notAbsolute" }],
    ["not a program", program("not-a-program"), { reason: "cannotRun" }],
    ["another program", program("other-program"), { reason: "notPromptblock", output: "hello 1.0" }],
    ["too old", program("too-old"), { reason: "tooOld", version: "0.0.9" }],
    ["ends at its start", program("ends-at-start"), { reason: "crashed", code: 7, times: 1 }],
    ["refuses to initialize", program("refuses"), { reason: "initialize" }],
    ["falls over each time", program("falls"), { reason: "crashed", code: 9, times: 5 }],
  ];
  for (const [what, path, expected] of failing) {
    await check(what, async () => {
      await setting("server.path", path);
      const { failure } = await until(expected.reason, async () => {
        const state = await serverState("failed");
        return state.failure.reason === expected.reason && state;
      }, 30_000);
      const { located, ...rest } = failure;
      assert.deepEqual({ ...rest, ...(located && { located: located.reason }) }, { ...rest, ...expected });
      assert.ok((failure.path ?? located.path).length > 0);
    });
  }

  await check("all is well again once the setting is", async () => {
    await setting("server.path", undefined);
    assert.equal((await serverState("running")).origin, "bundled");
  });

  await check("a server that was killed is started again", async () => {
    const first = await until("its process", serverProcess);
    process.kill(first, "SIGKILL");
    const second = await until("another process", () => {
      const now = serverProcess();
      return now !== first && now;
    });
    assert.notEqual(second, first);
    await serverState("running");
  });

  await check("one server at a time, however often it is restarted", async () => {
    await Promise.all([1, 2, 3].map(() => vscode.commands.executeCommand("promptblock.restartServer")));
    await serverState("running");
    const children = new Set();
    for (let look = 0; look < 20; look++) {
      children.add(serverProcess());
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    assert.equal(children.size, 1);
  });

  await check("the commands exist", async () => {
    const all = await vscode.commands.getCommands(true);
    for (const { command } of extension().packageJSON.contributes.commands) assert.ok(all.includes(command), command);
    // Neither waits for an answer of the user.
    await vscode.commands.executeCommand("promptblock.showLog");
    await vscode.commands.executeCommand("promptblock.showVersion");
  });
});
