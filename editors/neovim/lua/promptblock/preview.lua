--- `:PromptblockPreview`: what the model is sent, in a buffer beside the text.
local M = {}

local assembly = require('promptblock.assembly')
local messages = require('promptblock.messages')
local value = assembly.value

--- Texts and tags within the blocks.
local PIECES = vim.api.nvim_create_namespace('promptblock.preview')
--- Heads, counts, the boundary.
local HEADS = vim.api.nvim_create_namespace('promptblock.preview.heads')
--- The block under the cursor.
local CURRENT = vim.api.nvim_create_namespace('promptblock.preview.current')

local GROUPS = {
  value = 'PromptblockValue',
  example = 'PromptblockExample',
  missing = 'PromptblockMissing',
}

---@class promptblock.Preview
---@field bufnr integer
---@field feed promptblock.Feed
---@field answer? table
---@field blocks table[]
---@field lines string[]
---@field rows table<integer, integer>   first row (from 0) of each block's text, by number
local preview

local group = vim.api.nvim_create_augroup('promptblock.preview', {})

local function count(number)
  local digits = tostring(number)
  return (digits:reverse():gsub('(%d%d%d)', '%1,'):reverse():gsub('^,', ''))
end

--- The lines of a block's text and what stands where in them, made once for each block that is sent.
local function drawn(block)
  if block.drawn then
    return block.drawn
  end
  local text, starts, at = {}, {}, 0
  for _, piece in ipairs(block.pieces) do
    table.insert(text, piece.text)
    table.insert(starts, at)
    at = at + #piece.text
  end
  if block.truncated then
    table.insert(text, '\n…')
  end
  local whole = table.concat(text)
  local lines = vim.split(whole, '\n', { plain = true })
  -- Byte offset of each line.
  local offsets, offset = {}, 0
  for _, line in ipairs(lines) do
    table.insert(offsets, offset)
    offset = offset + #line + 1
  end
  block.drawn = { lines = lines, starts = starts, offsets = offsets, length = at }
  return block.drawn
end

--- The index of the last entry that is not greater.
local function last_up_to(sorted, wanted)
  local low, high = 1, #sorted
  while low < high do
    local middle = math.ceil((low + high) / 2)
    if sorted[middle] <= wanted then
      low = middle
    else
      high = middle - 1
    end
  end
  return low
end

--- Row and column, from 0, of a byte of a block's text.
local function place_in(block, offset)
  local draw = drawn(block)
  local line = last_up_to(draw.offsets, offset)
  return line - 1, math.min(offset - draw.offsets[line], #draw.lines[line])
end

local function put(bufnr, namespace, row, column, options)
  pcall(vim.api.nvim_buf_set_extmark, bufnr, namespace, row, column, options)
end

local function mark_pieces(block, first)
  local draw = drawn(block)
  for index, piece in ipairs(block.pieces) do
    local name = GROUPS[piece.kind]
    if name and piece.text ~= '' then
      local row, column = place_in(block, draw.starts[index])
      local end_row, end_column = place_in(block, draw.starts[index] + #piece.text)
      put(preview.bufnr, PIECES, first + row, column, {
        end_row = first + end_row,
        end_col = end_column,
        hl_group = name,
      })
    end
  end
end

local function title(block)
  local name = value(block.id) or (value(block.uri) and '?' or messages.get('preview_note'))
  local order = value(block.order)
  if order and block.zone ~= 'input' then
    name = ('%s  %s'):format(name, (('%.3f'):format(order):gsub('%.?0+$', '')))
  end
  return name
end

--- The lines of the whole, the first row of each block's text, and the heads with what stands beside them.
local function lay_out(answer, blocks)
  local lines, rows, heads = {}, {}, {}
  local function head(text, options)
    options.row = #lines
    table.insert(lines, text)
    table.insert(heads, options)
  end
  local function say(text, hl)
    for _, line in ipairs(vim.split(text, '\n', { plain = true })) do
      head(line, { hl = hl })
    end
  end
  local tokens = value(answer.tokens)
  local where = { value(answer.environment) or messages.get('preview_no_environment') }
  if value(answer['then']) then
    table.insert(where, value(answer['then']))
  end
  head(table.concat(where, ' → '), { hl = 'PromptblockPreviewHead', right = require('promptblock.statusline').text(answer) })
  if answer.refused then
    say(messages.get('preview_refused'), 'PromptblockMissing')
  end
  for _, finding in ipairs(answer.findings) do
    say('• ' .. finding.diagnostic.message, 'PromptblockPreviewHead')
  end
  if value(answer.absent) then
    say(messages.get('preview_absent_' .. answer.absent), 'PromptblockPreviewHead')
  end
  for _, computed in ipairs(value(answer.computed) or {}) do
    say(messages.get('preview_computed', value(computed.id) or '?'), 'PromptblockPreviewHead')
  end
  local pin = value(answer.withoutPin)
  if pin then
    if pin.recomputed > 0 then
      say(messages.get('preview_pin', count(pin.recomputed), value(pin.firstChanged) or '?'), 'PromptblockPreviewHead')
    else
      say(messages.get('preview_pin_idle'), 'PromptblockPreviewHead')
    end
    for _, change in ipairs(value(answer.changed) or {}) do
      local none = messages.get('preview_no_value')
      say(('  %s: %s → %s'):format(change.name, value(change.before) or none, value(change.after) or none), 'PromptblockPreviewHead')
    end
  end
  for _, message in ipairs(value(answer.messages) or {}) do
    table.insert(lines, '')
    local mark = message.cache and not message.prefixEnd and (' · ' .. messages.get('preview_mark')) or ''
    head('── ' .. message.role .. mark, { hl = 'PromptblockPreviewRole', right = messages.get('preview_tokens', count(message.tokens)) })
    for _, section in ipairs(message.sections) do
      if section.text then
        say(section.text, 'PromptblockPreviewHead')
      else
        for number = section.blocks[1] + 1, section.blocks[1] + section.blocks[2] do
          local block = blocks[number]
          head('▎' .. title(block), {
            hl = 'PromptblockPreviewHead',
            right = messages.get('preview_tokens', count(block.tokens)),
            block = number,
          })
          rows[number] = #lines
          for _, line in ipairs(drawn(block).lines) do
            table.insert(lines, line)
          end
        end
      end
    end
    if message.prefixEnd then
      head(
        '══ ' .. messages.get('preview_boundary', count(tokens.prefix), answer.digest:sub(1, 19)),
        { hl = 'PromptblockBoundary' }
      )
    end
  end
  return lines, rows, heads
end

--- Puts in only the lines that are others, so that nothing flickers and what is looked at stays.
local function replace_lines(bufnr, old, new)
  local first = 1
  while first <= #old and first <= #new and old[first] == new[first] do
    first = first + 1
  end
  local old_last, new_last = #old, #new
  while old_last >= first and new_last >= first and old[old_last] == new[new_last] do
    old_last, new_last = old_last - 1, new_last - 1
  end
  if first > old_last and first > new_last then
    return first - 1, first - 1
  end
  vim.bo[bufnr].modifiable = true
  vim.api.nvim_buf_set_lines(bufnr, first - 1, old_last, false, vim.list_slice(new, first, new_last))
  vim.bo[bufnr].modifiable = false
  return first - 1, new_last
end

local function window()
  local win = preview and vim.fn.bufwinid(preview.bufnr) or -1
  return win ~= -1 and win or nil
end

local function show(answer, blocks)
  if not preview or not vim.api.nvim_buf_is_valid(preview.bufnr) then
    return
  end
  local before = {}
  for _, block in ipairs(preview.blocks) do
    before[block] = true
  end
  local lines, rows, heads = lay_out(answer, blocks)
  local from, to = replace_lines(preview.bufnr, preview.lines, lines)
  vim.api.nvim_buf_clear_namespace(preview.bufnr, PIECES, from, math.max(to, from + 1))
  vim.api.nvim_buf_clear_namespace(preview.bufnr, HEADS, 0, -1)
  preview.answer, preview.blocks, preview.lines, preview.rows = answer, blocks, lines, rows
  for number, row in pairs(rows) do
    local block = blocks[number]
    if not before[block] or (row < to and row + #drawn(block).lines > from) then
      vim.api.nvim_buf_clear_namespace(preview.bufnr, PIECES, row, row + #drawn(block).lines)
      mark_pieces(block, row)
    end
  end
  for _, head in ipairs(heads) do
    put(preview.bufnr, HEADS, head.row, 0, {
      end_col = #lines[head.row + 1],
      hl_group = head.hl,
      virt_text = head.right and { { head.right, 'PromptblockTokens' } } or nil,
      virt_text_pos = head.right and 'right_align' or nil,
    })
  end
  M.follow_cursor()
end

local function before(a, b)
  return a.line < b.line or (a.line == b.line and a.character < b.character)
end

--- How many units of the client's encoding a text is long, and the bytes of that many.
local function width(text, encoding)
  if encoding == 'utf-8' then
    return #text
  end
  local utf32, utf16 = vim.str_utfindex(text)
  return encoding == 'utf-32' and utf32 or utf16
end

local function bytes(text, units, encoding)
  if encoding == 'utf-8' then
    return math.min(units, #text)
  end
  if units >= width(text, encoding) then
    return #text
  end
  return vim.str_byteindex(text, units, encoding ~= 'utf-32')
end

--- The byte of a block's text that comes from a position of its file, or from what follows it.
local function output_of(block, at, encoding)
  local draw = drawn(block)
  local next_index
  for index, piece in ipairs(block.pieces) do
    local range = value(piece.range)
    if range then
      local is_text = piece.kind == 'text'
      if not before(at, range.start) and (before(at, range['end']) or (is_text and not before(range['end'], at))) then
        if not is_text then
          return draw.starts[index], index
        end
        local text, line = piece.text, range.start.line
        local offset = 0
        while line < at.line do
          local line_end = text:find('\n', offset + 1, true)
          if not line_end then
            break
          end
          offset, line = line_end, line + 1
        end
        local column = at.character - (line == range.start.line and range.start.character or 0)
        local rest = text:sub(offset + 1):match('^[^\n]*')
        return draw.starts[index] + offset + bytes(rest, math.max(column, 0), encoding), index
      end
      local known = next_index and block.pieces[next_index].range.start
      if before(at, range.start) and (not known or before(range.start, known)) then
        next_index = index
      end
    end
  end
  return next_index and draw.starts[next_index], next_index
end

--- The range of the file that a byte of a block's text comes from.
local function source_of(block, offset, encoding)
  local draw = drawn(block)
  local index = last_up_to(draw.starts, math.min(offset, math.max(draw.length - 1, 0)))
  local piece = block.pieces[index]
  local range = piece and value(piece.range)
  if not range or piece.kind ~= 'text' then
    return range
  end
  local prefix = piece.text:sub(1, offset - draw.starts[index])
  local _, breaks = prefix:gsub('\n', '')
  local last = prefix:match('[^\n]*$')
  local at = {
    line = range.start.line + breaks,
    character = width(last, encoding) + (breaks == 0 and range.start.character or 0),
  }
  return { start = at, ['end'] = at }
end
M.output_of, M.source_of = output_of, source_of

--- The block that a row of the preview belongs to.
local function block_at(row)
  local found
  for number, first in pairs(preview.rows) do
    local last = first + #drawn(preview.blocks[number]).lines
    -- Its head stands one row above.
    if row >= first - 1 and row < last then
      found = number
    end
  end
  return found
end

--- From the preview to the source.
function M.jump()
  local cursor = vim.api.nvim_win_get_cursor(0)
  local number = preview and block_at(cursor[1] - 1)
  local block = number and preview.blocks[number]
  if not block or not value(block.uri) then
    return
  end
  local client = preview.feed.client_id and vim.lsp.get_client_by_id(preview.feed.client_id)
  local encoding = client and client.offset_encoding or 'utf-16'
  local row = cursor[1] - 1 - preview.rows[number]
  local offset = row < 0 and 0 or drawn(block).offsets[row + 1] + cursor[2]
  local range = source_of(block, offset, encoding) or { start = { line = 0, character = 0 }, ['end'] = { line = 0, character = 0 } }
  -- In the window of the text, not in this one.
  local target = vim.fn.bufwinid(vim.uri_to_bufnr(block.uri))
  if target == -1 then
    target = preview.source_win
  end
  if target and vim.api.nvim_win_is_valid(target) and vim.api.nvim_win_get_buf(target) ~= preview.bufnr then
    vim.api.nvim_set_current_win(target)
  else
    vim.cmd('aboveleft vsplit')
  end
  local location = { uri = block.uri, range = range }
  if vim.lsp.util.show_document then
    vim.lsp.util.show_document(location, encoding, { focus = true, reuse_win = false })
  else
    vim.lsp.util.jump_to_location(location, encoding)
  end
end

--- Highlights the block that the cursor of the text is in, and goes there, unless the cursor is in the preview.
function M.follow_cursor()
  local win = window()
  local source = preview and preview.feed.bufnr
  if not win or not preview.answer or not vim.api.nvim_buf_is_valid(source) then
    return
  end
  vim.api.nvim_buf_clear_namespace(preview.bufnr, CURRENT, 0, -1)
  local uri = vim.uri_from_bufnr(source)
  for number, block in ipairs(preview.blocks) do
    local first = preview.rows[number]
    if first and value(block.uri) == uri then
      for row = first - 1, first + #drawn(block).lines - 1 do
        put(preview.bufnr, CURRENT, row, 0, { end_row = row + 1, hl_group = 'PromptblockCurrent', hl_eol = true, priority = 50 })
      end
      local source_win = vim.fn.bufwinid(source)
      if source_win ~= -1 and vim.api.nvim_get_current_win() ~= win then
        preview.source_win = source_win
        local client = vim.lsp.get_client_by_id(preview.feed.client_id)
        local encoding = client and client.offset_encoding or 'utf-16'
        local at = vim.lsp.util.make_position_params(source_win, encoding).position
        local offset = output_of(block, at, encoding)
        local row, column = 0, 0
        if offset then
          row, column = place_in(block, offset)
        end
        pcall(vim.api.nvim_win_set_cursor, win, { first + row + 1, column })
      end
      return
    end
  end
end

local function close()
  if preview then
    assembly.close(preview.feed)
    preview = nil
    vim.api.nvim_clear_autocmds({ group = group })
  end
end

local function choose(key)
  local names = vim.list_extend({}, preview.answer and preview.answer.environments or {})
  if key == 'then' then
    table.insert(names, 1, messages.get('preview_no_then'))
  end
  vim.ui.select(names, { prompt = messages.get('preview_choose') }, function(name, index)
    if not name or not preview then
      return
    end
    local options = vim.deepcopy(preview.feed.options)
    options[key] = not (key == 'then' and index == 1) and name or nil
    assembly.turn(preview.feed, preview.feed.bufnr, options)
  end)
end

local function create(source)
  local source_win = vim.api.nvim_get_current_win()
  vim.cmd('rightbelow vsplit')
  local win = vim.api.nvim_get_current_win()
  local bufnr = vim.api.nvim_create_buf(false, true)
  vim.api.nvim_win_set_buf(win, bufnr)
  pcall(vim.api.nvim_buf_set_name, bufnr, 'promptblock://preview')
  vim.bo[bufnr].bufhidden = 'wipe'
  vim.bo[bufnr].modifiable = false
  vim.bo[bufnr].filetype = 'promptblock-preview'
  for option, setting in pairs({ number = false, relativenumber = false, wrap = true, linebreak = true, signcolumn = 'no', foldenable = false, spell = false, list = false }) do
    vim.wo[win][option] = setting
  end
  for keys, action in pairs({
    ['<CR>'] = M.jump,
    ['<2-LeftMouse>'] = M.jump,
    q = function()
      vim.cmd('close')
    end,
    e = function()
      choose('environment')
    end,
    t = function()
      choose('then')
    end,
  }) do
    vim.keymap.set('n', keys, action, { buffer = bufnr, nowait = true, silent = true })
  end
  vim.api.nvim_set_current_win(source_win)
  preview = { bufnr = bufnr, source_win = source_win, blocks = {}, lines = { '' }, rows = {} }
  vim.api.nvim_clear_autocmds({ group = group })
  vim.api.nvim_create_autocmd('BufWipeout', { group = group, buffer = bufnr, callback = close })
  vim.api.nvim_create_autocmd({ 'CursorMoved', 'CursorMovedI' }, {
    group = group,
    callback = function(event)
      if preview and event.buf == preview.feed.bufnr then
        M.follow_cursor()
      end
    end,
  })
  vim.api.nvim_create_autocmd({ 'BufEnter' }, {
    group = group,
    callback = function(event)
      if preview and vim.bo[event.buf].filetype == 'promptblock' then
        assembly.turn(preview.feed, event.buf, preview.feed.options)
        M.follow_cursor()
      end
    end,
  })
end

--- Opens the preview beside the text of the current buffer, or turns the one that is open to it.
---@param environment? string
---@param second? string  a second environment: what is sent when the first one has become this one
function M.open(environment, second)
  local source = vim.api.nvim_get_current_buf()
  if vim.bo[source].filetype ~= 'promptblock' then
    messages.notify(vim.log.levels.WARN, 'preview_no_block')
    return
  end
  local options = { environment = environment, ['then'] = second }
  if preview and window() then
    assembly.turn(preview.feed, source, options)
    M.follow_cursor()
    return
  end
  close()
  create(source)
  preview.feed = assembly.follow(source, options, show)
end

--- For the completion of the command: the environments of the project, as far as they are known.
function M.environments()
  return preview and preview.answer and preview.answer.environments or {}
end

return M
