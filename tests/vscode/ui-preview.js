// The preview as an author sees it: VS Code in Chromium on the sound example, with screenshots.
//
// usage: node ui-preview.js ADDRESS PROJECT OUT
//   PROJECT  a copy of examples/chat-bot;  OUT  gets the screenshots
"use strict";
const assert = require("node:assert/strict");
const fs = require("node:fs");
const path = require("node:path");
const { withPage, folderUrl } = require("./lib/browser");
const { Report, until } = require("./lib/report");

const [, , base, project, out] = process.argv;
fs.mkdirSync(out, { recursive: true });
const report = new Report("ui-preview");
const check = (name, body) => report.check(name, body);

const editorLine = (page, text) => page.locator(".editor-instance .view-line", { hasText: text }).first();
const shot = (page, name) => page.screenshot({ path: path.join(out, `${name}.png`) });

async function workbench(page) {
  await page.goto(folderUrl(base, project), { waitUntil: "domcontentloaded" });
  await page.waitForSelector(".explorer-folders-view .monaco-list-row", { timeout: 60_000 });
}

async function quickPick(page, open, text, row) {
  await until(`${row} in the list`, async () => {
    await page.keyboard.press("Escape");
    await page.keyboard.press(open);
    await page.waitForSelector(".quick-input-widget:not([style*='display: none']) input", { timeout: 5_000 });
    await page.keyboard.type(text);
    await page.waitForSelector(`.quick-input-list .monaco-list-row:has-text("${row}")`, { timeout: 3_000 });
    return true;
  }, 60_000);
  await page.keyboard.press("Enter");
}

async function openFile(page, name, text) {
  await quickPick(page, "Control+P", name, name);
  await editorLine(page, text).waitFor({ timeout: 30_000 });
}

/** The frame of the panel's own page; a webview is a frame in a frame. */
async function panel(page) {
  return until("the panel", async () => {
    for (const frame of page.frames()) {
      if ((await frame.locator("#messages .boundary").count().catch(() => 0)) > 0) return frame;
    }
    return undefined;
  }, 30_000);
}

const article = (frame, id) => frame.locator("article", { hasText: id }).first();
const nameOf = (frame, id) => frame.locator(`article[aria-label="chat-bot:${id}"]`);
const inView = (frame, id) => nameOf(frame, id).evaluate((element) => {
  const { top, bottom } = element.getBoundingClientRect();
  return bottom > 0 && top < window.innerHeight;
});

const theme = (name) => {
  fs.mkdirSync(path.join(project, ".vscode"), { recursive: true });
  fs.writeFileSync(path.join(project, ".vscode", "settings.json"), JSON.stringify({ "workbench.colorTheme": name }));
};

async function author(page) {
  await workbench(page);
  await openFile(page, "persona.promptblock", "你读得杂");

  await check("lenses over the block, and the band behind its order", async () => {
    await page.locator(".codelens-decoration", { hasText: /system 3 of 6/ }).first().waitFor({ timeout: 30_000 });
    await page.locator(".codelens-decoration", { hasText: /an edit recomputes/ }).first().waitFor({ timeout: 5_000 });
    await editorLine(page, "order:").locator("span", { hasText: /^persona$/ }).first().waitFor({ timeout: 10_000 });
  });

  await check("tokens in the status bar, by zone", async () => {
    const item = page.locator("#promptblock\\.promptblock\\.promptblock\\.tokens, .statusbar-item", { hasText: /^\s*[\d,]+ \+ [\d,]+/ }).first();
    await item.waitFor({ timeout: 15_000 });
    assert.match(await item.locator("a").first().getAttribute("aria-label"), /System: [\d,]+ tokens/);
  });

  await check("the icon in the title of the editor opens the panel", async () => {
    await page.locator(".editor-actions a[aria-label*='Open Preview to the Side']").first().click();
    const frame = await panel(page);
    assert.equal(await frame.locator("article").count(), 13);
  });
  const frame = await panel(page);

  await check("messages in order, the boundary behind the stable prefix", async () => {
    const order = await frame.locator("#messages > *").evaluateAll((all) =>
      all.map((one) => (one.className.includes("boundary") ? "boundary" : one.querySelector(".role")?.textContent)).filter(Boolean));
    assert.deepEqual(order, ["system", "user", "assistant", "boundary", "user", "user", "user", "user", "user"]);
    assert.match(await frame.locator(".boundary").textContent(), /[\d,]+ tokens, sha256:[0-9a-f]{12}/);
  });

  await check("values are marked, and say which tag they stand for", async () => {
    const value = nameOf(frame, "identity").locator(".value").first();
    assert.equal(await value.textContent(), "阿桂");
    assert.match(await value.getAttribute("title"), /\{character_name\}/);
  });

  await check("the block under the cursor is highlighted and in view", async () => {
    await until("persona is current", async () => (await frame.locator("article.current").getAttribute("aria-label")) === "chat-bot:persona");
    assert.ok(await inView(frame, "persona"));
  });
  await page.waitForTimeout(1000);
  await shot(page, "1-preview");

  await check("typing changes the block's text and no other element", async () => {
    await frame.evaluate(() => {
      for (const one of document.querySelectorAll("article, section, .boundary, h2")) one.dataset.seen = "yes";
      document.querySelector("[aria-label='chat-bot:identity'] div.text").dataset.seen = "yes";
    });
    await editorLine(page, "你读得杂").click();
    await page.keyboard.press("Home");
    await page.keyboard.type("真的", { delay: 40 });
    await nameOf(frame, "persona").locator("div.text", { hasText: "真的你读得杂" }).waitFor({ timeout: 5_000 });
    const fresh = await frame.locator("article:not([data-seen]), section:not([data-seen]), .boundary:not([data-seen]), h2:not([data-seen])").count();
    assert.equal(fresh, 0, "no article or message is a new element");
    assert.equal(await nameOf(frame, "identity").locator("div.text").getAttribute("data-seen"), "yes");
  });

  await check("what a block says stays text, however it looks", async () => {
    await page.keyboard.type("<img src=x onerror=alert(1)><script>document.title='!'</script>");
    await nameOf(frame, "persona").locator("div.text", { hasText: "<img src=x" }).waitFor({ timeout: 5_000 });
    assert.equal(await frame.locator("img, #messages script").count(), 0);
    assert.notEqual(await frame.evaluate(() => document.title), "!");
    const policy = await frame.locator("meta[http-equiv='Content-Security-Policy']").getAttribute("content");
    assert.match(policy, /^default-src 'none';/);
    assert.doesNotMatch(policy, /unsafe|\*(?!\.)/);
  });
  await quickPick(page, "F1", "File: Revert File", "Revert File");
  await editorLine(page, "你读得杂").waitFor({ timeout: 10_000 });

  await check("a click on a value leads to its tag", async () => {
    await nameOf(frame, "scene").locator(".value").first().click();
    await editorLine(page, "{shop_name}开在老街尽头").waitFor({ timeout: 10_000 });
    await until("scene is current", async () => (await frame.locator("article.current").getAttribute("aria-label")) === "chat-bot:scene");
    await frame.locator("article.current .here").waitFor({ timeout: 5_000 });
  });

  await check("the keyboard: arrows from block to block, Enter to the source", async () => {
    await nameOf(frame, "safety").focus();
    await page.keyboard.press("ArrowDown");
    assert.equal(await frame.evaluate(() => document.activeElement?.getAttribute("aria-label")), "chat-bot:persona");
    await page.keyboard.press("Enter");
    await editorLine(page, "你读得杂").waitFor({ timeout: 10_000 });
  });

  await check("a second environment: what the pin holds, and what it saves", async () => {
    await frame.locator("#environment").selectOption("=group");
    await frame.locator("#then").selectOption("=private");
    await frame.locator("#pin").waitFor({ timeout: 10_000 });
    await frame.locator("article", { hasText: "2026/11/30 21:40" }).first().waitFor({ timeout: 10_000 });
  });
  await page.waitForTimeout(500);
  await shot(page, "2-pin");
  await frame.locator("#then").selectOption("");
  await until("no pin", async () => (await frame.locator("#pin").count()) === 0);

  await check("after a reload of the window the panel is back, at the same environment", async () => {
    await frame.locator("#environment").selectOption("=private");
    await frame.locator("article", { hasText: "单独找你" }).first().waitFor({ timeout: 10_000 });
    await page.waitForTimeout(500);
    const before = frame.url();
    await quickPick(page, "F1", "Developer: Reload Window", "Reload Window");
    await until("the old page is gone", async () => !page.frames().some((one) => one.url() === before));
    const again = await panel(page);
    await until("private", async () => (await again.locator("#environment").inputValue()) === "=private");
    await again.locator("#environment").selectOption("=group");
    await page.waitForTimeout(1500);
  });

  // With the text wide enough for the lens.
  await page.keyboard.press("Control+B");
  for (const [name, kind, colours] of [
    ["3-light", "vscode-light", "Default Light Modern"],
    ["4-high-contrast", "vscode-high-contrast", "Default High Contrast"],
    ["5-dark", "vscode-dark", "Default Dark Modern"],
  ]) {
    theme(colours);
    const shown = await panel(page);
    await check(`in ${colours}: text and ground differ, and the boundary shows`, async () => {
      await until("the theme", () => shown.evaluate((wanted) => document.body.classList.contains(wanted), kind));
      const [text, ground, line] = await shown.evaluate(() => {
        const body = getComputedStyle(document.body);
        return [body.color, body.backgroundColor, getComputedStyle(document.querySelector(".boundary")).color];
      });
      assert.notEqual(text, ground);
      assert.notEqual(line, ground);
    });
    await page.waitForTimeout(1500);
    await shot(page, name);
  }
  const last = await panel(page);
  await editorLine(page, "不懂的就承认").click();
  await page.waitForTimeout(500);
  await last.evaluate(() => document.querySelector(".boundary").scrollIntoView({ block: "end" }));
  await page.waitForTimeout(500);
  await shot(page, "7-boundary");
}

/** 1,000 blocks with 1 MB of system text. */
function writeLarge(folder) {
  fs.mkdirSync(path.join(folder, "blocks"), { recursive: true });
  fs.writeFileSync(path.join(folder, "promptblock.toml"), "[budget]\nsystem = 1000\n");
  fs.writeFileSync(path.join(folder, "promptblock.catalog.json"), '{"variables": {"who": {"example": "阿桂"}}}');
  for (let number = 0; number < 1000; number++) {
    const head = `---\nid: large:block-${number}\nzone: system\norder: ${(number % 600) - 300}\ntemplate: true\n---\n`;
    const text = `Block ${number} for {who}. 回答时优先给出结论。\n`;
    fs.writeFileSync(path.join(folder, "blocks", `block-${number}.promptblock`), head + text.repeat(Math.ceil(1000 / text.length)));
  }
}

async function large(page) {
  const folder = path.join(project, "..", "large");
  writeLarge(folder);
  await page.goto(folderUrl(base, folder), { waitUntil: "domcontentloaded" });
  await page.waitForSelector(".explorer-folders-view .monaco-list-row", { timeout: 60_000 });
  await openFile(page, "block-500.promptblock", "Block 500 for");
  await page.keyboard.press("Control+K");
  await page.keyboard.press("v");
  const frame = await panel(page);
  const name = "[aria-label='large:block-500']";

  await check("1,000 blocks: all are there, and the open one is in view", async () => {
    await until("all blocks", async () => (await frame.locator("article").count()) === 1000, 30_000);
    await until("it is in view", () => frame.locator(name).evaluate((element) => {
      const { top, bottom } = element.getBoundingClientRect();
      return bottom > 0 && top < window.innerHeight;
    }));
  });

  await check("1,000 blocks: the budget is exceeded, in the panel and in the status bar", async () => {
    await frame.locator("#bar .over", { hasText: "1,000" }).waitFor({ timeout: 10_000 });
    await page.locator(".statusbar-item.warning-kind", { hasText: /\/1,000/ }).first().waitFor({ timeout: 10_000 });
  });

  await check("1,000 blocks: what is typed shows at once, and nothing else moves", async () => {
    await editorLine(page, "Block 500 for").click();
    await page.keyboard.press("Home");
    const times = [];
    await frame.evaluate((name) => {
      globalThis.moved = 0;
      new MutationObserver((changes) => (globalThis.moved += changes.length)).observe(document.querySelector("#messages"), { childList: true });
      globalThis.untouched = new Set([...document.querySelectorAll("article")].filter((one) => !one.matches(name)).map((one) => one.lastChild));
    }, name);
    for (let number = 0; number < 20; number++) {
      const scroll = await frame.evaluate(() => window.scrollY);
      const seen = frame.evaluate(([name, number]) => new Promise((resolve) => {
        const text = () => document.querySelector(`${name} .text`).textContent;
        const look = () => (text().startsWith("x".repeat(number + 1)) ? resolve(Date.now()) : setTimeout(look, 1));
        look();
      }), [name, number]);
      const typed = Date.now();
      await page.keyboard.type("x");
      times.push((await seen) - typed);
      assert.equal(await frame.evaluate(() => window.scrollY), scroll, "the panel does not move");
    }
    times.sort((a, b) => a - b);
    console.log(`NOTE ui-preview: 1,000 blocks, from the key to the panel: median ${times[10]} ms, longest ${times.at(-1)} ms`);
    assert.ok(times[10] < 1000, `${times}`);
    const gone = await frame.evaluate(() => [...globalThis.untouched].filter((one) => !one.isConnected).length);
    assert.equal(gone, 0, "no other block was drawn anew");
    assert.equal(await frame.evaluate(() => globalThis.moved), 0, "no message was moved");
  });
  await shot(page, "8-large");

  await check("a refused assembly says why, and leads there", async () => {
    fs.copyFileSync(path.join(folder, "blocks", "block-7.promptblock"), path.join(folder, "blocks", "copy.promptblock"));
    const alert = frame.locator("[role=alert]");
    await alert.waitFor({ timeout: 15_000 });
    await shot(page, "9-refused");
    await alert.locator("button").first().click();
    await editorLine(page, "id: large:block-7").waitFor({ timeout: 10_000 });
    await page.locator(".statusbar-item.error-kind", { hasText: "no assembly" }).first().waitFor({ timeout: 10_000 });
    fs.rmSync(path.join(folder, "blocks", "copy.promptblock"));
    await until("all blocks", async () => (await frame.locator("article").count()) === 1000, 15_000);
  });
}

async function inChinese(page) {
  await workbench(page);
  await openFile(page, "persona.promptblock", "你读得杂");
  await check("in Chinese: lens, panel and status", async () => {
    await page.locator(".codelens-decoration", { hasText: /系统区第 3 块，共 6 块/ }).first().waitFor({ timeout: 30_000 });
    await quickPick(page, "F1", "在侧边打开预览", "在侧边打开预览");
    const frame = await panel(page);
    await frame.locator(".boundary", { hasText: "稳定前缀到此为止" }).waitFor({ timeout: 10_000 });
    await frame.locator("#bar", { hasText: "环境" }).waitFor({ timeout: 5_000 });
  });
  await page.waitForTimeout(1500);
  await shot(page, "6-chinese");
}

(async () => {
  await withPage(author);
  await withPage(large);
  await withPage(inChinese, "zh-cn");
  process.exit(report.failed > 0 ? 1 : 0);
})().catch((error) => {
  report.line("the browser", error);
  process.exit(2);
});
