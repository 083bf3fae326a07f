// Writes promptblock.tmLanguage.json. A TextMate grammar has no names for parts of its expressions, and
// those of a tag are made of many parts; so the parts have their names here.
//
//   npm run build

import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const TARGET = fileURLToPath(new URL("promptblock.tmLanguage.json", import.meta.url));

// ---------------------------------------------------------------------------------------------
// Parts of expressions. A part that is read in one way only is possessive, so that a long line that
// is no tag is given up at once.

const BLANKS = "[ \\t]*";
const GAP = "[ \\t]+";
const IDENTIFIER = "[\\p{XID_Start}_]\\p{XID_Continue}*+";
const WORD_END = "(?!\\p{XID_Continue})";
const KEYWORD = `(?:if|elseif|else|for|while|repeat|in|true|false)${WORD_END}`;
const NAME = `(?!${KEYWORD})${IDENTIFIER}`;
const SEGMENTS = `(?:\\.${IDENTIFIER})*+`;
const VARIABLE = `${NAME}${SEGMENTS}`;
const NUMBER = "-?[0-9]+(?:\\.[0-9]+)?(?:[eE][+-]?[0-9]+)?";
// A backslash escapes quotes and itself; before anything else it is a character like others.
const quoted = (quote) => `${quote}(?:\\\\["'\\\\]|[^${quote}\\\\]|\\\\(?!["'\\\\]))*+${quote}`;
const STRING = `(?:${quoted('"')}|${quoted("'")})`;
const ARGUMENT = `(?:${STRING}|[^ \\t"'{}]++)(?=[ \\t}])`;
const BOOLEAN = `(?:true|false)${WORD_END}`;
const OPERATOR = "(?:==|!=|<=|>=|<|>)";
const OPERAND = `(?:${STRING}|${NUMBER}|${BOOLEAN}|${VARIABLE})`;
const CONDITION = `${OPERAND}(?:${BLANKS}${OPERATOR}${BLANKS}${OPERAND})?`;
const CONTROL_WORD = "(?:if|elseif|else|for|while|repeat)";

// The header's delimiter: dashes, blanks, and where an editor leaves it on the line the CR of a CR LF.
const DELIMITER = "---(?=[ \\t\\r]*$)";
const TEMPLATE_LINE = `(?:template|"template"|'template')${BLANKS}:${GAP}(?:true|True|TRUE)(?=[ \\t\\r]*$|${GAP}#)`;
// No place in a file: for rules that go on to its end.
const NEVER = "(?!)";

// ---------------------------------------------------------------------------------------------
// Rules

const scope = (name) => ({ name: `${name}.promptblock` });
const include = (name) => ({ include: `#${name}` });
const BEGIN = scope("punctuation.definition.tag.begin");
const END = scope("punctuation.definition.tag.end");
const CONDITIONAL = scope("keyword.control.conditional");
const LOOP = scope("keyword.control.loop");

/** A tag that is known to be sound as far as its `}`, so that what is inside can be read loosely. */
const tag = (inside, patterns) => ({
  name: "meta.tag.promptblock",
  begin: `\\{(?=${BLANKS}${inside}${BLANKS}\\})`,
  beginCaptures: { 0: BEGIN },
  end: "\\}",
  endCaptures: { 0: END },
  patterns,
});

/** A tag without operands. */
const plainTag = (inside, captures) => ({
  name: "meta.tag.promptblock",
  match: `(\\{)${BLANKS}${inside}${BLANKS}(\\})`,
  captures,
});

const repository = {
  yaml: {
    comment: "A line that ends the header, or switches its template on, ends every rule of the YAML grammar too.",
    begin: `^(?!${DELIMITER}|${TEMPLATE_LINE})`,
    while: `^(?!${DELIMITER}|${TEMPLATE_LINE})`,
    contentName: "meta.embedded.block.frontmatter",
    patterns: [{ include: "source.yaml" }],
  },
  header: {
    comment: "Ends nowhere: the body is inside, since only here it is known what the header said.",
    begin: `\\A\\x{FEFF}?(${DELIMITER})`,
    beginCaptures: { 1: scope("punctuation.definition.frontmatter.begin") },
    end: NEVER,
    patterns: [include("header-of-template"), include("markdown-body"), include("yaml")],
  },
  "header-of-template": {
    comment: "From the line `template: true` on.",
    begin: `^(?=${TEMPLATE_LINE})`,
    end: NEVER,
    patterns: [include("template-body"), include("template-line"), include("yaml")],
  },
  "template-line": {
    comment: "The one line of YAML that the rule `yaml` leaves out. A second one switches nothing.",
    begin: `^(?=${TEMPLATE_LINE})`,
    while: NEVER,
    contentName: "meta.embedded.block.frontmatter",
    patterns: [{ include: "source.yaml" }],
  },
  "template-body": {
    begin: `^(${DELIMITER})`,
    beginCaptures: { 1: scope("punctuation.definition.frontmatter.end") },
    end: NEVER,
    contentName: "meta.template.promptblock",
    patterns: [{ include: "text.html.markdown" }],
  },
  "markdown-body": {
    begin: `^(${DELIMITER})`,
    beginCaptures: { 1: scope("punctuation.definition.frontmatter.end") },
    end: NEVER,
    contentName: "text.html.markdown",
    patterns: [{ include: "text.html.markdown" }],
  },
  "no-header": {
    begin: "\\A",
    end: NEVER,
    contentName: "text.html.markdown",
    patterns: [{ include: "text.html.markdown" }],
  },

  template: {
    comment: "An escape is tried before a tag. A brace that is neither has no scope.",
    patterns: [
      { match: "\\{\\{|\\}\\}", ...scope("constant.character.escape") },
      include("variable-tag"),
      include("condition-tag"),
      include("for-tag"),
      include("repeat-tag"),
      include("else-tag"),
      include("end-tag"),
      include("malformed-tag"),
      include("code-span"),
    ],
  },
  "code-span": {
    comment: "Tags are tags in code too. The Markdown grammar takes a span of code in one piece.",
    match: "(?<!`)(`+)(?!`)((?:[^`]|(?!(?<!`)\\1(?!`))`)*+)(\\1)(?!`)",
    name: "markup.inline.raw.string.markdown",
    captures: {
      1: { name: "punctuation.definition.raw.markdown" },
      2: { patterns: [include("template")] },
      3: { name: "punctuation.definition.raw.markdown" },
    },
  },
  "variable-tag": tag(`${VARIABLE}(?:${GAP}${ARGUMENT})*+`, [
    {
      match: `\\G${BLANKS}(${NAME})(${SEGMENTS})`,
      captures: { 1: scope("variable.other"), 2: { patterns: [include("segments")] } },
    },
    include("string"),
    { match: `${NUMBER}(?=[ \\t}])`, ...scope("constant.numeric") },
    { match: "[^ \\t\"'{}]+", ...scope("string.unquoted") },
  ]),
  "condition-tag": tag(`(?:if|elseif|while)${GAP}${CONDITION}`, [
    {
      match: `\\G${BLANKS}(?:(if|elseif)|(while))`,
      captures: { 1: CONDITIONAL, 2: LOOP },
    },
    include("string"),
    { match: OPERATOR, ...scope("keyword.operator.comparison") },
    { match: BOOLEAN, ...scope("constant.language.boolean") },
    include("number"),
    include("variable"),
  ]),
  "for-tag": tag(`for${GAP}${NAME}${GAP}in${GAP}${VARIABLE}`, [
    {
      match: `\\G${BLANKS}(for)${GAP}(${NAME})${GAP}(in)${GAP}`,
      captures: { 1: LOOP, 2: scope("variable.parameter"), 3: LOOP },
    },
    include("variable"),
  ]),
  "repeat-tag": tag(`repeat${GAP}(?:${NUMBER}|${VARIABLE})`, [
    { match: `\\G${BLANKS}(repeat)`, captures: { 1: LOOP } },
    include("number"),
    include("variable"),
  ]),
  "else-tag": plainTag("(else)", { 1: BEGIN, 2: CONDITIONAL, 3: END }),
  "end-tag": plainTag("(/)(?:(if)|(for|while|repeat))", { 1: BEGIN, 2: BEGIN, 3: CONDITIONAL, 4: LOOP, 5: END }),
  "malformed-tag": {
    match: `\\{${BLANKS}/?${CONTROL_WORD}(?=[ \\t}])[^{}]*\\}`,
    ...scope("invalid.illegal.tag"),
  },

  variable: {
    match: `(${NAME})(${SEGMENTS})`,
    captures: { 1: scope("variable.other"), 2: { patterns: [include("segments")] } },
  },
  segments: {
    patterns: [
      { match: "\\.", ...scope("punctuation.accessor") },
      { match: IDENTIFIER, ...scope("variable.other.member") },
    ],
  },
  number: { match: NUMBER, ...scope("constant.numeric") },
  string: {
    patterns: ['"', "'"].map((quote) => ({
      match: quoted(quote),
      name: `string.quoted.${quote === '"' ? "double" : "single"}.promptblock`,
      captures: { 0: { patterns: [{ match: "\\\\[\"'\\\\]", ...scope("constant.character.escape") }] } },
    })),
  },
};

const grammar = {
  $schema: "https://raw.githubusercontent.com/martinring/tmlanguage/master/tmlanguage.json",
  comment: "Generated by build.mjs. Do not edit.",
  name: "Prompt Block",
  scopeName: "source.promptblock",
  fileTypes: ["promptblock"],
  patterns: [include("header"), include("no-header")],
  // Tags are read before the Markdown around them and inside of it, but not inside of tags.
  injections: { "L:meta.template.promptblock - meta.tag.promptblock": { patterns: [include("template")] } },
  repository,
};

export const text = `${JSON.stringify(grammar, null, 2)}\n`;

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(TARGET, text);
  console.log(`${TARGET}: ${readFileSync(TARGET).length} bytes`);
}
