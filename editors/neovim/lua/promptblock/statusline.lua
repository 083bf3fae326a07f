--- The tokens of the current block's project, for a status line.
local M = {}

local assembly = require('promptblock.assembly')

--- By the project's folder, so that a change of the buffer costs no question.
local state = { text = '', feed = nil }

local function count(number, limit)
  local text = tostring(number)
  if limit then
    text = ('%s/%d'):format(text, limit.tokens)
  end
  return text
end

--- `system 431/4000 · context 99 · input 8`; a `!` in front where a budget is exceeded.
---@param answer table
---@return string
function M.text(answer)
  local messages = require('promptblock.messages')
  local tokens = assembly.value(answer.tokens)
  if not tokens then
    return messages.get('status_refused')
  end
  local budget = assembly.value(answer.budget) or {}
  local system, context = assembly.value(budget.system), assembly.value(budget.context)
  local over = (system and system.over) or (context and context.over)
  return (over and '! ' or '')
    .. messages.get('status', count(tokens.system + tokens.prelude, system), count(tokens.contexts, context), count(tokens.input))
end

--- For 'statusline': `%{v:lua.require'promptblock'.statusline()}`. Empty where no block is open.
---@return string
function M.get()
  local bufnr = vim.api.nvim_get_current_buf()
  if vim.bo[bufnr].filetype ~= 'promptblock' then
    return ''
  end
  if not state.feed then
    state.feed = assembly.follow(bufnr, { summary = true }, function(answer)
      state.text = M.text(answer)
      vim.cmd('redrawstatus')
    end)
  elseif state.feed.bufnr ~= bufnr then
    assembly.turn(state.feed, bufnr, state.feed.options)
  end
  return state.text
end

return M
