-- Stands for a user's configuration. PLUGIN: the plugin's folder; PROMPTBLOCK: the server.
vim.opt.runtimepath:prepend(vim.env.PLUGIN)
vim.opt.runtimepath:prepend(vim.env.TESTS .. '/rtp')
package.path = vim.env.TESTS .. '/?.lua;' .. package.path
vim.o.swapfile = false
if not vim.env.NO_SETUP then
  require('promptblock').setup({
    cmd = { vim.env.PROMPTBLOCK, 'lsp' },
    locale = vim.env.TEST_LOCALE or 'en',
  })
end
