// A Chromium to look at VS Code with. PLAYWRIGHT names the driver's folder, CHROMIUM the program; run.sh sets both.
"use strict";
const { chromium } = require(process.env.PLAYWRIGHT);

const QUIET = [
  "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
  "--disable-background-networking", "--disable-component-update", "--disable-sync",
];

/**
 * Runs `use` with a fresh page. With CONSOLE set, what the page writes to its console is shown.
 * `language` is the display language that extensions are told; the editor's own texts would need a language pack.
 */
exports.withPage = async (use, language) => {
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: QUIET });
  try {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
    const page = await context.newPage();
    if (process.env.CONSOLE) page.on("console", (line) => console.log("  [page]", line.type(), line.text().slice(0, 300)));
    if (language) await page.addInitScript((name) => void (globalThis._VSCODE_NLS_LANGUAGE = name), language);
    return await use(page);
  } finally {
    await browser.close();
  }
};

exports.folderUrl = (base, folder) => `${base}/?folder=${encodeURIComponent(folder)}`;
