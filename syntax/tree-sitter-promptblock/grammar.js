/**
 * @file A block file: YAML front matter between two lines `---`, and a body, which is a template
 * where the header says `template: true` and Markdown else.
 *
 * Every token comes from the external scanner (src/scanner.c), which has an answer for whatever comes,
 * so no tree of this grammar holds an ERROR or a MISSING node: the header may be missing, the file may
 * end inside of it, and what is no YAML is for the YAML grammar to say.
 */

/// <reference types="tree-sitter-cli/dsl" />
// @ts-check

module.exports = grammar({
  name: 'promptblock',

  extras: _ => [],

  // The order is the scanner's `enum TokenType`.
  externals: $ => [
    $._open_delimiter,
    $._close_delimiter,
    // Blanks and the line break behind a delimiter.
    $._open_line_end,
    $._close_line_end,
    $._indent,
    $.key,
    // What is left of a header's line, its break included.
    $._line_rest,
    $.template_body,
    $.markdown_body,
    // In no rule: it is valid only while the parser recovers from an error.
    $._error_sentinel,
  ],

  rules: {
    document: $ =>
      seq(
        optional(seq($.front_matter, optional($._close_line_end))),
        optional(choice($.template_body, $.markdown_body)),
      ),

    front_matter: $ =>
      seq(
        field('open', alias($._open_delimiter, $.delimiter)),
        optional($._open_line_end),
        optional(field('content', $.yaml)),
        optional(field('close', alias($._close_delimiter, $.delimiter))),
      ),

    // Only the keys at the top level are told apart: `template` must be known, and where no YAML
    // grammar is installed the header has some colour all the same.
    yaml: $ => repeat1($._line),

    _line: $ => seq(optional($._indent), optional($.key), $._line_rest),
  },
});
