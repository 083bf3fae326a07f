; The header and the body bring their own colours where the YAML, template and Markdown grammars are installed.

(delimiter) @punctuation.delimiter

(key) @property
