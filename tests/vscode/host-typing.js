// What happens to the text while one types: the closer behind a finished tag. Needs no server.
"use strict";
const assert = require("node:assert/strict");
const { vscode, until, setting, suite } = require("./lib/in-host");

const HEADER = "---\nid: a:b\nzone: context\norder: 1\ntemplate: true\n---\n";

/** A new block with the cursor at the `|` of its body. */
async function block(body, header = HEADER, language = "promptblock") {
  const bar = body.indexOf("|");
  const content = header + body.slice(0, bar) + body.slice(bar + 1);
  const document = await vscode.workspace.openTextDocument({ language, content });
  const editor = await vscode.window.showTextDocument(document);
  const cursor = document.positionAt(header.length + bar);
  editor.selection = new vscode.Selection(cursor, cursor);
  return {
    document,
    text: () => document.getText().slice(header.length),
    /** The body, with the cursor as `|`. It is typed there: after a snippet the API still reports the cursor of before. */
    async body() {
      await type("|");
      return until("the mark", () => document.getText().includes("|") && document.getText().slice(header.length));
    },
    close: () => vscode.commands.executeCommand("workbench.action.revertAndCloseActiveEditor"),
  };
}

async function type(text) {
  for (const letter of text) await vscode.commands.executeCommand("type", { text: letter });
}

const settle = () => new Promise((resolve) => setTimeout(resolve, 400));

exports.run = suite("typing", async (check) => {
  // The editor does so only where it has coloured the text already, and does not tell when it has.
  const brackets = [
    ["|", "{", "{|}"],
    ["你好|。", "{", "你好{|}。"],
    ["|", "{name", "{name|}"],
    ["|", "(", "(|)"],
  ];
  for (const [before, typed, after] of brackets) {
    await check(`brackets: ${before} and ${typed}`, async () => {
      await until(after, async () => {
        const editor = await block(before);
        await settle();
        await type(typed);
        const body = await editor.body();
        await editor.close();
        if (body !== after) throw new Error(body);
        return true;
      });
    });
  }

  const cases = [
    // what is there, what is typed, what becomes of it
    ["|", "{if is_group}", "{if is_group}|{/if}"],
    ["你好 👩‍👩‍👧 |。", "{if 天气}", "你好 👩‍👩‍👧 {if 天气}|{/if}。"],
    ["|", "{for m in members}", "{for m in members}|{/for}"],
    ["|", "{while a < 3}", "{while a < 3}|{/while}"],
    ["|", "{repeat 3}", "{repeat 3}|{/repeat}"],
    ["{if a}|{/if}", "{if b}", "{if a}{if b}|{/if}{/if}"],
    ["|一些话{/if}", "{if b}", "{if b}|一些话{/if}"],
    ["|", "{name}", "{name}|"],
    ["|", "{else}", "{else}|"],
  ];
  for (const [before, typed, after] of cases) {
    await check(`${before} and ${typed}`, async () => {
      const editor = await block(before);
      await type(typed);
      await settle();
      assert.equal(await editor.body(), after);
      await editor.close();
    });
  }

  await check("one undo takes the closer away, and redo brings it back", async () => {
    const editor = await block("|");
    await type("{if x}");
    await until("the closer", () => editor.text() === "{if x}{/if}");
    await vscode.commands.executeCommand("undo");
    await until("no closer", () => editor.text() === "{if x}");
    await vscode.commands.executeCommand("redo");
    await until("the closer again", () => editor.text() === "{if x}{/if}");
    await vscode.commands.executeCommand("undo");
    await settle();
    assert.equal(await editor.body(), "{if x}|");
    await editor.close();
  });

  await check("typing on at once stays between the tags", async () => {
    const editor = await block("|");
    await Promise.all([..."{if x}好的"].map((letter) => vscode.commands.executeCommand("type", { text: letter })));
    await settle();
    // Whoever is faster than the closer goes without it, but must not find their text behind it.
    assert.match(await editor.body(), /^\{if x\}好的\|(\{\/if\})?$/);
    await editor.close();
  });

  await check("a tag that comes in one piece, as a paste does, gets nothing", async () => {
    const editor = await block("|");
    const active = vscode.window.activeTextEditor;
    await active.edit((edit) => edit.insert(active.selection.active, "{if x}"));
    await settle();
    assert.equal(editor.text(), "{if x}");
    await editor.close();
  });

  await check("nothing where the template is off", async () => {
    for (const header of ["---\nid: a:b\nzone: context\norder: 1\n---\n", "no header\n"]) {
      const editor = await block("|", header);
      await type("{if x}");
      await settle();
      assert.equal(await editor.body(), "{if x}|");
      await editor.close();
    }
  });

  await check("nothing in other languages", async () => {
    const editor = await block("|", HEADER, "plaintext");
    await type("{if x}");
    await settle();
    assert.doesNotMatch(editor.document.getText(), /\{\/if\}/);
    await editor.close();
  });

  await check("nothing when switched off", async () => {
    await setting("autoCloseTags", false);
    try {
      const editor = await block("|");
      await type("{if x}");
      await settle();
      assert.equal(await editor.body(), "{if x}|");
      await editor.close();
    } finally {
      await setting("autoCloseTags", undefined);
    }
  });

  await check("in a long file too, with CRLF", async () => {
    const long = "一行话。\r\n".repeat(6_000);
    const editor = await block(`${long}|\r\n${long}`, HEADER.replaceAll("\n", "\r\n"));
    await type("{if x}");
    await until("the closer", () => editor.document.getText().includes("\r\n{if x}{/if}\r\n"));
    await editor.close();
  });
});
