; Names are the template's; none of them is seen outside of its file.
(document) @local.scope
