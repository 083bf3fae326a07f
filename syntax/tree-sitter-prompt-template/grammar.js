/**
 * @file The template language of prompt blocks: text, escapes, tags and braces.
 *
 * Every token comes from the external scanner (src/scanner.c). It looks a whole tag over before it
 * emits the tag's `{`, so behind that brace nothing can fail, and no tree of this grammar ever holds
 * an ERROR or a MISSING node. Literal braces are not paired here: a pair may span megabytes, and
 * whoever needs pairs counts the `brace` nodes.
 */

/// <reference types="tree-sitter-cli/dsl" />
// @ts-check

/** A block: its opener, what it holds, and the closer, which may be missing. */
const block = ($, opener) =>
  seq(opener, repeat($._item), choice(seq($._block_end, field('end', $.end_tag)), $._implicit_end));

/** A tag between its braces. `open` differs only where a block must not start. */
const tag = ($, open, ...inside) => seq(alias(open, '{'), ...inside, alias($._close, '}'));

const if_tag = ($, open) =>
  tag($, open, alias($._keyword_if, 'if'), field('condition', $.condition));
const for_tag = ($, open) =>
  tag(
    $,
    open,
    alias($._keyword_for, 'for'),
    field('binding', $.identifier),
    alias($._keyword_in, 'in'),
    field('list', $.variable),
  );
const while_tag = ($, open) =>
  tag($, open, alias($._keyword_while, 'while'), field('condition', $.condition));
const repeat_tag = ($, open) =>
  tag($, open, alias($._keyword_repeat, 'repeat'), field('count', choice($.number, $.variable)));

module.exports = grammar({
  name: 'prompt_template',

  // Blanks count everywhere but inside a tag, where the scanner skips them.
  extras: _ => [],

  // The order is the scanner's `enum TokenType`.
  externals: $ => [
    $.text,
    $.escape,
    $.brace,
    // `{` of a sound tag; of an opener that is nested too deep to get a block; of a malformed tag.
    $._open,
    $._open_flat,
    $._open_malformed,
    $._malformed_rest,
    $._close,
    // These three are of no width. They stand before a `{` that could belong to a closer, and say
    // whether it closes the innermost block, an outer one, or none.
    $._block_end,
    $._implicit_end,
    $._no_block_end,
    $._slash,
    $._dot,
    $.identifier,
    $.number,
    $.string,
    $.word,
    $.boolean,
    $.operator,
    $._keyword_if,
    $._keyword_elseif,
    $._keyword_else,
    $._keyword_for,
    $._keyword_while,
    $._keyword_repeat,
    $._keyword_in,
    // In no rule: it is valid only while the parser recovers from an error.
    $._error_sentinel,
  ],

  rules: {
    template: $ => repeat($._item),

    _item: $ =>
      choice($.text, $.escape, $._at_brace, seq($._no_block_end, $._at_brace)),

    _at_brace: $ =>
      choice(
        $.brace,
        $.variable_tag,
        $.if_block,
        $.for_block,
        $.while_block,
        $.repeat_block,
        $.elseif_tag,
        $.else_tag,
        $.end_tag,
        $.malformed_tag,
        alias($._flat_if_tag, $.if_tag),
        alias($._flat_for_tag, $.for_tag),
        alias($._flat_while_tag, $.while_tag),
        alias($._flat_repeat_tag, $.repeat_tag),
      ),

    if_block: $ => block($, $.if_tag),
    for_block: $ => block($, $.for_tag),
    while_block: $ => block($, $.while_tag),
    repeat_block: $ => block($, $.repeat_tag),

    variable_tag: $ =>
      tag(
        $,
        $._open,
        field('name', $.variable),
        repeat(field('argument', choice($.number, $.string, $.word))),
      ),

    if_tag: $ => if_tag($, $._open),
    _flat_if_tag: $ => if_tag($, $._open_flat),
    for_tag: $ => for_tag($, $._open),
    _flat_for_tag: $ => for_tag($, $._open_flat),
    while_tag: $ => while_tag($, $._open),
    _flat_while_tag: $ => while_tag($, $._open_flat),
    repeat_tag: $ => repeat_tag($, $._open),
    _flat_repeat_tag: $ => repeat_tag($, $._open_flat),

    elseif_tag: $ =>
      tag($, $._open, alias($._keyword_elseif, 'elseif'), field('condition', $.condition)),
    else_tag: $ => tag($, $._open, alias($._keyword_else, 'else')),

    end_tag: $ =>
      tag(
        $,
        $._open,
        alias($._slash, '/'),
        field(
          'keyword',
          choice(
            alias($._keyword_if, 'if'),
            alias($._keyword_for, 'for'),
            alias($._keyword_while, 'while'),
            alias($._keyword_repeat, 'repeat'),
          ),
        ),
      ),

    // Two tokens that show no child: its first `}` may be one that the scanner has already read past.
    malformed_tag: $ => seq($._open_malformed, $._malformed_rest),

    condition: $ =>
      seq(
        field('left', $._operand),
        optional(seq(field('operator', $.operator), field('right', $._operand))),
      ),

    _operand: $ => choice($.variable, $.number, $.string, $.boolean),

    variable: $ => seq($.identifier, repeat(seq(alias($._dot, '.'), $.identifier))),
  },
});
