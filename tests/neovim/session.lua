--- A session as an author has it, in the sample project. Working directory: a copy of it.
local t = require('lib')

t.run(function()
  local said = {}
  vim.notify = function(message)
    table.insert(said, message)
  end

  local buf, client = t.open('rules.promptblock')
  t.equal('filetype of a block', vim.bo[buf].filetype, 'promptblock')
  if not t.check('attached', client ~= nil and client ~= false) then
    return
  end
  t.equal('root is the folder of promptblock.toml', vim.loop.fs_realpath(client.config.root_dir), vim.loop.cwd())
  t.equal('the locale is told', client.config.init_options, { locale = vim.env.TEST_LOCALE or 'en' })
  t.equal('no comment marks in a prompt', vim.bo[buf].commentstring, '')

  local mistakes = { 'mutable-in-system time', 'unknown-variable usr_name' }
  t.expect('diagnostics, at the right bytes behind CJK and emoji', buf, mistakes)

  local hover = t.request(buf, 'textDocument/hover', { position = t.position(buf, '120', 1) })
  local text = hover and vim.inspect(hover.contents) or 'no hover'
  t.check('hover on order names the band', text:lower():find('tool guidance', 1, true) ~= nil, text)

  -- Completion behind a brace that was just typed, with the cursor in it.
  vim.api.nvim_buf_set_lines(buf, 8, 9, false, { '{' })
  local answer, problem = t.request(buf, 'textDocument/completion', { position = { line = 8, character = 1 } })
  local labels = {}
  for _, item in ipairs(answer and (answer.items or answer) or {}) do
    labels[item.label] = true
  end
  t.check('completion lists the catalog', labels.user_name and labels.weather and labels.time, problem or vim.inspect(labels))
  if t.native then
    -- What Neovim makes of an item: its own expansion of the arguments, and the documentation on demand.
    for _, item in ipairs(answer and (answer.items or answer) or {}) do
      if item.label == 'weather' then
        local edit = item.textEdit.newText
        t.check('arguments come as a snippet', edit:find('${1:', 1, true) ~= nil, edit)
      end
      if item.label == 'time' then
        local resolved = item
        if item.data then
          resolved = t.request(buf, 'completionItem/resolve', item) or {}
        end
        t.check('documentation on demand', resolved.documentation ~= nil, vim.inspect(resolved))
      end
      t.check('nothing is committed by typing on', item.commitCharacters == nil, item.label)
    end
  end
  vim.api.nvim_buf_set_lines(buf, 8, 9, false, { '一句话 ' })
  answer = t.request(buf, 'textDocument/completion', { position = { line = 8, character = 4 } })
  t.check('no completion in prose', #(answer and (answer.items or answer) or {}) == 0, vim.inspect(answer))
  vim.api.nvim_buf_set_lines(buf, 8, 9, false, { '{user_name} {nobody}' })
  t.expect('an edit is judged at once', buf, { 'mutable-in-system time', 'unknown-variable nobody' })

  local places = t.request(buf, 'textDocument/definition', { position = t.position(buf, '{user_name}', 2) })
  local place = places and (places[1] or places) or {}
  local target = vim.uri_to_fname(place.uri or place.targetUri or 'file:///nowhere')
  t.equal('definition leads to the catalog', vim.fn.fnamemodify(target, ':t'), 'promptblock.catalog.json')

  if t.native then
    local line, column = t.find(buf, '{time}', 2)
    local token
    t.wait(function()
      token = (vim.lsp.semantic_tokens.get_at_pos(buf, line, column) or {})[1]
      return token ~= nil
    end)
    t.check(
      'semantic tokens: a mutable variable',
      token and token.type == 'variable' and token.modifiers.mutable and token.modifiers.deprecated,
      vim.inspect(token)
    )
    local groups = {}
    for _, mark in ipairs(vim.inspect_pos(buf, line, column).semantic_tokens or {}) do
      groups[mark.opts.hl_group] = mark.opts.hl_group_link
    end
    t.equal(
      'a mutable variable has a colour of its own',
      groups['@lsp.typemod.variable.mutable.promptblock'],
      'Special'
    )
    t.equal('folds come from the server', vim.wo.foldexpr, 'v:lua.vim.lsp.foldexpr()')
    t.equal('nothing is folded at first', vim.fn.foldclosed(1), -1)
    t.check(
      'the if can be folded',
      t.wait(function()
        return vim.fn.foldlevel(9) > 0
      end, 3000),
      ('level %d'):format(vim.fn.foldlevel(9))
    )
  end

  -- All mistakes mended: nothing may stay.
  vim.api.nvim_buf_set_lines(buf, 6, 7, false, { '你好 🎉 {user_name}。' })
  vim.api.nvim_buf_set_lines(buf, 8, 9, false, { '{weather "北京"}' })
  t.expect('mended, all diagnostics go', buf, {})

  -- A refactoring, by the editor's own command.
  if vim.fn.has('nvim-0.11') == 1 then
    local whole = vim.api.nvim_buf_get_lines(buf, 6, 7, false)[1]
    vim.lsp.buf.code_action({
      context = { only = { 'refactor.rewrite' }, diagnostics = {} },
      -- The end is the last byte, as the mark of a selection is.
      range = { start = { 7, 0 }, ['end'] = { 7, #'你好' - 1 } },
      filter = function(action)
        return action.title == 'Wrap in `{if}`'
      end,
      apply = true,
    })
    local wrapped = '{if is_group}你好{/if}' .. whole:sub(#'你好' + 1)
    t.wait(function()
      return vim.api.nvim_buf_get_lines(buf, 6, 7, false)[1] ~= whole
    end)
    t.equal('a refactoring is applied', vim.api.nvim_buf_get_lines(buf, 6, 7, false)[1], wrapped)
    vim.api.nvim_buf_set_lines(buf, 6, 7, false, { whole })
  end
  vim.api.nvim_buf_set_lines(buf, 8, 9, false, { '{weather "北京"}{mood}' })
  t.expect('and come again', buf, { 'unknown-variable mood' })

  local plain = t.open('plain.promptblock')
  t.equal('one server for one project', #t.clients(), 1)
  vim.wait(300)
  t.equal('braces in a block that is no template are fine', t.findings(plain), {})

  -- The catalog, edited and not saved.
  local catalog, attached = t.open('promptblock.catalog.json')
  t.equal('a catalog may hold comments', vim.bo[catalog].filetype, 'jsonc')
  t.check('attached to the catalog', attached == client or (attached and attached.id == client.id))
  local row = t.find(catalog, '"user_name"')
  vim.api.nvim_buf_set_lines(catalog, row, row, false, { '    "mood": {},' })
  t.expect('the unsaved catalog counts', buf, {})
  vim.api.nvim_buf_set_lines(catalog, row, row + 1, false, { '    "mood": { "zones": ["nowhere"] },' })
  t.expect('a mistake in the catalog is shown in it', catalog, { 'invalid-catalog "nowhere"' })
  vim.api.nvim_buf_set_lines(catalog, row, row + 1, false, {})
  t.expect('taken out again, the block is judged again', buf, { 'unknown-variable mood' })
  vim.cmd('bwipeout! ' .. catalog)

  -- Changed by somebody else: the catalog, then a block in a folder that did not exist before.
  local before = t.read('promptblock.catalog.json')
  t.write('promptblock.catalog.json', (before:gsub('"user_name"', '"mood": {}, "user_name"')))
  t.expect('a catalog changed outside Neovim is noticed', buf, {})
  local twin = t.read('plain.promptblock'):gsub('demo:plain', 'demo:rules')
  vim.fn.mkdir('later/deep', 'p')
  t.write('later/deep/twin.promptblock', twin)
  t.expect('a block added outside Neovim is noticed', buf, { 'duplicate-id demo:rules' })
  vim.fn.delete('later', 'rf')
  t.expect('and its removal', buf, {})

  -- Not ours.
  vim.cmd('edit package.json')
  local other = vim.api.nvim_get_current_buf()
  vim.wait(300)
  t.check('other JSON files are left alone', not t.client(other))
  vim.cmd('enew')
  vim.bo.filetype = 'promptblock'
  vim.wait(300)
  t.check('a buffer without a name is left alone', not t.client(vim.api.nvim_get_current_buf()))

  -- Restart: a new process, the same findings.
  vim.cmd('buffer! ' .. buf)
  vim.api.nvim_buf_set_lines(buf, 8, 9, false, { '{weather "北京"}{nobody}' })
  t.expect('judged before the restart', buf, { 'unknown-variable nobody' })
  vim.cmd('PromptblockRestart')
  t.check('restarted', t.wait(function()
    local new = t.client(buf)
    return new and new.id ~= client.id
  end))
  t.expect('judged by the new server', buf, { 'unknown-variable nobody' })
  t.equal('one server after the restart', #t.clients(), 1)
  t.equal('nothing was complained of', said, {})
end)
