--- Blocks in source code. Working directory: a copy of the sample project.
local t = require('lib')

local SOURCE = [[// 你🎉
ctx.prompt.variable({ name: 'tone', description: '语气' }, () => '')
ctx.prompt.block({ id: 't:src', zone: 'context', order: 30, template: true, content: '\u4f60🎉 {nme} {tone}' })
]]

t.run(function()
  t.write('block.ts', SOURCE)
  t.write('other.ts', 'export const text = "{nme} {if x}"\n')
  vim.fn.mkdir('elsewhere/src', 'p')

  local buf, client = t.open('block.ts')
  if not t.check('attached to a file that registers something', client ~= nil and client ~= false) then
    return
  end
  t.equal('filetype', vim.bo[buf].filetype, 'typescript')
  t.expect('diagnostics inside the text', buf, { 'unknown-variable nme' })
  local hover = t.request(buf, 'textDocument/hover', { position = t.position(buf, '{tone}', 2) })
  t.check('hover inside the text', vim.inspect(hover):find('语气', 1, true) ~= nil, vim.inspect(hover))
  local answer = t.request(buf, 'textDocument/completion', { position = t.position(buf, '{nme}', 1) })
  local labels = {}
  for _, item in ipairs(answer and (answer.items or answer) or {}) do
    labels[item.label] = true
  end
  t.check('completion inside the text', labels.tone and labels.user_name, vim.inspect(labels))
  t.equal('and none outside', t.request(buf, 'textDocument/completion', { position = t.position(buf, 'zone:', 1) }), nil)
  local at = t.find(buf, '{nme}')
  local line = vim.api.nvim_buf_get_lines(buf, at, at + 1, false)[1]
  vim.api.nvim_buf_set_lines(buf, at, at + 1, false, { (line:gsub('{nme}', '{user_name}')) })
  t.expect('an edit is judged at once', buf, {})

  if t.native then
    -- The server of the language formats and colours source code, and nobody else.
    for _, method in ipairs({ 'formatting', 'rangeFormatting' }) do
      t.check('no ' .. method, not client:supports_method('textDocument/' .. method, buf))
    end
    local options = { tabSize = 2, insertSpaces = true }
    local typed = { position = t.position(buf, '{tone}', 6), ch = '}', options = options }
    t.equal('nothing is formatted on typing', t.request(buf, 'textDocument/onTypeFormatting', typed), nil)
    t.equal('no tokens', t.request(buf, 'textDocument/semanticTokens/full', {}), nil)
    t.equal('no folds of ours', vim.wo.foldmethod, 'manual')
    local block = t.open('rules.promptblock')
    t.check('a block is formatted', t.wait(function()
      return client:supports_method('textDocument/formatting', block)
    end))
  end
  t.equal('the same server as for blocks', #t.clients(), 1)

  local other, attached = t.open('other.ts')
  t.check('attached in a project of ours', attached and attached.id == client.id)
  vim.wait(500)
  t.equal('silent where nothing is registered', t.findings(other, true), {})
  t.equal('no outline', t.request(other, 'textDocument/documentSymbol', {}), nil)

  -- Where no file of ours is, the calls decide.
  local away = vim.fn.tempname()
  vim.fn.mkdir(away .. '/src', 'p')
  t.write(away .. '/package.json', '{}')
  t.write(away .. '/src/a.js', 'module.exports = "{x}"\n')
  vim.cmd('edit ' .. away .. '/src/a.js')
  local plain = vim.api.nvim_get_current_buf()
  vim.wait(500)
  t.check('no server for a file without calls', not t.client(plain))
  local call = 'ctx.systemPrompt\n  .section({ name: "a", order: 1, text: "{{nobody}}" })'
  vim.api.nvim_buf_set_lines(plain, 0, -1, false, vim.split(call, '\n'))
  vim.cmd('silent write')
  t.check('but once it holds one and is saved', t.wait(function()
    return t.client(plain) ~= nil
  end))
  t.wait(function()
    return #t.findings(plain, true) > 0
  end)
  t.equal('then it is judged', t.findings(plain, true), { 'no-catalog nobody' })
end)
