// Every text that a user sees exists in both languages. Run in the extension's folder.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";

type Texts = Record<string, string>;
const read = (path: string): string => readFileSync(path, "utf8");
const json = (path: string): Texts => JSON.parse(read(path)) as Texts;
const sorted = (items: Iterable<string>): string[] => [...items].sort();
const placeholders = (text: string): string[] => sorted(new Set(text.match(/\{\d+\}/g)));
const hasHan = (text: string): boolean => /\p{Script=Han}/u.test(text);

test("manifest: both files have the keys that package.json names, and no others", () => {
  const used = sorted(new Set([...read("package.json").matchAll(/"%([\w.]+)%"/g)].map((match) => match[1] ?? "")));
  assert.deepEqual(sorted(Object.keys(json("package.nls.json"))), used);
  assert.deepEqual(sorted(Object.keys(json("package.nls.zh-cn.json"))), used);
});

test("manifest: the Chinese texts are Chinese", () => {
  for (const [key, text] of Object.entries(json("package.nls.zh-cn.json"))) {
    if (key !== "displayName") assert.ok(hasHan(text), key);
  }
});

test("runtime: the bundle has the texts of the source, and no others", () => {
  const used = new Set<string>();
  for (const name of readdirSync("src", { recursive: true, encoding: "utf8" })) {
    if (!name.endsWith(".ts") || name.endsWith(".test.ts")) continue;
    for (const match of read(`src/${name}`).matchAll(/\bt\("((?:[^"\\]|\\.)*)"/g)) used.add(match[1] ?? "");
  }
  const bundle = json("l10n/bundle.l10n.zh-cn.json");
  assert.deepEqual(sorted(Object.keys(bundle)), sorted(used));
  for (const [english, chinese] of Object.entries(bundle)) {
    assert.deepEqual(placeholders(chinese), placeholders(english), english);
    assert.ok(hasHan(chinese), english);
  }
});
