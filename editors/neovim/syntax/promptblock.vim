" Colours for block files where there is no tree-sitter parser. The server's semantic tokens go on
" top where Neovim has them (0.9); this file knows no catalog.
if exists('b:current_syntax')
  finish
endif

" The body runs from the header's closing line to the end of the file.
syn sync fromstart

" Tags live only where the header says `template: true`, so there are two kinds of header, told
" apart by looking ahead from the first line to the closing one.
syn region promptblockHeader matchgroup=promptblockDelimiter start=/\%^---\s*$/ end=/^---\s*$/ contains=@promptblockHeaderItems keepend
syn region promptblockHeader matchgroup=promptblockDelimiter start=/\%^---\s*\n\%(\%(---\s*$\)\@!.*\n\)\{-}template:\s*true\s*\%(#.*\)\=$/rs=s+3,hs=s,he=s+3,me=s+3 end=/^---\s*$/ contains=@promptblockHeaderItems keepend nextgroup=promptblockTemplate skipnl

syn cluster promptblockHeaderItems contains=promptblockKey,promptblockZone,promptblockBoolean,promptblockNumber,promptblockString,promptblockComment
syn match promptblockKey /^\h\w*\ze\s*:/ contained
syn match promptblockZone /\%(^\%(zone\|role\|cache\):\s*\)\@<=\h\w*\ze\s*$/ contained
syn match promptblockBoolean /\%(:\s*\)\@<=\%(true\|false\)\ze\s*$/ contained
syn match promptblockNumber /\%(:\s*\)\@<=[-+]\=\d\+\%(\.\d\+\)\=\ze\s*$/ contained
syn region promptblockString start=/"/ skip=/\\"/ end=/"/ oneline contained
syn region promptblockString start=/'/ end=/'/ oneline contained
syn match promptblockComment /\%(^\|\s\)\@<=#.*$/ contained

syn region promptblockTemplate start=/./ start=/^$/ end=/\%$/ contained contains=@promptblockTags
syn cluster promptblockTags contains=promptblockEscape,promptblockLiteral,promptblockControl,promptblockVariable

" Later items win where two start at one place: literal braces lose to every tag, tags to escapes.
syn region promptblockLiteral start=/{/ end=/}/ contained contains=promptblockLiteral transparent
syn match promptblockVariable /{\s*\%(\%(if\|elseif\|else\|for\|while\|repeat\|in\|true\|false\)\%(\s\|}\)\)\@!\%(\a\|_\|[^\x00-\x7f]\)\%(\w\|\.\|[^\x00-\x7f]\)*\%(\s\+\%("\%(\\.\|[^"\\]\)*"\|'\%(\\.\|[^'\\]\)*'\|[^{}"'[:blank:]]\+\)\)*\s*}/ contained contains=promptblockName
syn match promptblockName /\%({\s*\)\@<=[^{}[:blank:]]\+/ contained nextgroup=promptblockArgument skipwhite
syn match promptblockArgument /\%("\%(\\.\|[^"\\]\)*"\|'\%(\\.\|[^'\\]\)*'\|[^{}"'[:blank:]]\+\)/ contained nextgroup=promptblockArgument skipwhite
syn region promptblockControl matchgroup=promptblockKeyword start=/{\s*\/\=\%(if\|elseif\|else\|for\|while\|repeat\)\%(\s\|}\)\@=/ end=/}/ oneline contained contains=promptblockOperand,promptblockIn,promptblockOperator,promptblockLiteralValue,promptblockTagString
syn match promptblockOperand /[^{}"'[:blank:]<>=!]\+/ contained
syn match promptblockIn /\s\zsin\ze\s/ contained
syn match promptblockOperator /[=!<>]=\|[<>]/ contained
syn match promptblockLiteralValue /\%([^{}"'[:blank:]<>=!]\)\@<!\%(true\|false\|-\=\d\+\%(\.\d\+\)\=\%([eE][+-]\=\d\+\)\=\)\ze\%([[:blank:]}<>=!]\)/ contained
syn region promptblockTagString start=/"/ skip=/\\./ end=/"/ oneline contained
syn region promptblockTagString start=/'/ skip=/\\./ end=/'/ oneline contained
syn match promptblockEscape /{{\|}}/ contained

hi def link promptblockDelimiter Delimiter
hi def link promptblockKey Type
hi def link promptblockZone Constant
hi def link promptblockBoolean Boolean
hi def link promptblockNumber Number
hi def link promptblockString String
hi def link promptblockComment Comment
hi def link promptblockVariable Delimiter
hi def link promptblockName Identifier
hi def link promptblockArgument String
hi def link promptblockKeyword Keyword
hi def link promptblockOperand Identifier
hi def link promptblockIn Keyword
hi def link promptblockOperator Operator
hi def link promptblockLiteralValue Constant
hi def link promptblockTagString String
hi def link promptblockEscape SpecialChar

let b:current_syntax = 'promptblock'
