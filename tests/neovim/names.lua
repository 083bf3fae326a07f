--- Where a name stands, and another name for it. Working directory: a copy of the sample project.
local t = require('lib')

t.run(function()
  local catalog = t.open('promptblock.catalog.json')
  local buf, client = t.open('rules.promptblock')
  if not t.check('attached', client ~= nil and client ~= false) then
    return
  end
  t.expect('judged', buf, { 'mutable-in-system time', 'unknown-variable usr_name' })

  local function at(what, by)
    return { position = t.position(buf, what, by) }
  end
  local params = at('{time}', 1)
  params.context = { includeDeclaration = true }
  local files = {}
  for _, place in ipairs(t.request(buf, 'textDocument/references', params) or {}) do
    files[vim.fn.fnamemodify(vim.uri_to_fname(place.uri), ':t')] = true
  end
  t.equal('references in catalog and block', files, { ['promptblock.catalog.json'] = true, ['rules.promptblock'] = true })

  local prepared = t.request(buf, 'textDocument/prepareRename', at('{time}', 1))
  t.equal('what is renamed', prepared and prepared.placeholder, 'time')
  t.equal('nothing is renamed off a name', t.request(buf, 'textDocument/prepareRename', at('zone', 1)), nil)

  local help = t.request(buf, 'textDocument/signatureHelp', at('{weather "北京"', #'{weather "北'))
  local shown = help and help.signatures[1] or {}
  t.check('the arguments of a variable', (shown.label or ''):find('city', 1, true) ~= nil, vim.inspect(help))
  t.equal('the first is being written', help and (help.activeParameter or shown.activeParameter), 0)
  t.equal('prose has no arguments', t.request(buf, 'textDocument/signatureHelp', at('你好', 0)), nil)

  -- As a user does: with the cursor on the name.
  local line, column = t.find(buf, '{time}', 1)
  vim.api.nvim_win_set_cursor(0, { line + 1, column })
  vim.lsp.buf.rename('时刻')
  local function holds(bufnr, what)
    return table.concat(vim.api.nvim_buf_get_lines(bufnr, 0, -1, false), '\n'):find(what, 1, true) ~= nil
  end
  t.check('the block has the new name', t.wait(function()
    return holds(buf, '{时刻}')
  end, 5000))
  t.check('and so has the catalog', holds(catalog, '"时刻"') and not holds(catalog, '"time"'))
  t.expect('which is the same variable', buf, { 'mutable-in-system 时刻', 'unknown-variable usr_name' })

  local said = {}
  vim.notify = function(message)
    table.insert(said, message)
  end
  local answers = vim.lsp.buf_request_sync(buf, 'textDocument/rename', {
    textDocument = { uri = vim.uri_from_bufnr(buf) },
    position = t.position(buf, '{时刻}', 1),
    newName = 'user_name',
  }, 10000)
  local answer = (answers or {})[client.id] or {}
  local message = (answer.err or answer.error or {}).message or vim.inspect(answers)
  t.check('a name that is taken is refused with the reason', message:find('user_name', 1, true) ~= nil, message)
end)
