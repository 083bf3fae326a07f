--- The preview in a buffer beside the text, on the sound example. Working directory: a copy of the examples.
local t = require('lib')

--- The lines of the preview.
local function lines(buf)
  return vim.api.nvim_buf_get_lines(buf, 0, -1, false)
end

local function row_of(buf, text)
  for row, line in ipairs(lines(buf)) do
    if line:find(text, 1, true) then
      return row, line:find(text, 1, true) - 1
    end
  end
end

local function preview_buf()
  for _, buf in ipairs(vim.api.nvim_list_bufs()) do
    if vim.api.nvim_buf_is_valid(buf) and vim.bo[buf].filetype == 'promptblock-preview' then
      return buf
    end
  end
end

--- The texts that a highlight group covers.
local function marked(buf, group)
  local found = {}
  for _, namespace in pairs(vim.api.nvim_get_namespaces()) do
    for _, mark in ipairs(vim.api.nvim_buf_get_extmarks(buf, namespace, 0, -1, { details = true })) do
      local row, column, details = mark[2], mark[3], mark[4]
      if details.hl_group == group and details.end_row == row then
        local line = vim.api.nvim_buf_get_lines(buf, row, row + 1, false)[1]
        table.insert(found, line:sub(column + 1, details.end_col))
      end
    end
  end
  return found
end

local function contains(list, wanted)
  for _, one in ipairs(list) do
    if one == wanted then
      return true
    end
  end
  return false
end

t.run(function()
  local said = {}
  vim.notify = function(message)
    table.insert(said, message)
  end

  vim.cmd('PromptblockPreview')
  t.wait(function()
    return #said > 0
  end, 2000)
  t.check('without a block it says what is needed', said[1] and said[1]:find('open a block', 1, true) ~= nil, vim.inspect(said))
  t.check('and opens nothing', preview_buf() == nil)
  said = {}

  local source, client = t.open('chat-bot/blocks/persona.promptblock')
  if not t.check('attached', client) then
    return
  end
  local text_win = vim.api.nvim_get_current_win()
  vim.cmd('PromptblockPreview')
  local buf = preview_buf()
  if not t.check('a buffer beside the text', buf ~= nil and #vim.api.nvim_list_wins() == 2) then
    return
  end
  t.equal('the text keeps the focus', vim.api.nvim_get_current_win(), text_win)
  t.check('the messages come', t.wait(function()
    return row_of(buf, '你叫阿桂，是拾页书店的店员') ~= nil
  end), table.concat(lines(buf), '\n'))
  t.check('the buffer cannot be edited', not vim.bo[buf].modifiable)

  local roles = {}
  for _, line in ipairs(lines(buf)) do
    local role = line:match('^── (%a+)$') or (line:match('^══ ') and 'boundary')
    if role then
      table.insert(roles, role)
    end
  end
  t.equal('messages in order, the boundary behind the prefix', table.concat(roles, ' '), 'system user assistant boundary user user user user user')
  t.check('values are marked', contains(marked(buf, 'PromptblockValue'), '拾页书店'), vim.inspect(marked(buf, 'PromptblockValue')))

  local win = vim.fn.bufwinid(buf)
  t.check('the preview stands at the block of the cursor', t.wait(function()
    local row = vim.api.nvim_win_get_cursor(win)[1]
    return row == row_of(buf, '你读得杂')
  end), vim.inspect(vim.api.nvim_win_get_cursor(win)))

  -- Typing, not saved.
  local row = t.find(source, '你读得杂')
  local head = row_of(buf, '你叫阿桂')
  vim.api.nvim_buf_set_text(source, row, #'你读得', row, #'你读得', { '很😀' })
  t.check('what is typed shows', t.wait(function()
    return row_of(buf, '你读得很😀杂') ~= nil
  end))
  t.equal('and the rest stays', row_of(buf, '你叫阿桂'), head)
  t.check('values behind it are still marked', contains(marked(buf, 'PromptblockValue'), '120'))
  vim.api.nvim_buf_set_text(source, row, #'你读得', row, #'你读得很😀', { '' })
  t.check('and goes', t.wait(function()
    return row_of(buf, '你读得杂') ~= nil
  end))

  -- A line more and a line less.
  vim.api.nvim_buf_set_lines(source, row, row, false, { '新的一行 {reply_limit}' })
  t.check('a new line shows, its value too', t.wait(function()
    return row_of(buf, '新的一行 120') ~= nil
  end))
  vim.api.nvim_buf_set_lines(source, row, row + 1, false, {})
  t.check('and is gone', t.wait(function()
    return row_of(buf, '新的一行') == nil
  end))

  -- From the cursor to the preview.
  vim.api.nvim_win_set_cursor(text_win, { t.find(source, '{reply_limit}') + 1, select(2, t.find(source, '{reply_limit}')) + 2 })
  vim.api.nvim_exec_autocmds('CursorMoved', { buffer = source })
  local value_row, value_column = row_of(buf, '120')
  t.equal('the preview follows the cursor', vim.api.nvim_win_get_cursor(win), { value_row, value_column })

  -- And back.
  local enter = vim.api.nvim_replace_termcodes('<CR>', true, true, true)
  local function jump(where, skip)
    vim.api.nvim_set_current_win(win)
    local to_row, to_column = row_of(buf, where)
    vim.api.nvim_win_set_cursor(win, { to_row, to_column + (skip or 0) })
    vim.api.nvim_feedkeys(enter, 'xt', false)
  end
  jump('拾页书店开在')
  t.equal('<CR> goes to the file', vim.fn.expand('%:t'), 'scene.promptblock')
  t.equal('in the window of the text', vim.api.nvim_get_current_win(), text_win)
  local scene = vim.api.nvim_get_current_buf()
  t.equal('on the tag of a value', vim.api.nvim_win_get_cursor(0), { t.find(scene, '{shop_name}') + 1, 0 })
  jump('21:00 打烊')
  local line, column = t.find(scene, '21:00 打烊')
  t.equal('on the character of a text', vim.api.nvim_win_get_cursor(0), { line + 1, column })
  t.check('the preview stays', preview_buf() == buf and vim.api.nvim_win_is_valid(win))

  -- The other block is followed.
  t.check('the preview goes along', t.wait(function()
    local cursor = vim.api.nvim_win_get_cursor(win)[1]
    return math.abs(cursor - row_of(buf, '21:00 打烊')) <= 2
  end))

  -- Environments.
  vim.cmd('PromptblockPreview private')
  t.check('another environment', t.wait(function()
    return row_of(buf, '老周 单独找你') ~= nil
  end))
  vim.cmd('PromptblockPreview group private')
  t.check('a second one, with the pin', t.wait(function()
    return (lines(buf)[1] or ''):find('group → private', 1, true) ~= nil
  end), lines(buf)[1])
  vim.cmd('PromptblockPreview')
  t.check('and the project\'s own again', t.wait(function()
    return lines(buf)[1] == 'group'
  end), lines(buf)[1])

  -- The status line.
  require('promptblock').statusline()
  t.check('tokens for the status line', t.wait(function()
    return require('promptblock').statusline():match('^system %d+ · context %d+ · input %d+$') ~= nil
  end), require('promptblock').statusline())

  -- A restart.
  vim.cmd('PromptblockRestart')
  t.wait(function()
    local new = t.client(scene)
    return new and new.id ~= client.id
  end)
  local at = t.find(scene, '周一休息')
  vim.api.nvim_buf_set_text(scene, at, 0, at, 0, { '注意：' })
  t.check('a restarted server goes on with it', t.wait(function()
    return row_of(buf, '注意：书店每天') ~= nil
  end))

  -- Refused, and back.
  local block = t.read('chat-bot/blocks/safety.promptblock')
  t.write('chat-bot/blocks/twin.promptblock', block)
  t.check('a refused assembly says so', t.wait(function()
    return row_of(buf, 'the assembly is refused') ~= nil
  end), table.concat(lines(buf), '\n'))
  vim.fn.delete('chat-bot/blocks/twin.promptblock')
  t.check('and comes back', t.wait(function()
    return row_of(buf, '注意：书店每天') ~= nil
  end))

  vim.api.nvim_set_current_win(win)
  vim.api.nvim_feedkeys('q', 'xt', false)
  t.check('q closes it', t.wait(function()
    return preview_buf() == nil
  end))
  vim.api.nvim_buf_set_text(scene, at, 0, at, #'注意：', { '' })
  vim.wait(300)
  t.equal('nothing was complained of', said, {})
end)
