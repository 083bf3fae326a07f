import assert from "node:assert/strict";
import { test } from "node:test";
import { closerFor } from "./closingTag";

const HEADER = "---\nid: a:b\nzone: context\norder: 1\ntemplate: true\n---\n";

/** `|` marks the cursor, behind the brace just typed. */
function closer(marked: string, header = HEADER): string | undefined {
  const text = header + marked;
  const offset = text.lastIndexOf("|");
  return closerFor(text.slice(0, offset) + text.slice(offset + 1), offset);
}

const gets: [string, string][] = [
  ["{if x}|", "{/if}"],
  ["{ if x }|", "{/if}"],
  ["你好，{if is_group == true}|😀 群里", "{/if}"],
  ["{if 天气.温度 >= -3.5}|", "{/if}"],
  [`{if user_name == "a } b"}|`, "{/if}"],
  ["{for m in members}|", "{/for}"],
  ["{while mood != 'calm'}|", "{/while}"],
  ["{repeat 3}|", "{/repeat}"],
  ["{repeat count}|", "{/repeat}"],
  ["{if a}x{/if}{if b}|", "{/if}"],
  ["{if a}\n{if b}|\n{/if}", "{/if}"],
  ["{if a}{for x in l}|{/if}", "{/for}"],
  ["{/if}{if a}|", "{/if}"],
  ["{{{if a}|", "{/if}"],
  ['{"json": {"a": 1}} {if a}|', "{/if}"],
  ["{if it's late}{/if}{if a}|", "{/if}"],
  ["e\u0301👩‍👩‍👧{if 名}|", "{/if}"],
];
for (const [text, expected] of gets) {
  test(`closes ${text}`, () => assert.equal(closer(text), expected));
}

const nothing: string[] = [
  "{name}|",
  "{/if}|",
  "{else}|",
  "{if a}{elseif b}|{/if}",
  "{if}|",
  "{if }|",
  "{if a >}|",
  "{if in doubt, ask}|",
  "{if.x}|",
  "{iffy}|",
  "{for in members}|",
  "{for a.b in members}|",
  "{for x of members}|",
  "{repeat}|",
  "{repeat true}|",
  "{{if x}|",
  "{if x}|{/if}",
  "{if x}|\n一些话\n{/if}",
  "{if a}{if b}|{/if}{/if}",
  '{"a": {if x}|}',
  "{ {if x}| }",
  "}|",
  "plain }|",
];
for (const text of nothing) {
  test(`leaves ${text}`, () => assert.equal(closer(text), undefined));
}

test("only where the header switches the template on", () => {
  const off = ["", "no header\n", "---\nid: a\n", "---\nid: a\n---\n", "---\ntemplate: false\n---\n", "---\ntemplate: yes\n---\n", "---\n# template: true\n---\n", "---\nx: {template: true}\n---\n"];
  for (const header of off) assert.equal(closer("{if x}|", header), undefined, JSON.stringify(header));
  const on = ["---\ntemplate: true\n---\n", "\uFEFF---\r\nid: a\r\ntemplate: true  # on\r\n---\r\n", "--- \ntemplate : True\n---  \n", "---\rtemplate: true\r---\r"];
  for (const header of on) assert.equal(closer("{if x}|", header), "{/if}", JSON.stringify(header));
});

test("not inside the header", () => {
  const text = "---\ntemplate: true\ndescription: {if x}";
  assert.equal(closerFor(`${text}\n---\n`, text.length), undefined);
});

test("a large text of nothing but braces takes no time", () => {
  const text = `${HEADER}${"{ ".repeat(60_000)}{if x}`;
  const started = performance.now();
  closerFor(text, text.length);
  assert.ok(performance.now() - started < 1000);
});
