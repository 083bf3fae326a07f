; Only a loop brings a name of its own, which is seen up to the loop's end.

(for_block) @local.scope

(for_tag
  binding: (identifier) @local.definition)

(variable
  .
  (identifier) @local.reference)
