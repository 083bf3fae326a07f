// What an author sees: VS Code in Chromium on the example projects, with screenshots.
//
// usage: node ui.js ADDRESS EXAMPLES BROKEN OUT
//   EXAMPLES  a copy of the example projects;  BROKEN  a project whose settings name a server that is not there;
//   OUT       gets the screenshots
"use strict";
const assert = require("node:assert/strict");
const fs = require("node:fs");
const path = require("node:path");
const { withPage, folderUrl } = require("./lib/browser");
const { Report, until } = require("./lib/report");

const [, , base, examples, broken, out] = process.argv;
fs.mkdirSync(out, { recursive: true });
const report = new Report("ui");
const check = (name, body) => report.check(name, body);

const editorLine = (page, text) => page.locator(".editor-instance .view-line", { hasText: text }).first();
const shot = (page, name) => page.screenshot({ path: path.join(out, `${name}.png`) });

async function workbench(page, folder) {
  await page.goto(folderUrl(base, folder), { waitUntil: "domcontentloaded" });
  await page.waitForSelector(".explorer-folders-view .monaco-list-row", { timeout: 60_000 });
}

/** Opens a file by its name with Quick Open, as one would with the keyboard. */
async function openFile(page, name, text) {
  await until(`${name} in the quick pick`, async () => {
    await page.keyboard.press("Escape");
    await page.keyboard.press("Control+P");
    await page.waitForSelector(".quick-input-widget:not([style*='display: none']) input", { timeout: 5_000 });
    await page.keyboard.type(name);
    await page.waitForSelector(`.quick-input-list .monaco-list-row:has-text("${name}")`, { timeout: 3_000 });
    return true;
  }, 60_000);
  await page.keyboard.press("Enter");
  await editorLine(page, text).waitFor({ timeout: 30_000 });
}

/** The box of some text within a line of the editor, found by the characters themselves and not by the coloured pieces. */
async function boxOf(page, lineText, wanted) {
  return editorLine(page, lineText).evaluate((line, wanted) => {
    const walker = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
    const pieces = [];
    while (walker.nextNode()) pieces.push(walker.currentNode);
    const start = pieces.map((piece) => piece.data).join("").replaceAll("\u00a0", " ").indexOf(wanted);
    const locate = (offset) => {
      for (const piece of pieces) {
        if (offset <= piece.data.length) return [piece, offset];
        offset -= piece.data.length;
      }
    };
    const range = document.createRange();
    range.setStart(...locate(start));
    range.setEnd(...locate(start + wanted.length));
    const { x, y, width, height } = range.getBoundingClientRect();
    return { x, y, width, height };
  }, wanted);
}

async function hover(page, lineText, wanted) {
  const { x, y, width, height } = await boxOf(page, lineText, wanted);
  await page.mouse.move(x + width / 2 + 30, y + height / 2 + 60);
  await page.mouse.move(x + width / 2, y + height / 2, { steps: 4 });
}

/** The colours of the text of a line, piece by piece. */
const colours = (page, text) =>
  editorLine(page, text).evaluate((line) =>
    [...line.querySelectorAll("span > span")].map((piece) => ({ text: piece.textContent.replaceAll("\u00a0", " "), colour: getComputedStyle(piece).color })),
  );
const colourOf = (pieces, text) => pieces.find((piece) => piece.text.includes(text))?.colour;

async function author(page) {
  await workbench(page, examples);
  await openFile(page, "clock-in-system.promptblock", "查库存");

  await check("a squiggle under the variable that breaks the cache, and under nothing else", async () => {
    const squiggle = page.locator(".editor-instance .squiggly-error");
    await squiggle.first().waitFor({ timeout: 30_000 });
    await until("the squiggle is under the name", async () => {
      const name = await boxOf(page, "查库存", "time");
      const boxes = await Promise.all((await squiggle.all()).map((one) => one.boundingBox()));
      const under = boxes.length === 1 && Math.abs(boxes[0].x - name.x) < 3 && Math.abs(boxes[0].width - name.width) < 4;
      if (!under) throw new Error(`name ${JSON.stringify(name)}, squiggles ${JSON.stringify(boxes)}`);
      return true;
    });
  });
  await shot(page, "1-squiggle");

  await check("colours: header, tag and prose differ", async () => {
    const pieces = await until("coloured text", async () => {
      const now = [...(await colours(page, "zone:")), ...(await colours(page, "查库存"))];
      return new Set(now.map((piece) => piece.colour)).size >= 3 && now;
    });
    fs.writeFileSync(path.join(out, "colours.json"), JSON.stringify(pieces, null, 1));
    const prose = colourOf(pieces, "查库存");
    assert.notEqual(colourOf(pieces, "time"), prose);
    assert.notEqual(colourOf(pieces, "zone"), prose);
  });

  await check("its message in the list of problems", async () => {
    await page.keyboard.press("Control+Shift+M");
    const row = page.locator(".markers-panel .monaco-list-row", { hasText: "mutable-in-system" });
    await row.first().waitFor({ timeout: 15_000 });
    assert.match(await row.first().textContent(), /time/);
  });
  await shot(page, "2-problems");
  await page.keyboard.press("Control+Shift+M");

  await check("a hover over the order names the band", async () => {
    await hover(page, "order:", "120");
    await page.locator(".monaco-hover:visible", { hasText: /tool guidance/i }).first().waitFor({ timeout: 15_000 });
  });
  await shot(page, "3-hover-order");
  await page.keyboard.press("Escape");
  await page.mouse.move(640, 700);

  await check("a hover over the variable shows what is wrong with it and what it is", async () => {
    await hover(page, "查库存", "time");
    await page.locator(".monaco-hover:visible", { hasText: "当前本地时间" }).first().waitFor({ timeout: 15_000 });
  });
  await shot(page, "4-hover-variable");
  await page.keyboard.press("Escape");
  await page.mouse.move(640, 700);

  await check("completion behind a brace: the catalog, with `time` marked as not allowed here", async () => {
    await editorLine(page, "查库存").click();
    await page.keyboard.press("End");
    await page.keyboard.press("Enter");
    // No faster than a person: the editor closes brackets only where it has coloured the text already.
    await page.waitForTimeout(500);
    await page.keyboard.type("{");
    await editorLine(page, "{}").waitFor({ timeout: 5_000 });
    const list = page.locator(".suggest-widget.visible");
    await list.locator(".monaco-list-row", { hasText: "character_name" }).waitFor({ timeout: 15_000 });
    const time = list.locator(".monaco-list-row", { hasText: /^\s*time/ });
    await time.waitFor({ timeout: 15_000 });
    assert.match(await time.getAttribute("aria-label"), /not allowed/i);
  });
  await page.waitForTimeout(500);
  await shot(page, "5-completion");

  await check("a chosen variable is put into the braces, and is no error", async () => {
    await page.keyboard.type("char");
    await page.locator(".suggest-widget.visible .monaco-list-row.focused", { hasText: "character_name" }).waitFor({ timeout: 15_000 });
    await page.keyboard.press("Enter");
    await editorLine(page, "{character_name}").waitFor({ timeout: 5_000 });
    await page.waitForTimeout(500);
    assert.equal(await page.locator(".editor-instance .squiggly-error").count(), 1);
  });
  await shot(page, "6-inserted");

  await check("typing the brace of an opening tag brings its closer", async () => {
    await page.keyboard.press("End");
    await page.keyboard.press("Enter");
    await page.waitForTimeout(500);
    await page.keyboard.type("{if character_name", { delay: 20 });
    await editorLine(page, "{if character_name}").waitFor({ timeout: 5_000 });
    await page.keyboard.press("Escape");
    await page.keyboard.type("}");
    await editorLine(page, "{if character_name}{/if}").waitFor({ timeout: 5_000 });
  });
  await check("a name has one colour, in a condition too", async () => {
    await until("the same colour", async () => {
      const [alone] = (await colours(page, "{character_name}")).filter((piece) => piece.text.includes("character_name"));
      return colourOf(await colours(page, "{if character_name}"), "character_name") === alone.colour;
    });
  });
  await shot(page, "7-closer");

  await check("the sound example has colours and no squiggle", async () => {
    await openFile(page, "group.promptblock", "消息刷得快");
    await until("coloured keywords", async () => new Set((await colours(page, "{if member_count")).map((piece) => piece.colour)).size >= 3);
    await page.waitForTimeout(1000);
    assert.equal(await page.locator(".editor-instance [class*='squiggly']").count(), 0);
  });
  await shot(page, "8-sound");
}

async function withoutServer(page) {
  await workbench(page, broken);
  await openFile(page, "group.promptblock", "消息刷得快");

  await check("no server: the status bar says so", async () => {
    const item = page.locator(".statusbar-item.error-kind", { hasText: "Prompt Block" });
    await item.waitFor({ timeout: 30_000 });
    assert.match(await item.locator("a").getAttribute("aria-label"), /no-such-server/);
  });

  await check("no server: a message says why and offers the log and the settings", async () => {
    const message = page.locator(".notification-toast", { hasText: "no-such-server" });
    await message.waitFor({ timeout: 15_000 });
    for (const button of ["Show Log", "Open Settings", "Restart Server"]) {
      await message.locator(".monaco-button", { hasText: button }).waitFor({ timeout: 5_000 });
    }
  });
  await shot(page, "9-no-server");

  await check("no server: the button leads to the setting", async () => {
    await page.locator(".notification-toast .monaco-button", { hasText: "Open Settings" }).click();
    await page.locator(".settings-editor", { hasText: "Server: Path" }).waitFor({ timeout: 20_000 });
  });
  await shot(page, "10-settings");

  await check("no server: the grammar alone still colours", async () => {
    await openFile(page, "group.promptblock", "消息刷得快");
    const tag = await until("coloured tags", async () => {
      const now = await colours(page, "{if member_count");
      return new Set(now.map((piece) => piece.colour)).size >= 3 && now;
    });
    const [prose] = await colours(page, "消息刷得快");
    assert.notEqual(colourOf(tag, "if"), prose.colour);
  });
  await shot(page, "11-grammar-only");
}

async function inChinese(page) {
  await workbench(page, examples);
  await openFile(page, "clock-in-system.promptblock", "查库存");
  await check("in Chinese: the message of a problem", async () => {
    await page.keyboard.press("Control+Shift+M");
    const row = page.locator(".markers-panel .monaco-list-row", { hasText: "mutable-in-system" }).first();
    await row.waitFor({ timeout: 15_000 });
    assert.match(await row.textContent(), /\p{Script=Han}{4,}/u);
  });
  await page.waitForTimeout(3000);
  await shot(page, "12-chinese");

  await workbench(page, broken);
  await check("in Chinese: the extension's own messages", async () => {
    const message = page.locator(".notification-toast", { hasText: "没有这个文件" });
    await message.waitFor({ timeout: 30_000 });
    for (const button of ["显示日志", "打开设置", "重启服务器"]) {
      await message.locator(".monaco-button", { hasText: button }).waitFor({ timeout: 5_000 });
    }
  });
  await check("in Chinese: the commands", async () => {
    await page.keyboard.press("F1");
    await page.keyboard.type("Prompt Block");
    for (const title of ["重启服务器", "显示日志", "显示版本"]) {
      await page.locator(".quick-input-list .monaco-list-row", { hasText: title }).waitFor({ timeout: 10_000 });
    }
  });
  await shot(page, "13-chinese-no-server");
}

(async () => {
  await withPage(author);
  await withPage(withoutServer);
  await withPage(inChinese, "zh-cn");
  process.exit(report.failed > 0 ? 1 : 0);
})().catch((error) => {
  report.line("the browser", error);
  process.exit(2);
});
