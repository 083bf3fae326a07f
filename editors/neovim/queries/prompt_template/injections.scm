; What stands between the tags is Markdown, read as one text, so that a list or a fence goes on behind a tag.
((text) @injection.content
  (#set! injection.language "markdown")
  (#set! injection.combined))
