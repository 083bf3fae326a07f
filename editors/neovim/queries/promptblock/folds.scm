[
  (front_matter)
  (template_body)
  (markdown_body)
] @fold
