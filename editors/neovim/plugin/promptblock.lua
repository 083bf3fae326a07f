if vim.g.loaded_promptblock then
  return
end
vim.g.loaded_promptblock = true

if vim.fn.has('nvim-0.7') == 0 then
  vim.api.nvim_echo({ { 'promptblock: Neovim 0.7 or newer is needed', 'WarningMsg' } }, true, {})
  return
end

require('promptblock.highlights').install()
require('promptblock.client').install()

vim.api.nvim_create_user_command('PromptblockRestart', function()
  require('promptblock.client').restart()
end, { desc = 'Restart the promptblock server' })

vim.api.nvim_create_user_command('PromptblockPreview', function(command)
  require('promptblock.preview').open(command.fargs[1], command.fargs[2])
end, {
  nargs = '*',
  complete = function()
    return require('promptblock.preview').environments()
  end,
  desc = 'Show what the model is sent, beside the text',
})

vim.api.nvim_create_user_command('PromptblockInstallParsers', function()
  require('promptblock.parsers').install()
end, { desc = 'Compile the tree-sitter parsers of promptblock' })
