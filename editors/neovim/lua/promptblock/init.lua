--- Settings of the plugin. Nothing here has to be called: without `setup` the defaults hold.
local M = {}

---@class promptblock.Options
---@field cmd? string[]       how the server is started
---@field locale? string      language of the messages ("en", "zh-CN"); default: Neovim's own
---@field autostart? boolean  start the server for block files, catalogs, environments and configs
---@field folding? boolean    fold by the server's ranges where 'foldmethod' is "manual" (0.11)
---@field completion? boolean complete while typing, without a completion plugin (0.11)

---@type promptblock.Options
M.options = {
  cmd = { 'promptblock', 'lsp' },
  autostart = true,
  folding = true,
  completion = false,
}

local TYPES = {
  cmd = 'table',
  locale = 'string',
  autostart = 'boolean',
  folding = 'boolean',
  completion = 'boolean',
}

--- The language of the messages: the option, else what Neovim itself speaks.
---@return string
function M.locale()
  if M.options.locale then
    return M.options.locale
  end
  local lang = (vim.v.lang or ''):gsub('[.@].*$', ''):gsub('_', '-')
  if lang == '' or lang == 'C' or lang == 'POSIX' then
    return 'en'
  end
  return lang
end

---@param options? promptblock.Options
function M.setup(options)
  for key, value in pairs(options or {}) do
    if not TYPES[key] then
      error(('promptblock: unknown option "%s"'):format(key), 2)
    elseif type(value) ~= TYPES[key] then
      error(('promptblock: option "%s" must be a %s'):format(key, TYPES[key]), 2)
    end
    -- `cmd` is replaced as a whole: merging two argument lists makes no sense.
    M.options[key] = value
  end
  require('promptblock.client').reconfigure()
end

--- Tokens of the current block's project, for a status line; empty elsewhere.
---@return string
function M.statusline()
  return require('promptblock.statusline').get()
end

return M
