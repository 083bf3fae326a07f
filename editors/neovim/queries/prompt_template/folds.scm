[
  (if_block)
  (for_block)
  (while_block)
  (repeat_block)
] @fold
