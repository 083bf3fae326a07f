// The header, and what it makes of the body.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { text as generated } from "../build.mjs";
import { tokens } from "./tokens.mjs";

/** The scopes of the first place of `text`, which other grammars may cut in pieces. */
const find = (found, text) => {
  for (const number of new Set(found.map((token) => token.line))) {
    const line = found.filter((token) => token.line === number);
    const at = line.map((token) => token.text).join("").indexOf(text);
    if (at >= 0) return line.findLast((token) => token.start <= at).scopes;
  }
  assert.fail(`no ${JSON.stringify(text)}`);
};

const has = (scopes, prefix) => scopes.some((scope) => scope === prefix || scope.startsWith(`${prefix}.`));

/** Whether a tag of the body is one, in a file with this header. */
const isTemplate = (header, options) => {
  const found = tokens(`---\n${header}\n---\n# Title\n{name}\n`, options);
  const scopes = found.filter((token) => token.text.includes("name") && token.line > 1).at(-1).scopes;
  assert.notEqual(has(scopes, "text.html.markdown"), has(scopes, "meta.template"));
  assert.equal(has(scopes, "variable.other"), has(scopes, "meta.template"));
  return has(scopes, "meta.template");
};

test("the committed grammar is the generated one", () => {
  const committed = readFileSync(new URL("../promptblock.tmLanguage.json", import.meta.url), "utf8");
  assert.equal(committed.replaceAll("\r\n", "\n"), generated, "npm run build writes it anew");
});

for (const header of [
  "template: true",
  "id: a\ntemplate: true\norder: 1",
  "template: True",
  "template:  TRUE  ",
  "template: true # yes",
  '"template": true',
  "'template' : true",
  "# about\n\ntemplate: true",
  'description: "open\ntemplate: true',
  "description: |\n  text\ntemplate: true",
  "allow: [a,\ntemplate: true",
  "template: true\ntemplate: true",
]) {
  test(`a template: ${JSON.stringify(header)}`, () => assert.ok(isTemplate(header)));
}

for (const header of [
  "id: a",
  "template: false",
  'template: "true"',
  "template: yes",
  "template: true-ish",
  "template: true or not",
  "template: true#x",
  "template:true",
  "template:",
  "# template: true",
  "other:\n  template: true",
  "- template: true",
  "templates: true",
  "my template: true",
  "Template: true",
  'description: "open',
]) {
  test(`no template: ${JSON.stringify(header)}`, () => assert.ok(!isTemplate(header)));
}

test("the header is YAML, in front of the template line, in it and behind it", () => {
  const found = tokens("---\nid: bot:rules\ntemplate: true\norder: 120\n---\n你是 {name}。");
  for (const key of ["id:", "template:", "order:"]) {
    assert.ok(has(find(found, key), "entity.name.tag"), key);
    assert.ok(has(find(found, key), "meta.embedded.block.frontmatter"), key);
  }
  assert.ok(has(find(found, "true"), "constant.language.boolean"));
  assert.ok(has(find(found, "120"), "constant.numeric"));
  const delimiters = found.filter((token) => token.text === "---").map((token) => token.scopes);
  assert.deepEqual(delimiters.map((scopes) => scopes.at(-1)), [
    "punctuation.definition.frontmatter.begin.promptblock",
    "punctuation.definition.frontmatter.end.promptblock",
  ]);
  assert.ok(!delimiters.some((scopes) => has(scopes, "meta.embedded")));
});

test("the body of a template is Markdown too", () => {
  const found = tokens("---\ntemplate: true\n---\n# Title {name}\n\n- **bold** text\n---\n{a}\n");
  assert.ok(has(find(found, "bold"), "markup.bold"));
  assert.ok(has(find(found, "name"), "markup.heading") && has(find(found, "name"), "variable.other"));
  // A line of dashes in the body ends nothing.
  assert.ok(has(find(found, "a}"), "variable.other"));
});

test("a body that is no template is Markdown and nothing else", () => {
  const found = tokens("---\nid: a\n---\n# Title\n{name} {{x}} {if}\n---\n{if a}\n");
  const body = found.filter((token) => token.line > 2);
  assert.ok(body.every((token) => has(token.scopes, "text.html.markdown")));
  assert.ok(!body.some((token) => token.scopes.some((scope) => scope.endsWith(".promptblock"))));
  assert.ok(has(find(found, "Title"), "markup.heading"));
});

test("a file without a header is Markdown", () => {
  for (const first of ["Hello", "--- x", " ---", ""]) {
    const found = tokens(`${first}\ntemplate: true\n---\n# Title\n{name}`);
    assert.ok(has(find(found, "Title"), "markup.heading"), first);
    assert.ok(!found.some((token) => token.scopes.some((scope) => scope.endsWith(".promptblock"))), first);
  }
});

test("four dashes begin no header of ours, whatever they are in Markdown", () => {
  const found = tokens("----\ntemplate: true\n----\n{name}");
  assert.ok(!found.some((token) => token.scopes.some((scope) => scope.endsWith(".promptblock"))));
});

test("CR LF, a lone CR, a byte order mark and blanks behind the dashes", () => {
  for (const text of [
    "---\r\nid: a\r\ntemplate: true\r\n---\r\n{name}\r\n{b}",
    "---\rid: a\rtemplate: true\r---\r{name}\r{b}",
    "\ufeff---\nid: a\ntemplate: true\n---\n{name}\n{b}",
    "--- \t\nid: a\ntemplate: true\n---  \n{name}\n{b}",
  ]) {
    const found = tokens(text);
    assert.ok(has(find(found, "id:"), "entity.name.tag"), JSON.stringify(text));
    assert.ok(has(find(found, "name"), "variable.other"), JSON.stringify(text));
    assert.ok(has(find(found, "b}"), "variable.other"), JSON.stringify(text));
  }
  assert.ok(isTemplate("template: true\r\norder: 1\r", { keepReturns: true }));
  assert.ok(!isTemplate("template: false\r\norder: 1\r", { keepReturns: true }));
});

test("a header that is not closed stays YAML", () => {
  const found = tokens("---\nid: a\ntemplate: true\n\n{name}\n");
  assert.ok(!found.some((token) => has(token.scopes, "variable.other") || has(token.scopes, "meta.template")));
});

test("a long line that is no tag is given up at once", () => {
  for (const piece of ["{", "{x ", '{x "', "{if ", "{if x == '", "{for x in ", "{x.", "{{", "}", '{x "{y \' ']) {
    const start = performance.now();
    tokens(`---\ntemplate: true\n---\n${piece.repeat(20_000 / piece.length)}`);
    const time = performance.now() - start;
    assert.ok(time < 5000, `${piece}: ${time} ms`);
  }
});
