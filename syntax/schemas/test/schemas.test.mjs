// The schemas take what the project takes, and refuse the rest at the right place.

import assert from "node:assert/strict";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";
import Ajv from "ajv";
import { parse as parseJsonc } from "jsonc-parser";
import { parse as parseToml } from "smol-toml";

const PROJECT = new URL("../../../", import.meta.url);
const NAMES = ["catalog", "environment", "config", "tools"];

const ajv = new Ajv({ strict: true, allErrors: true, allowUnionTypes: true });
// What VS Code reads besides the standard.
ajv.addVocabulary(["allowComments", "allowTrailingCommas"]);

const read = (name) => JSON.parse(readFileSync(new URL(`../${name}.schema.json`, import.meta.url), "utf8"));
const schemas = Object.fromEntries(NAMES.map((name) => [name, read(name)]));
const validators = Object.fromEntries(NAMES.map((name) => [name, ajv.compile(schemas[name])]));

/** The innermost places that a schema refuses, each once. */
function refused(name, value) {
  const validate = validators[name];
  if (validate(value)) return [];
  const places = [...new Set(validate.errors.map((error) => error.instancePath))];
  return places.filter((place) => !places.some((other) => other.startsWith(`${place}/`)));
}

const good = (name, sample, value) =>
  test(`${name} takes ${sample}`, () => assert.deepEqual(refused(name, value ?? JSON.parse(sample)), []));
const bad = (name, sample, place, value) =>
  test(`${name} refuses ${sample}`, () => assert.deepEqual(refused(name, value ?? JSON.parse(sample)), [place]));

// -----------------------------------------------------------------------------------------------
// Catalogs

const entry = (fields) => JSON.stringify({ variables: { a: fields } });

good("catalog", "{}");
good("catalog", '{"$schema": "x", "variables": {}}');
for (const name of ["a", "_", "user_name", "名字", "e\u0301", "In", "iffy"]) {
  good("catalog", JSON.stringify({ variables: { [name]: {} } }));
}
for (const name of ["", "a b", "a.b", "a-b", "1a", "if", "in", "true", "prompt", "{a}", "🎉"]) {
  bad("catalog", JSON.stringify({ variables: { [name]: {} } }), "/variables");
}
for (const fields of [
  { description: "当前时间", mutable: true, zones: ["context", "input"], example: "14:00" },
  { mutable: false, type: "number", example: 3, plugin: "clock" },
  { mutable: "unknown", type: "list", example: ["a", 1, { b: null }] },
  { mutable: { when: "is_group == true" }, type: "boolean", example: true },
  { args: ["city", { name: "unit", description: "单位", optional: true }], type: "text" },
]) {
  good("catalog", entry(fields));
}
bad("catalog", "[]", "");
bad("catalog", '{"variable": {}}', "");
bad("catalog", '{"variables": []}', "/variables");
bad("catalog", '{"variables": {"a": true}}', "/variables/a");
bad("catalog", entry({ mutabel: true }), "/variables/a");
bad("catalog", entry({ description: 1 }), "/variables/a/description");
bad("catalog", entry({ mutable: "true" }), "/variables/a/mutable");
bad("catalog", entry({ mutable: { when: 1 } }), "/variables/a/mutable/when");
bad("catalog", entry({ mutable: {} }), "/variables/a/mutable");
bad("catalog", entry({ mutable: { when: "a", if: "b" } }), "/variables/a/mutable");
bad("catalog", entry({ zones: [] }), "/variables/a/zones");
bad("catalog", entry({ zones: "system" }), "/variables/a/zones");
bad("catalog", entry({ zones: ["system", "contxt"] }), "/variables/a/zones/1");
bad("catalog", entry({ type: "string" }), "/variables/a/type");
bad("catalog", entry({ args: "city" }), "/variables/a/args");
bad("catalog", entry({ args: [""] }), "/variables/a/args/0");
bad("catalog", entry({ args: [{ description: "x" }] }), "/variables/a/args/0");
bad("catalog", entry({ args: [{ name: "x", optional: "yes" }] }), "/variables/a/args/0/optional");

// -----------------------------------------------------------------------------------------------
// Environments

good("tools", "[]");
good("tools", '[{"name": "a"}, {"name": "mcp__b__c", "description": "", "parameters": {"type": "object", "properties": {}}}]');
bad("tools", "{}", "");
bad("tools", '[{"description": "x"}]', "/0");
bad("tools", '[{"name": ""}]', "/0/name");
bad("tools", '[{"name": "<unlisted-tools>"}]', "/0/name");
bad("tools", '[{"name": "a", "parameters": []}]', "/0/parameters");
bad("tools", '[{"name": "a", "parameters": {"type": "array"}}]', "/0/parameters/type");
good("environment", "{}");
good("environment", '{"$schema": "x", "private": {"platform": "qq", "is_group": false, "n": 1, "l": [], "none": null}}');
good("environment", '{"base": {}, "group": {"extends": ["base"], "extra": {"weather": "晴", "deep": {"a": [1]}}}}');
bad("environment", "[]", "");
bad("environment", '{"group": 1}', "/group");
bad("environment", '{"group": {"extra": "x"}}', "/group/extra");
bad("environment", '{"group": {"extends": "base"}}', "/group/extends");
bad("environment", '{"group": {"extends": ["base", 1]}}', "/group/extends/1");

// -----------------------------------------------------------------------------------------------
// Configurations

const goodToml = (text) => good("config", text, parseToml(text));
const badToml = (text, place) => bad("config", text, place, parseToml(text));

goodToml("");
goodToml(`
profile = "blocks"
environment = "group"
catalogs = ["promptblock.catalog.json"]
sources = ["src/**/*.ts"]
exclude = ["fixtures/**"]
locale = "zh-CN"
vocabulary = "o200k"
[severity]
order-conflict = "off"
unknown-variable = "warning"
[budget]
system = 4000
context = 800
[[bands]]
from = 0
to = 49
name = "persona"
`);
goodToml('locale = "zh-Hans"');
goodToml('tool_order = ["read", "<unlisted-tools>", "write"]\ncontext_placement = "input"');
badToml('profil = "blocks"', "");
badToml('profile = "block"', "/profile");
badToml("environment = 1", "/environment");
badToml('catalogs = "a.json"', "/catalogs");
badToml("sources = [1]", "/sources/0");
badToml('locale = "de"', "/locale");
badToml('vocabulary = "gpt2"', "/vocabulary");
badToml('[severity]\norder-conflict = "none"', "/severity/order-conflict");
badToml('[severity]\norder-conflicts = "off"', "/severity");
badToml('[severity]\ninvalid-header = "off"', "/severity");
badToml("[budget]\nsystem = -1", "/budget/system");
badToml("[budget]\ninput = 1", "/budget");
badToml('[[bands]]\nfrom = 0\nname = "x"', "/bands/0");
badToml('[[bands]]\nfrom = 0\nto = "9"\nname = "x"', "/bands/0/to");
// The first item that is not the rest entry is named, as none is.
badToml('tool_order = ["read"]', "/tool_order/0");
badToml('tool_order = ["<unlisted-tools>", "a", "a"]', "/tool_order");

// -----------------------------------------------------------------------------------------------
// The schemas beside the rest of the project

test("every severity can be set but that of invalid-header", () => {
  const registry = readFileSync(new URL("crates/core/src/lint/code.rs", PROJECT), "utf8");
  const codes = [...registry.matchAll(/^ {4}[A-Z]\w* "([a-z-]+)" /gm)].map((match) => match[1]);
  assert.ok(codes.includes("invalid-header"));
  const settable = Object.keys(schemas.config.properties.severity.properties);
  assert.deepEqual(settable.toSorted(), codes.filter((code) => code !== "invalid-header").toSorted());
});

test("the examples are what the schemas take", () => {
  const readers = {
    "promptblock.catalog.json": ["catalog", (text) => parseJsonc(text, [], { allowTrailingComma: true })],
    "promptblock.env.json": ["environment", (text) => parseJsonc(text, [], { allowTrailingComma: true })],
    "promptblock.toml": ["config", parseToml],
  };
  let seen = 0;
  for (const folder of readdirSync(new URL("examples/", PROJECT))) {
    for (const [file, [name, parse]] of Object.entries(readers)) {
      const path = new URL(`examples/${folder}/${file}`, PROJECT);
      if (!existsSync(path)) continue;
      seen += 1;
      assert.deepEqual(refused(name, parse(readFileSync(path, "utf8"))), [], `${folder}/${file}`);
    }
  }
  assert.ok(seen >= 3, `${seen} files`);
});

/** Every schema below a schema, with the path to it. */
function* below(schema, path = "#") {
  yield [path, schema];
  for (const key of ["properties", "definitions"]) {
    for (const [name, inner] of Object.entries(schema[key] ?? {})) yield* below(inner, `${path}/${key}/${name}`);
  }
  for (const key of ["items", "additionalProperties", "propertyNames"]) {
    if (typeof schema[key] === "object") yield* below(schema[key], `${path}/${key}`);
  }
  for (const [at, inner] of (schema.anyOf ?? []).entries()) yield* below(inner, `${path}/anyOf/${at}`);
}

test("whatever an editor can show is described, in English and Chinese", () => {
  for (const name of NAMES) {
    assert.equal(schemas[name].$id, `https://promptblock.dev/schemas/${name}.schema.json`);
    for (const [path, schema] of below(schemas[name])) {
      const isShown = /\/(?:properties|definitions)\/[^/]+$/.test(path) || path === "#";
      if (!isShown || schema.$ref || path.endsWith("/$schema")) continue;
      const lines = schema.description?.split("\n") ?? [];
      assert.equal(lines.length, 2, `${name} ${path}`);
      assert.match(lines[0], /^[^\p{Script=Han}]+$/u, `${name} ${path}`);
      assert.match(lines[1], /\p{Script=Han}/u, `${name} ${path}`);
    }
  }
});
