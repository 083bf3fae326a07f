; No two patterns take the same node, since editors disagree on whether the first or the last one wins.
; A `brace` has no colour: it is text, whether it is meant (JSON) or a slip.

(escape) @string.escape

(malformed_tag) @error

; These stand at the borders of tags only.
[
  "{"
  "}"
  "/"
] @punctuation.special

"." @punctuation.delimiter

[
  "if"
  "elseif"
  "else"
] @keyword.conditional

[
  "for"
  "in"
  "while"
  "repeat"
] @keyword.repeat

(operator) @operator

(variable
  .
  (identifier) @variable)

(variable
  "."
  (identifier) @variable.member)

(for_tag
  binding: (identifier) @variable.parameter)

[
  (string)
  (word)
] @string

(number) @number

(boolean) @boolean
