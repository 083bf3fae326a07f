// Each construct of the template language, and each shape that only looks like one.

import assert from "node:assert/strict";
import { test } from "node:test";
import { ofTemplate } from "./tokens.mjs";

const BEGIN = "{ punctuation.definition.tag.begin";
const END = "} punctuation.definition.tag.end";
const SLASH = "/ punctuation.definition.tag.begin";
const DOT = ". punctuation.accessor";
const CONDITIONAL = (word) => `${word} keyword.control.conditional`;
const LOOP = (word) => `${word} keyword.control.loop`;
const VARIABLE = (name) => `${name} variable.other`;
const MEMBER = (name) => `${name} variable.other.member`;
const PARAMETER = (name) => `${name} variable.parameter`;
const OPERATOR = (text) => `${text} keyword.operator.comparison`;
const NUMBER = (text) => `${text} constant.numeric`;
const WORD = (text) => `${text} string.unquoted`;
const DOUBLE = (text) => `${text} string.quoted.double`;
const SINGLE = (text) => `${text} string.quoted.single`;
const BOOLEAN = (text) => `${text} constant.language.boolean`;
const ESCAPE = (text) => `${text} constant.character.escape`;
const MALFORMED = (text) => `${text} invalid.illegal.tag`;
const tag = (...inside) => [BEGIN, ...inside, END];

const CASES = [
  ["text", []],
  ["a {{b}} c", [ESCAPE("{{"), ESCAPE("}}")]],
  ["{{{name}}}", [ESCAPE("{{"), ...tag(VARIABLE("name")), ESCAPE("}}")]],
  ["}}}", [ESCAPE("}}")]],
  ["hi { name }!", tag(VARIABLE("name"))],
  ["{user.in.x}", tag(VARIABLE("user"), DOT, MEMBER("in"), DOT, MEMBER("x"))],
  ["你好，{用户.名字}🎉{b}", [...tag(VARIABLE("用户"), DOT, MEMBER("名字")), ...tag(VARIABLE("b"))]],
  ["{e\u0301t\u00e9}", tag(VARIABLE("e\u0301t\u00e9"))],
  ["{endif}{iffy}", [...tag(VARIABLE("endif")), ...tag(VARIABLE("iffy"))]],
  ["{w Paris -1.5e3 1x .b}", tag(VARIABLE("w"), WORD("Paris"), NUMBER("-1.5e3"), WORD("1x"), WORD(".b"))],
  ['{w "a}b" \'{\'}', tag(VARIABLE("w"), DOUBLE('"a}b"'), SINGLE("'{'"))],
  ['{w "a\\"b\\c"}', tag(VARIABLE("w"), DOUBLE('"a'), ESCAPE('\\"'), DOUBLE('b\\c"'))],
  ["{if a}", tag(CONDITIONAL("if"), VARIABLE("a"))],
  ["{ if\ta==-1 }", tag(CONDITIONAL("if"), VARIABLE("a"), OPERATOR("=="), NUMBER("-1"))],
  ['{elseif a.b >= "}"}', tag(CONDITIONAL("elseif"), VARIABLE("a"), DOT, MEMBER("b"), OPERATOR(">="), DOUBLE('"}"'))],
  ["{while true != truer}", tag(LOOP("while"), BOOLEAN("true"), OPERATOR("!="), VARIABLE("truer"))],
  ["{else}{ else }", [...tag(CONDITIONAL("else")), ...tag(CONDITIONAL("else"))]],
  ["{for 人 in 群.in}", tag(LOOP("for"), PARAMETER("人"), LOOP("in"), VARIABLE("群"), DOT, MEMBER("in"))],
  ["{repeat 3}{repeat n.x}", [...tag(LOOP("repeat"), NUMBER("3")), ...tag(LOOP("repeat"), VARIABLE("n"), DOT, MEMBER("x"))]],
  ["{/if}{ /for }", [...tag(SLASH, CONDITIONAL("if")), ...tag(SLASH, LOOP("for"))]],
  ["{/while}{/repeat}", [...tag(SLASH, LOOP("while")), ...tag(SLASH, LOOP("repeat"))]],
  // Malformed: to the first `}`, in quotes or not.
  ["{if}", [MALFORMED("{if}")]],
  ["{if a b}", [MALFORMED("{if a b}")]],
  ["{if it's late}", [MALFORMED("{if it's late}")]],
  ['{if a == "b}"}', tag(CONDITIONAL("if"), VARIABLE("a"), OPERATOR("=="), DOUBLE('"b}"'))],
  ['{if a = "b}"}', [MALFORMED('{if a = "b}')]],
  ["{if true.x}", [MALFORMED("{if true.x}")]],
  ["{else x}{/if x}{/else}", [MALFORMED("{else x}"), MALFORMED("{/if x}"), MALFORMED("{/else}")]],
  ["{for in xs}{for x of xs}", [MALFORMED("{for in xs}"), MALFORMED("{for x of xs}")]],
  ['{repeat "3"}', [MALFORMED('{repeat "3"}')]],
  // No tags.
  ["{} { } {in} {true} {in.x} {1} {a-b} {a.} {a. b} {.a}", []],
  ["{if.x} {else: x} {/ if} {/iffy} {/in} {if", []],
  ['{a "b"c} {a it\'s} {a"b"} {a "b}', []],
  ["{name\n}", []],
  ["{\u3000name}", []],
  ['{"name": "x", "list": [1, {"a": 2}]}', []],
  ['{"name": "{user}"}', tag(VARIABLE("user"))],
  ["{if a {b}", tag(VARIABLE("b"))],
  ["{a b{c} d}", tag(VARIABLE("c"))],
  // In Markdown.
  ["# Title {a}", tag(VARIABLE("a"))],
  ["- {if a}**{b}**{/if}", [...tag(CONDITIONAL("if"), VARIABLE("a")), ...tag(VARIABLE("b")), ...tag(SLASH, CONDITIONAL("if"))]],
  ["`{a} {{` ``{b}`c`` `{d", [...tag(VARIABLE("a")), ESCAPE("{{"), ...tag(VARIABLE("b"))]],
  ["> {a}", tag(VARIABLE("a"))],
  ["```\n{a}\n```\n{b}", [...tag(VARIABLE("a")), ...tag(VARIABLE("b"))]],
];

for (const [body, expected] of CASES) {
  test(JSON.stringify(body), () => assert.deepEqual(ofTemplate(body), expected));
}
