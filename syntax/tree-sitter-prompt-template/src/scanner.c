// The lexer of the template language. It emits every token of the grammar.
//
// At a `{` it reads the whole tag ahead, on that line only, and decides once what the brace is: an
// escape, the start of a sound tag, of a malformed tag, or a plain brace. The tokens inside a tag are
// then read with the same functions that judged it (tag.h), so nothing behind the brace can fail.

#include "tree_sitter/alloc.h"
#include "tree_sitter/parser.h"
#include "tag.h"

#include <string.h>

// The order is that of `externals` in grammar.js.
enum TokenType {
  TEXT,
  ESCAPE,
  BRACE,
  OPEN,
  OPEN_FLAT,
  OPEN_MALFORMED,
  MALFORMED_REST,
  CLOSE,
  BLOCK_END,
  IMPLICIT_END,
  NO_BLOCK_END,
  SLASH,
  DOT,
  IDENTIFIER,
  NUMBER,
  STRING,
  WORD,
  BOOLEAN,
  OPERATOR,
  KEYWORD_IF,
  KEYWORD_ELSEIF,
  KEYWORD_ELSE,
  KEYWORD_FOR,
  KEYWORD_WHILE,
  KEYWORD_REPEAT,
  KEYWORD_IN,
  ERROR_SENTINEL,
};

// ---------------------------------------------------------------------------------------------
// The open blocks

// The state is copied into every token, so a block takes two bits and the depth is capped; deeper
// openers get no block.
#define MAX_DEPTH 200
#define STACK_BYTES ((MAX_DEPTH + 3) / 4)

typedef struct {
  uint8_t depth;
  uint8_t kinds[STACK_BYTES];
} Scanner;

static Kind kind_at(const Scanner *scanner, unsigned index) {
  return (Kind)(scanner->kinds[index / 4] >> (index % 4 * 2) & 3);
}

static void push(Scanner *scanner, Kind kind) {
  unsigned index = scanner->depth++;
  scanner->kinds[index / 4] |= (uint8_t)(kind << (index % 4 * 2));
}

// Clears the bits, so that equal stacks have equal bytes: the parser compares them when it reuses nodes.
static void pop(Scanner *scanner) {
  unsigned index = --scanner->depth;
  scanner->kinds[index / 4] &= (uint8_t) ~(3u << (index % 4 * 2));
}

static bool is_open(const Scanner *scanner, Kind kind) {
  for (unsigned index = scanner->depth; index-- > 0;) {
    if (kind_at(scanner, index) == kind) return true;
  }
  return false;
}

// ---------------------------------------------------------------------------------------------
// The tokens

static bool emit(TSLexer *lexer, enum TokenType type) {
  lexer->mark_end(lexer);
  lexer->result_symbol = type;
  return true;
}

// What stands before a `{` that may belong to a closer. Of no width, since a token cannot be given
// back once it is read past: the brace itself is scanned again behind this answer.
static bool scan_block_border(Scanner *scanner, TSLexer *lexer) {
  Verdict verdict = judge(lexer);
  lexer->result_symbol = NO_BLOCK_END;
  if (verdict.form == FORM_CLOSER && is_open(scanner, verdict.kind)) {
    bool innermost = kind_at(scanner, scanner->depth - 1u) == verdict.kind;
    lexer->result_symbol = innermost ? BLOCK_END : IMPLICIT_END;
    pop(scanner);
  }
  return true;
}

static bool scan_open_brace(Scanner *scanner, TSLexer *lexer, const bool *valid) {
  lexer->mark_end(lexer);
  lexer->advance(lexer, false);
  int32_t next = lexer->lookahead;
  if (valid[ESCAPE] && next == '{') {
    lexer->advance(lexer, false);
    return emit(lexer, ESCAPE);
  }
  if (valid[NO_BLOCK_END] && (next == '/' || is_blank(next))) return scan_block_border(scanner, lexer);

  lexer->mark_end(lexer);
  Verdict verdict = judge(lexer);
  switch (verdict.form) {
    case FORM_BRACE:
      lexer->result_symbol = BRACE;
      break;
    case FORM_MALFORMED:
      lexer->result_symbol = OPEN_MALFORMED;
      break;
    case FORM_OPENER:
      if (scanner->depth < MAX_DEPTH) {
        push(scanner, verdict.kind);
        lexer->result_symbol = OPEN;
      } else {
        lexer->result_symbol = OPEN_FLAT;
      }
      break;
    default:
      lexer->result_symbol = OPEN;
  }
  return true;
}

static bool scan_close_brace(TSLexer *lexer) {
  lexer->advance(lexer, false);
  if (lexer->lookahead != '}') return emit(lexer, BRACE);
  lexer->advance(lexer, false);
  return emit(lexer, ESCAPE);
}

static bool scan_text(TSLexer *lexer) {
  do {
    lexer->advance(lexer, false);
  } while (!is_brace(lexer->lookahead) && !(lexer->lookahead == 0 && lexer->eof(lexer)));
  return emit(lexer, TEXT);
}

static bool scan_end(Scanner *scanner, TSLexer *lexer, const bool *valid) {
  if (!valid[IMPLICIT_END] || scanner->depth == 0) return false;
  pop(scanner);
  return emit(lexer, IMPLICIT_END);
}

static bool scan_outside(Scanner *scanner, TSLexer *lexer, const bool *valid) {
  if (lexer->lookahead == '{') return scan_open_brace(scanner, lexer, valid);
  if (lexer->lookahead == '}') return scan_close_brace(lexer);
  if (lexer->lookahead == 0 && lexer->eof(lexer)) return scan_end(scanner, lexer, valid);
  return scan_text(lexer);
}

static bool scan_malformed_rest(TSLexer *lexer) {
  Reader reader = {lexer, 0};
  while (reader.first_brace == 0 && !at_line_end(&reader)) advance(&reader);
  return emit(lexer, MALFORMED_REST);
}

static enum TokenType word_token(NameWord word, const bool *valid) {
  switch (word) {
    case WORD_IF: return KEYWORD_IF;
    case WORD_ELSEIF: return KEYWORD_ELSEIF;
    case WORD_ELSE: return KEYWORD_ELSE;
    case WORD_FOR: return KEYWORD_FOR;
    case WORD_WHILE: return KEYWORD_WHILE;
    case WORD_REPEAT: return KEYWORD_REPEAT;
    case WORD_IN: return KEYWORD_IN;
    case WORD_TRUE:
    case WORD_FALSE: return BOOLEAN;
    // Behind a dot a keyword is a name.
    default: return valid[IDENTIFIER] ? IDENTIFIER : ERROR_SENTINEL;
  }
}

// The tag has been judged, so what is valid here is what stands here. A false is no more than a
// guard for the parser's error recovery, which is never entered.
static bool scan_inside(TSLexer *lexer, const bool *valid) {
  Reader reader = {lexer, 0};
  if (valid[DOT] && accept(&reader, '.')) return emit(lexer, DOT);
  while (is_blank(lexer->lookahead)) lexer->advance(lexer, true);

  int32_t c = lexer->lookahead;
  if (valid[CLOSE] && accept(&reader, '}')) return emit(lexer, CLOSE);
  if (valid[SLASH] && accept(&reader, '/')) return emit(lexer, SLASH);
  if (valid[OPERATOR]) return read_operator(&reader) && emit(lexer, OPERATOR);
  if (valid[WORD]) {
    static const enum TokenType TYPES[] = {ERROR_SENTINEL, NUMBER, STRING, WORD};
    Argument argument = read_argument(&reader);
    return argument != ARGUMENT_NONE && emit(lexer, TYPES[argument]);
  }
  if (valid[STRING] && is_quote(c)) return read_string(&reader) && emit(lexer, STRING);
  if (valid[NUMBER] && !is_name_start(c)) return read_number(&reader) && emit(lexer, NUMBER);

  NameWord word = read_word(&reader);
  if (word == WORD_NONE) return false;
  enum TokenType type = word_token(word, valid);
  if (type == ERROR_SENTINEL || !valid[type]) type = IDENTIFIER;
  return valid[type] && emit(lexer, type);
}

// ---------------------------------------------------------------------------------------------
// The interface

void *tree_sitter_prompt_template_external_scanner_create(void) {
  return ts_calloc(1, sizeof(Scanner));
}

void tree_sitter_prompt_template_external_scanner_destroy(void *payload) { ts_free(payload); }

unsigned tree_sitter_prompt_template_external_scanner_serialize(void *payload, char *buffer) {
  const Scanner *scanner = payload;
  unsigned bytes = (scanner->depth + 3u) / 4;
  if (bytes == 0) return 0;
  buffer[0] = (char)scanner->depth;
  memcpy(buffer + 1, scanner->kinds, bytes);
  return bytes + 1;
}

void tree_sitter_prompt_template_external_scanner_deserialize(void *payload, const char *buffer,
                                                              unsigned length) {
  Scanner *scanner = payload;
  memset(scanner, 0, sizeof(*scanner));
  if (length == 0) return;
  scanner->depth = (uint8_t)buffer[0];
  memcpy(scanner->kinds, buffer + 1, length - 1);
}

bool tree_sitter_prompt_template_external_scanner_scan(void *payload, TSLexer *lexer,
                                                       const bool *valid) {
  if (valid[ERROR_SENTINEL]) return false;
  if (valid[MALFORMED_REST]) return scan_malformed_rest(lexer);
  // Each place outside a tag allows one of these, and no place inside does.
  if (valid[TEXT] || valid[OPEN]) return scan_outside(payload, lexer, valid);
  return scan_inside(lexer, valid);
}
