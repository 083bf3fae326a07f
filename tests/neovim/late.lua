--- `setup` after the file was opened and before Neovim is up: `nvim FILE -c 'lua …'`. run.sh opens the
--- file, and NO_SETUP leaves init.lua without a server.
local t = require('lib')

require('promptblock').setup({ cmd = { vim.env.PROMPTBLOCK, 'lsp' } })

t.run(function()
  local buf = vim.api.nvim_get_current_buf()
  t.equal('the filetype was set although no server was found', vim.bo.filetype, 'promptblock')
  t.equal('and what comes after it was done', vim.bo.syntax, 'promptblock')
  t.expect('judged', buf, { 'mutable-in-system time', 'unknown-variable usr_name' })
end)
