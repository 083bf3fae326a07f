// What a `{` begins: the forms of a tag, read character by character and never back.
//
// Reading ahead from every brace of a line costs no more than reading the line a few times. Outside of
// quotes it stops at the next brace. To go past a brace it must be in single or in double quotes there;
// each quote takes all that are under way to another state, no two of them to the same; so of those
// that are at one place in the line, one at most is in each kind of quotes.

#ifndef PROMPT_TEMPLATE_TAG_H_
#define PROMPT_TEMPLATE_TAG_H_

#include "tree_sitter/parser.h"
#include "unicode.h"

#include <string.h>

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

typedef enum { ARGUMENT_NONE, ARGUMENT_NUMBER, ARGUMENT_STRING, ARGUMENT_WORD } Argument;

// None where nothing fits.
static Argument read_argument(Reader *reader) {
  if (is_quote(peek(reader))) return read_string(reader) ? ARGUMENT_STRING : ARGUMENT_NONE;
  NumberState state = NUMBER_START;
  while (!at_line_end(reader) && !is_blank(peek(reader)) && !is_brace(peek(reader))) {
    if (is_quote(peek(reader))) return ARGUMENT_NONE;
    state = number_step(state, peek(reader));
    advance(reader);
  }
  if (state == NUMBER_START) return ARGUMENT_NONE;
  return is_number(state) ? ARGUMENT_NUMBER : ARGUMENT_WORD;
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
    if (read_argument(reader) == ARGUMENT_NONE) return false;
  }
  return peek(reader) == '}';
}

// ---------------------------------------------------------------------------------------------
// The verdict on a `{`

// The blocks. The order is that of the words that open them.
typedef enum { KIND_IF, KIND_FOR, KIND_WHILE, KIND_REPEAT } Kind;

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

#endif
