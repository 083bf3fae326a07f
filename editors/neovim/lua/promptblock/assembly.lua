--- Keeps an assembled prompt up to date: asks when the server says that the last answer is outdated, one
--- question at a time. Typing fast gives as many answers as the machine does, and none that is too late.
local M = {}

local METHOD = 'promptblock/assembly'
local CHANGED = 'promptblock/assemblyChanged'

---@class promptblock.Feed
---@field bufnr integer           the buffer whose project it is about
---@field options table           environment, then, summary
---@field on_update fun(answer: table, blocks: table[])
---@field blocks table[]
---@field client_id? integer      who gave the last answer
---@field last_id? string
---@field busy? integer           the client that is being asked
---@field again boolean
---@field closed boolean

---@type table<promptblock.Feed, boolean>
local feeds = {}

--- The client of a buffer; `nil` where the server is not up.
local function client_of(bufnr)
  for _, client in ipairs(require('promptblock.client').running()) do
    if vim.lsp.buf_is_attached(bufnr, client.id) then
      return client
    end
  end
end

local function request(client, params, bufnr, handler)
  if vim.fn.has('nvim-0.11') == 1 then
    return client:request(METHOD, params, handler, bufnr)
  end
  return client.request(METHOD, params, handler, bufnr)
end

--- What JSON calls null is nothing.
local function value(of)
  if of == vim.NIL then
    return nil
  end
  return of
end
M.value = value

--- All blocks of an answer, those of the one before put in; nil where it speaks of some that are not there.
local function merge(before, now)
  local blocks = {}
  for _, item in ipairs(now) do
    if item.keep then
      for at = item.keep[1] + 1, item.keep[1] + item.keep[2] do
        if not before[at] then
          return nil
        end
        table.insert(blocks, before[at])
      end
    else
      table.insert(blocks, item)
    end
  end
  return blocks
end
M.merge = merge

local ask

local function answered(feed, client_id, answer)
  feed.busy = nil
  if feed.closed then
    return
  end
  if value(answer) then
    local blocks = merge(feed.blocks, value(answer.blocks) or {})
    if blocks then
      feed.blocks, feed.last_id, feed.client_id = blocks, answer.resultId, client_id
      if feed.outdated[answer.resultId] then
        feed.again = true
      end
      feed.outdated = {}
      feed.on_update(answer, blocks)
    else
      feed.last_id, feed.again = nil, true
    end
  end
  if feed.again then
    ask(feed)
  end
end

function ask(feed)
  local client = vim.api.nvim_buf_is_valid(feed.bufnr) and client_of(feed.bufnr)
  if not client or feed.closed then
    return
  end
  if feed.busy == client.id then
    feed.again = true
    return
  end
  if feed.client_id ~= client.id then
    -- A new server knows nothing of what the old one said.
    feed.last_id, feed.outdated = nil, {}
  end
  feed.again, feed.busy = false, client.id
  local params = {
    textDocument = { uri = vim.uri_from_bufnr(feed.bufnr) },
    previousResultId = feed.last_id,
    environment = feed.options.environment,
    ['then'] = feed.options['then'],
    summary = feed.options.summary,
  }
  local sent = request(client, params, feed.bufnr, function(err, answer)
    if feed.busy == client.id then
      answered(feed, client.id, not err and answer or nil)
    end
  end)
  if not sent then
    feed.busy = nil
  end
end

vim.lsp.handlers[CHANGED] = function(_, result, context)
  for feed in pairs(feeds) do
    for _, id in ipairs(result.resultIds) do
      if feed.client_id == context.client_id or feed.busy == context.client_id then
        feed.outdated[id] = true
      end
    end
    if feed.client_id == context.client_id and feed.outdated[feed.last_id] then
      ask(feed)
    end
  end
end

--- A client was attached to a buffer: who waited for one can ask.
function M.attached(bufnr)
  for feed in pairs(feeds) do
    if feed.bufnr == bufnr then
      ask(feed)
    end
  end
end

---@param bufnr integer
---@param options { environment?: string, then?: string, summary?: boolean }
---@param on_update fun(answer: table, blocks: table[])
---@return promptblock.Feed
function M.follow(bufnr, options, on_update)
  local feed = {
    bufnr = bufnr,
    options = options,
    on_update = on_update,
    blocks = {},
    outdated = {},
    again = false,
    closed = false,
  }
  feeds[feed] = true
  ask(feed)
  return feed
end

--- About another buffer, or with other options, from here on.
function M.turn(feed, bufnr, options)
  if feed.bufnr ~= bufnr or not vim.deep_equal(feed.options, options) then
    feed.bufnr, feed.options = bufnr, options
    ask(feed)
  end
end

function M.close(feed)
  feed.closed = true
  feeds[feed] = nil
end

return M
