// The lexer of the template language. It emits every token of the grammar.
//
// At a `{` it reads the whole tag ahead, on that line only, and decides once what the brace is: an
// escape, the start of a sound tag, of a malformed tag, or a plain brace. The tokens inside a tag are
// then read with the same functions that judged it, so nothing behind the brace can fail.
//
// No look-ahead is ever long twice: outside quotes it stops at the next brace, and of all tags that
// a line could start, at most three can be inside or between quotes at one place in a way that goes on.

#include "tree_sitter/alloc.h"
#include "tree_sitter/parser.h"
#include "unicode.h"

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

// Two bits a block. The order is that of the block keywords' tokens.
typedef enum { KIND_IF, KIND_FOR, KIND_WHILE, KIND_REPEAT } Kind;

// The state is copied into every token, so the depth is capped; deeper openers get no block.
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
// Characters

static bool in_ranges(const CodePointRange *ranges, size_t count, uint32_t c) {
  size_t low = 0, high = count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (c > ranges[middle].last) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low < count && c >= ranges[low].first;
}

#define IN_TABLE(table, c) in_ranges(table, sizeof(table) / sizeof(table[0]), (uint32_t)(c))

static bool is_digit(int32_t c) { return c >= '0' && c <= '9'; }

static bool is_letter(int32_t c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// A byte that is no UTF-8 arrives as a negative number.
static bool is_name_start(int32_t c) {
  if (c < 0x80) return is_letter(c) || c == '_';
  return IN_TABLE(XID_START, c);
}

static bool is_name_continue(int32_t c) {
  if (c < 0x80) return is_letter(c) || is_digit(c) || c == '_';
  return IN_TABLE(XID_CONTINUE, c);
}

static bool is_blank(int32_t c) { return c == ' ' || c == '\t'; }

static bool is_brace(int32_t c) { return c == '{' || c == '}'; }

static bool is_quote(int32_t c) { return c == '"' || c == '\''; }

// ---------------------------------------------------------------------------------------------
// The reader: the lexer, and the first brace that it went past

typedef struct {
  TSLexer *lexer;
  int32_t first_brace;
} Reader;

static int32_t peek(const Reader *reader) { return reader->lexer->lookahead; }

static void advance(Reader *reader) {
  if (reader->first_brace == 0 && is_brace(peek(reader))) reader->first_brace = peek(reader);
  reader->lexer->advance(reader->lexer, false);
}

static bool accept(Reader *reader, int32_t c) {
  if (peek(reader) != c) return false;
  advance(reader);
  return true;
}

// The lexer shows the end of the text as a NUL, which is also a character that a text may hold.
static bool at_line_end(const Reader *reader) {
  int32_t c = peek(reader);
  return c == '\n' || c == '\r' || (c == 0 && reader->lexer->eof(reader->lexer));
}

static bool skip_blanks(Reader *reader) {
  if (!is_blank(peek(reader))) return false;
  while (is_blank(peek(reader))) advance(reader);
  return true;
}

// ---------------------------------------------------------------------------------------------
// The parts of a tag. Each reads as far as it fits and says whether it fitted.

typedef enum {
  WORD_NONE,
  WORD_NAME,
  WORD_TRUE,
  WORD_FALSE,
  WORD_IN,
  WORD_ELSE,
  WORD_ELSEIF,
  WORD_IF,
  WORD_FOR,
  WORD_WHILE,
  WORD_REPEAT,
} NameWord;

static bool is_block_word(NameWord word) { return word >= WORD_IF; }
static bool is_control_word(NameWord word) { return word >= WORD_ELSE; }

static NameWord name_word(const char *text, unsigned length) {
  static const struct {
    const char *text;
    NameWord word;
  } KEYWORDS[] = {
    {"if", WORD_IF},         {"elseif", WORD_ELSEIF}, {"else", WORD_ELSE},
    {"for", WORD_FOR},       {"while", WORD_WHILE},   {"repeat", WORD_REPEAT},
    {"in", WORD_IN},         {"true", WORD_TRUE},     {"false", WORD_FALSE},
  };
  for (unsigned i = 0; i < sizeof(KEYWORDS) / sizeof(KEYWORDS[0]); i++) {
    if (strlen(KEYWORDS[i].text) == length && memcmp(KEYWORDS[i].text, text, length) == 0) {
      return KEYWORDS[i].word;
    }
  }
  return WORD_NAME;
}

// A name or a keyword.
static NameWord read_word(Reader *reader) {
  if (!is_name_start(peek(reader))) return WORD_NONE;
  char text[7]; // one more than the longest keyword
  unsigned length = 0;
  do {
    int32_t c = peek(reader);
    if (length < sizeof(text)) text[length++] = c < 0x80 ? (char)c : '?';
    advance(reader);
  } while (is_name_continue(peek(reader)));
  return name_word(text, length);
}

static bool read_segments(Reader *reader) {
  while (accept(reader, '.')) {
    if (read_word(reader) == WORD_NONE) return false;
  }
  return true;
}

static bool read_variable(Reader *reader) {
  return read_word(reader) == WORD_NAME && read_segments(reader);
}

static bool read_string(Reader *reader) {
  int32_t quote = peek(reader);
  advance(reader);
  while (!at_line_end(reader)) {
    if (accept(reader, quote)) return true;
    // A backslash before anything else is a character like others.
    if (accept(reader, '\\')) {
      if (is_quote(peek(reader)) || peek(reader) == '\\') advance(reader);
    } else {
      advance(reader);
    }
  }
  return false;
}

// -?\d+(\.\d+)?([eE][+-]?\d+)?, a character at a time.
typedef enum {
  NUMBER_START,
  NUMBER_MINUS,
  NUMBER_INTEGER,
  NUMBER_POINT,
  NUMBER_FRACTION,
  NUMBER_E,
  NUMBER_SIGN,
  NUMBER_EXPONENT,
  NUMBER_DEAD,
} NumberState;

static NumberState number_step(NumberState state, int32_t c) {
  switch (state) {
    case NUMBER_START:
      if (c == '-') return NUMBER_MINUS;
      return is_digit(c) ? NUMBER_INTEGER : NUMBER_DEAD;
    case NUMBER_MINUS:
      return is_digit(c) ? NUMBER_INTEGER : NUMBER_DEAD;
    case NUMBER_INTEGER:
      if (c == '.') return NUMBER_POINT;
      if (c == 'e' || c == 'E') return NUMBER_E;
      return is_digit(c) ? NUMBER_INTEGER : NUMBER_DEAD;
    case NUMBER_POINT:
      return is_digit(c) ? NUMBER_FRACTION : NUMBER_DEAD;
    case NUMBER_FRACTION:
      if (c == 'e' || c == 'E') return NUMBER_E;
      return is_digit(c) ? NUMBER_FRACTION : NUMBER_DEAD;
    case NUMBER_E:
      if (c == '+' || c == '-') return NUMBER_SIGN;
      return is_digit(c) ? NUMBER_EXPONENT : NUMBER_DEAD;
    case NUMBER_SIGN:
    case NUMBER_EXPONENT:
      return is_digit(c) ? NUMBER_EXPONENT : NUMBER_DEAD;
    default:
      return NUMBER_DEAD;
  }
}

static bool is_number(NumberState state) {
  return state == NUMBER_INTEGER || state == NUMBER_FRACTION || state == NUMBER_EXPONENT;
}

// As much as could be a number. What is glued to it is for the caller to refuse.
static bool read_number(Reader *reader) {
  NumberState state = NUMBER_START, next;
  while ((next = number_step(state, peek(reader))) != NUMBER_DEAD) {
    state = next;
    advance(reader);
  }
  return is_number(state);
}

// A number, a string or a bare word; ERROR_SENTINEL where none of them fits.
static enum TokenType read_argument(Reader *reader) {
  if (is_quote(peek(reader))) return read_string(reader) ? STRING : ERROR_SENTINEL;
  NumberState state = NUMBER_START;
  while (!at_line_end(reader) && !is_blank(peek(reader)) && !is_brace(peek(reader))) {
    if (is_quote(peek(reader))) return ERROR_SENTINEL;
    state = number_step(state, peek(reader));
    advance(reader);
  }
  if (state == NUMBER_START) return ERROR_SENTINEL;
  return is_number(state) ? NUMBER : WORD;
}

static bool read_operator(Reader *reader) {
  int32_t c = peek(reader);
  if (c == '=' || c == '!') {
    advance(reader);
    return accept(reader, '=');
  }
  if (c != '<' && c != '>') return false;
  advance(reader);
  accept(reader, '=');
  return true;
}

static bool read_operand(Reader *reader) {
  int32_t c = peek(reader);
  if (is_quote(c)) return read_string(reader);
  if (c == '-' || is_digit(c)) return read_number(reader);
  NameWord word = read_word(reader);
  if (word == WORD_TRUE || word == WORD_FALSE) return true;
  return word == WORD_NAME && read_segments(reader);
}

static bool read_condition(Reader *reader) {
  if (!read_operand(reader)) return false;
  skip_blanks(reader);
  if (peek(reader) == '}') return true;
  if (!read_operator(reader)) return false;
  skip_blanks(reader);
  return read_operand(reader);
}

static bool read_loop(Reader *reader) {
  return read_word(reader) == WORD_NAME && skip_blanks(reader) && read_word(reader) == WORD_IN &&
         skip_blanks(reader) && read_variable(reader);
}

static bool read_count(Reader *reader) {
  int32_t c = peek(reader);
  return c == '-' || is_digit(c) ? read_number(reader) : read_variable(reader);
}

static bool read_arguments(Reader *reader) {
  while (skip_blanks(reader)) {
    if (peek(reader) == '}') return true;
    if (read_argument(reader) == ERROR_SENTINEL) return false;
  }
  return peek(reader) == '}';
}

// ---------------------------------------------------------------------------------------------
// The verdict on a `{`

typedef enum { FORM_BRACE, FORM_MALFORMED, FORM_PLAIN, FORM_OPENER, FORM_CLOSER } Form;

typedef struct {
  Form form;
  Kind kind; // of an opener and a closer
} Verdict;

static bool read_control_form(Reader *reader, NameWord word, bool closes) {
  skip_blanks(reader);
  if (closes) return is_block_word(word);
  switch (word) {
    case WORD_IF:
    case WORD_ELSEIF:
    case WORD_WHILE:
      return read_condition(reader);
    case WORD_FOR:
      return read_loop(reader);
    case WORD_REPEAT:
      return read_count(reader);
    default:
      return true; // {else}
  }
}

// A malformed tag ends at the line's first `}`, and there is none where a `{` comes before.
static bool ends_as_malformed(Reader *reader) {
  while (reader->first_brace == 0 && !at_line_end(reader)) advance(reader);
  return reader->first_brace == '}';
}

// Reads on from behind the `{`.
static Verdict judge(TSLexer *lexer) {
  static const Verdict BRACE_VERDICT = {FORM_BRACE, KIND_IF};
  Reader reader = {lexer, 0};
  skip_blanks(&reader);
  bool closes = accept(&reader, '/');
  NameWord word = read_word(&reader);

  if (!is_control_word(word)) {
    bool sound = !closes && word == WORD_NAME && read_segments(&reader) && read_arguments(&reader);
    return sound ? (Verdict){FORM_PLAIN, KIND_IF} : BRACE_VERDICT;
  }

  if (!is_blank(peek(&reader)) && peek(&reader) != '}') return BRACE_VERDICT;
  bool sound = read_control_form(&reader, word, closes);
  skip_blanks(&reader);
  if (!sound || peek(&reader) != '}') {
    return ends_as_malformed(&reader) ? (Verdict){FORM_MALFORMED, KIND_IF} : BRACE_VERDICT;
  }
  if (!is_block_word(word)) return (Verdict){FORM_PLAIN, KIND_IF};
  return (Verdict){closes ? FORM_CLOSER : FORM_OPENER, (Kind)(word - WORD_IF)};
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
    enum TokenType type = read_argument(&reader);
    return type != ERROR_SENTINEL && emit(lexer, type);
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
