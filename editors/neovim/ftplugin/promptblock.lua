if vim.b.did_ftplugin == 1 then
  return
end
vim.b.did_ftplugin = 1

-- A block has no comments: everything in it reaches the model. An empty 'commentstring' makes a
-- comment command say so instead of writing a comment into the prompt.
vim.cmd('setlocal commentstring= comments= matchpairs+={:}')

-- For matchit (`%` jumps between the tags of one construct).
vim.b.match_words = table.concat({
  [[{\s*if\>:{\s*elseif\>:{\s*else\s*}:{\s*\/if\s*}]],
  [[{\s*for\>:{\s*\/for\s*}]],
  [[{\s*while\>:{\s*\/while\s*}]],
  [[{\s*repeat\>:{\s*\/repeat\s*}]],
}, ',')

vim.b.undo_ftplugin = 'setlocal commentstring< comments< matchpairs< | unlet! b:match_words'

require('promptblock.parsers').highlight(vim.api.nvim_get_current_buf())
