; No two patterns take the same node, since editors disagree on whether the first or the last one wins.
; The priority is Neovim's: there the Markdown that is injected around the tags would paint over them,
; as a heading does from its first to its last character.
; A `brace` has no colour: it is text, whether it is meant (JSON) or a slip.

((escape) @string.escape
  (#set! priority 110))

((malformed_tag) @error
  (#set! priority 110))

; These stand at the borders of tags only.
([
  "{"
  "}"
  "/"
] @punctuation.special
  (#set! priority 110))

("." @punctuation.delimiter
  (#set! priority 110))

([
  "if"
  "elseif"
  "else"
] @keyword.conditional
  (#set! priority 110))

([
  "for"
  "in"
  "while"
  "repeat"
] @keyword.repeat
  (#set! priority 110))

((operator) @operator
  (#set! priority 110))

((variable
  .
  (identifier) @variable)
  (#set! priority 110))

((variable
  "."
  (identifier) @variable.member)
  (#set! priority 110))

((for_tag
  binding: (identifier) @variable.parameter)
  (#set! priority 110))

([
  (string)
  (word)
] @string
  (#set! priority 110))

((number) @number
  (#set! priority 110))

((boolean) @boolean
  (#set! priority 110))
