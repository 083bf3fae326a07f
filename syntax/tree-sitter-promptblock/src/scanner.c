// The lexer of block files. It reads the header line by line and keeps in mind whether a key `template`
// said `true`, since that decides what the body is.

#include "tree_sitter/alloc.h"
#include "tree_sitter/parser.h"

#include <string.h>

// The order is that of `externals` in grammar.js.
enum TokenType {
  OPEN_DELIMITER,
  CLOSE_DELIMITER,
  OPEN_LINE_END,
  CLOSE_LINE_END,
  INDENT,
  KEY,
  LINE_REST,
  TEMPLATE_BODY,
  MARKDOWN_BODY,
  ERROR_SENTINEL,
};

// The first `template` of the header counts.
enum { TEMPLATE_UNSET, TEMPLATE_VALUE_NEXT, TEMPLATE_TRUE, TEMPLATE_FALSE };

#define NO_INDENT UINT8_MAX

typedef struct {
  uint8_t template_state;
  // Of the first key, and so of all keys at the top level.
  uint8_t key_indent;
  uint8_t line_indent;
} Scanner;

// ---------------------------------------------------------------------------------------------
// Characters

static bool at_end(TSLexer *lexer) { return lexer->lookahead == 0 && lexer->eof(lexer); }

static bool at_line_end(TSLexer *lexer) {
  return lexer->lookahead == '\n' || lexer->lookahead == '\r' || at_end(lexer);
}

static bool is_blank(int32_t c) { return c == ' ' || c == '\t'; }

static bool at_space(TSLexer *lexer) { return is_blank(lexer->lookahead) || at_line_end(lexer); }

static void advance(TSLexer *lexer) { lexer->advance(lexer, false); }

static bool accept(TSLexer *lexer, int32_t c) {
  if (lexer->lookahead != c) return false;
  advance(lexer);
  return true;
}

static void skip_blanks(TSLexer *lexer) {
  while (is_blank(lexer->lookahead)) advance(lexer);
}

static bool emit(TSLexer *lexer, enum TokenType type) {
  lexer->mark_end(lexer);
  lexer->result_symbol = type;
  return true;
}

// A word is matched a character at a time, since what is read cannot be read again.
typedef struct {
  const char *word;
  bool matches;
} Matcher;

static void match(Matcher *matcher, int32_t c) {
  matcher->matches = matcher->matches && *matcher->word != 0 && *matcher->word == c;
  if (matcher->matches) matcher->word++;
}

static bool is_matched(const Matcher *matcher) { return matcher->matches && *matcher->word == 0; }

// ---------------------------------------------------------------------------------------------
// The tokens

// Reads `---` where nothing but blanks is behind it. The token ends behind the dashes.
static bool read_delimiter(TSLexer *lexer) {
  for (int i = 0; i < 3; i++) {
    if (!accept(lexer, '-')) return false;
  }
  lexer->mark_end(lexer);
  skip_blanks(lexer);
  return at_line_end(lexer);
}

static bool scan_body(TSLexer *lexer, enum TokenType type) {
  while (!at_end(lexer)) advance(lexer);
  return emit(lexer, type);
}

// A file that does not begin with a delimiter has no header.
static bool scan_start(TSLexer *lexer) {
  if (!read_delimiter(lexer)) return scan_body(lexer, MARKDOWN_BODY);
  lexer->result_symbol = OPEN_DELIMITER;
  return true;
}

static void read_line_break(TSLexer *lexer) {
  if (accept(lexer, '\r')) {
    accept(lexer, '\n');
  } else {
    accept(lexer, '\n');
  }
}

static bool scan_line_end(TSLexer *lexer, enum TokenType type) {
  skip_blanks(lexer);
  read_line_break(lexer);
  return emit(lexer, type);
}

static bool scan_line_rest(Scanner *scanner, TSLexer *lexer) {
  scanner->line_indent = 0;
  while (!at_line_end(lexer)) advance(lexer);
  read_line_break(lexer);
  return emit(lexer, LINE_REST);
}

// `: true`, and at most a comment behind it. A value that stands on lines of its own is not looked for.
static bool read_true(TSLexer *lexer) {
  skip_blanks(lexer);
  accept(lexer, ':');
  skip_blanks(lexer);
  Matcher spellings[] = {{"true", true}, {"True", true}, {"TRUE", true}};
  while (!at_space(lexer)) {
    for (int i = 0; i < 3; i++) match(&spellings[i], lexer->lookahead);
    advance(lexer);
  }
  bool is_true = is_matched(&spellings[0]) || is_matched(&spellings[1]) || is_matched(&spellings[2]);
  skip_blanks(lexer);
  return is_true && (lexer->lookahead == '#' || at_line_end(lexer));
}

static bool scan_value(Scanner *scanner, TSLexer *lexer) {
  if (scanner->template_state == TEMPLATE_VALUE_NEXT) {
    scanner->template_state = read_true(lexer) ? TEMPLATE_TRUE : TEMPLATE_FALSE;
  }
  return scan_line_rest(scanner, lexer);
}

// A plain key can hold blanks, but ends before those in front of the colon.
static bool read_plain_key(TSLexer *lexer, Matcher *name) {
  // What YAML begins other things with.
  if (lexer->lookahead > 0 && lexer->lookahead < 0x80 && strchr("-?:,[]{}#&*!|>%@`", lexer->lookahead)) {
    return false;
  }
  while (!at_line_end(lexer)) {
    if (is_blank(lexer->lookahead)) {
      skip_blanks(lexer);
      if (lexer->lookahead == '#') return false;
      if (lexer->lookahead != ':') match(name, ' ');
      continue;
    }
    int32_t c = lexer->lookahead;
    advance(lexer);
    if (c == ':' && at_space(lexer)) return true;
    match(name, c);
    lexer->mark_end(lexer);
  }
  return false;
}

// An escape in the key is not resolved: nobody writes `template` with one.
static bool read_quoted_key(TSLexer *lexer, Matcher *name) {
  int32_t quote = lexer->lookahead;
  advance(lexer);
  while (lexer->lookahead != quote) {
    if (at_line_end(lexer)) return false;
    match(name, lexer->lookahead);
    if (quote == '"' && lexer->lookahead == '\\') advance(lexer);
    if (at_line_end(lexer)) return false;
    advance(lexer);
  }
  advance(lexer);
  lexer->mark_end(lexer);
  skip_blanks(lexer);
  return accept(lexer, ':') && at_space(lexer);
}

static bool scan_key_or_rest(Scanner *scanner, TSLexer *lexer) {
  bool is_content = lexer->lookahead != '#' && !at_line_end(lexer);
  if (is_content && scanner->key_indent == NO_INDENT) scanner->key_indent = scanner->line_indent;
  if (!is_content || scanner->line_indent != scanner->key_indent) return scan_line_rest(scanner, lexer);

  Matcher name = {"template", true};
  bool is_quoted = lexer->lookahead == '"' || lexer->lookahead == '\'';
  bool is_key = is_quoted ? read_quoted_key(lexer, &name) : read_plain_key(lexer, &name);
  if (!is_key) return scan_line_rest(scanner, lexer);
  if (is_matched(&name) && scanner->template_state == TEMPLATE_UNSET) {
    scanner->template_state = TEMPLATE_VALUE_NEXT;
  }
  lexer->result_symbol = KEY;
  return true;
}

static bool scan_line_start(Scanner *scanner, TSLexer *lexer) {
  if (lexer->lookahead == '-') {
    if (read_delimiter(lexer)) {
      lexer->result_symbol = CLOSE_DELIMITER;
      return true;
    }
    // No key begins with a dash: this is an item of a list, or broken.
    if (scanner->key_indent == NO_INDENT) scanner->key_indent = 0;
    return scan_line_rest(scanner, lexer);
  }
  if (!is_blank(lexer->lookahead)) return scan_key_or_rest(scanner, lexer);

  unsigned width = 0;
  while (is_blank(lexer->lookahead)) {
    if (width < NO_INDENT - 1) width++;
    advance(lexer);
  }
  if (at_line_end(lexer)) return scan_line_rest(scanner, lexer);
  scanner->line_indent = (uint8_t)width;
  return emit(lexer, INDENT);
}

// ---------------------------------------------------------------------------------------------
// The interface

static void reset(Scanner *scanner) {
  scanner->template_state = TEMPLATE_UNSET;
  scanner->key_indent = NO_INDENT;
  scanner->line_indent = 0;
}

void *tree_sitter_promptblock_external_scanner_create(void) {
  Scanner *scanner = ts_malloc(sizeof(Scanner));
  reset(scanner);
  return scanner;
}

void tree_sitter_promptblock_external_scanner_destroy(void *payload) { ts_free(payload); }

unsigned tree_sitter_promptblock_external_scanner_serialize(void *payload, char *buffer) {
  memcpy(buffer, payload, sizeof(Scanner));
  return sizeof(Scanner);
}

void tree_sitter_promptblock_external_scanner_deserialize(void *payload, const char *buffer,
                                                          unsigned length) {
  if (length == sizeof(Scanner)) {
    memcpy(payload, buffer, length);
  } else {
    reset(payload);
  }
}

// The grammar allows a file to end, and so a body to begin, behind every line of a header. Hence the
// order: while the header can go on, it does.
bool tree_sitter_promptblock_external_scanner_scan(void *payload, TSLexer *lexer, const bool *valid) {
  Scanner *scanner = payload;
  if (valid[ERROR_SENTINEL] || at_end(lexer)) return false;
  if (valid[OPEN_DELIMITER]) return scan_start(lexer);
  if (valid[OPEN_LINE_END]) return scan_line_end(lexer, OPEN_LINE_END);
  if (valid[CLOSE_DELIMITER]) return scan_line_start(scanner, lexer);
  if (valid[KEY]) return scan_key_or_rest(scanner, lexer);
  if (valid[LINE_REST]) return scan_value(scanner, lexer);
  if (valid[CLOSE_LINE_END]) return scan_line_end(lexer, CLOSE_LINE_END);
  return scan_body(lexer, scanner->template_state == TEMPLATE_TRUE ? TEMPLATE_BODY : MARKDOWN_BODY);
}
