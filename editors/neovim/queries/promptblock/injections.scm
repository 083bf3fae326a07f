((yaml) @injection.content
  (#set! injection.language "yaml")
  (#set! injection.include-children))

; Of the template's text the template's own queries make Markdown.
((template_body) @injection.content
  (#set! injection.language "prompt_template"))

((markdown_body) @injection.content
  (#set! injection.language "markdown"))
