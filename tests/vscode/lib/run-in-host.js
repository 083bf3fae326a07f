// Runs a module inside VS Code's extension host, where it has the whole `vscode` API, and ends with its result.
//
// usage: node run-in-host.js ADDRESS FOLDER EXTENSION MODULE
//   ADDRESS    of a running serve.sh; FOLDER is opened; EXTENSION is the unpacked extension under test;
//   MODULE     exports `run`, whose rejection is a failure
"use strict";
const { withPage, folderUrl } = require("./browser");

const [, , base, folder, extension, module_] = process.argv;
const PATIENCE_MS = 240_000;

// VS Code takes the tests from the page's configuration (`developmentOptions`), read when its own script starts. A
// build made for users ignores the query parameters for it, so the configuration is completed in the page before that.
function addTests({ authority, extension, tests }) {
  const uri = (path) => ({ scheme: "vscode-remote", authority, path });
  const complete = () => {
    const element = document.getElementById("vscode-workbench-web-configuration");
    if (!element || element.dataset.completed) return;
    const settings = JSON.parse(element.getAttribute("data-settings"));
    settings.developmentOptions = { ...settings.developmentOptions, extensions: [uri(extension)], extensionTestsPath: uri(tests) };
    element.setAttribute("data-settings", JSON.stringify(settings));
    element.dataset.completed = "yes";
  };
  new MutationObserver(complete).observe(document, { childList: true, subtree: true });
}

withPage(async (page) => {
  let ended;
  const end = new Promise((resolve) => (ended = resolve));
  // The editor itself is talkative; only the lines of the tests are of interest, unless one looks for a fault.
  await page.exposeFunction("codeAutomationLog", (type, args) => {
    if (process.env.CONSOLE || /^(PASS|FAIL|NOTE) /.test(String(args[0]))) console.log(...args);
  });
  await page.exposeFunction("codeAutomationExit", (code) => ended(code));
  await page.addInitScript(addTests, { authority: new URL(base).host, extension, tests: module_ });
  await page.goto(folderUrl(base, folder));
  const late = new Promise((resolve) => setTimeout(() => resolve("late"), PATIENCE_MS));
  const code = await Promise.race([end, late]);
  if (code === "late") console.log(`FAIL ${module_}: no end within ${PATIENCE_MS / 1000} s`);
  return code === 0 ? 0 : 1;
}).then(
  (code) => process.exit(code),
  (error) => {
    console.error(error);
    process.exit(2);
  },
);
