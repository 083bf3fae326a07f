--- A server that is not there, or dies, is said once and clearly; editing goes on.
local t = require('lib')

t.run(function()
  local said = {}
  vim.notify = function(message)
    table.insert(said, message)
  end
  require('promptblock').setup({ cmd = { '/nowhere/promptblock', 'lsp' } })
  vim.cmd('edit rules.promptblock')
  vim.cmd('edit plain.promptblock')
  vim.wait(300)
  t.equal('no client', #t.clients(), 0)
  t.equal('said once for two buffers', #said, 1)
  t.check('names the command', (said[1] or ''):find('"/nowhere/promptblock" is not an executable', 1, true) ~= nil, said[1])
  t.check('says what to do', (said[1] or ''):find(':checkhealth promptblock', 1, true) ~= nil, said[1])

  said = {}
  require('promptblock').setup({ cmd = { 'sh', '-c', 'exit 7' } })
  vim.cmd('PromptblockRestart')
  t.check('a dying server is told', t.wait(function()
    return table.concat(said, '\n'):find('ended unexpectedly (exit code 7', 1, true) ~= nil
  end, 5000), vim.inspect(said))
  t.equal('the text is still there', vim.fn.getline(1), '---')

  t.check('an unknown option is refused', not pcall(require('promptblock').setup, { command = 'x' }))
  t.check('a wrong type is refused', not pcall(require('promptblock').setup, { cmd = 'promptblock lsp' }))
  require('promptblock').setup({ cmd = { vim.env.PROMPTBLOCK, 'lsp' }, autostart = true })
  vim.cmd('PromptblockRestart')
  vim.cmd('buffer rules.promptblock')
  t.expect('with the right command all is well', vim.api.nvim_get_current_buf(), {
    'mutable-in-system time',
    'unknown-variable usr_name',
  })
end)
