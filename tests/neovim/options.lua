--- Settings that switch something off, and who wins where the user has chosen otherwise.
local t = require('lib')

t.run(function()
  local setup = require('promptblock').setup
  setup({ autostart = false, folding = false })
  vim.cmd('edit rules.promptblock')
  local buf = vim.api.nvim_get_current_buf()
  vim.wait(300)
  t.equal('autostart = false: no client', #t.clients(), 0)
  setup({ autostart = true })
  vim.cmd('edit! rules.promptblock')
  t.check('autostart = true: attached', t.wait(function()
    return t.client(buf) ~= nil
  end))
  t.expect('and judged', buf, { 'mutable-in-system time', 'unknown-variable usr_name' })
  t.equal('folding = false: left alone', vim.wo.foldmethod, 'manual')

  setup({ folding = true })
  vim.cmd('setlocal foldmethod=indent')
  local plain = t.open('plain.promptblock')
  vim.cmd('setlocal foldmethod=indent')
  vim.cmd('PromptblockRestart')
  t.check('restarted', t.wait(function()
    return t.client(plain) ~= nil
  end))
  vim.wait(100)
  t.equal('a chosen foldmethod stays', vim.wo.foldmethod, 'indent')

  if t.native then
    -- The user's own word beats the plugin's.
    vim.lsp.config('promptblock', { init_options = { locale = 'zh-CN' } })
    vim.cmd('PromptblockRestart')
    t.check('restarted with vim.lsp.config', t.wait(function()
      return t.client(buf) ~= nil
    end))
    t.equal('vim.lsp.config counts', t.client(buf).config.init_options.locale, 'zh-CN')
  end

  -- The server of before this call stays; a buffer without one gets it at once.
  for _, client in ipairs(t.clients()) do
    vim.lsp.stop_client(client.id)
  end
  t.check('stopped', t.wait(function()
    return #t.clients() == 0
  end))
  setup({ cmd = { vim.env.PROMPTBLOCK, 'lsp' } })
  t.check('setup attaches what is open', t.wait(function()
    return t.client(buf) ~= nil
  end))

  t.check('a block can be reopened after its filetype was changed', pcall(function()
    vim.cmd('buffer! ' .. buf)
    vim.cmd('setlocal filetype=nothing')
    t.equal('options of the filetype are undone', vim.bo.commentstring, vim.go.commentstring)
    vim.cmd('setlocal filetype=promptblock')
  end))
end)
