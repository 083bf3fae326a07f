--- Which buffers the server is for, and which folder is their project.
local M = {}

--- Files beside the blocks that the server reads. An unsaved buffer of one counts too, so the
--- server has to see it.
M.NAMES = {
  ['promptblock.catalog.json'] = true,
  ['promptblock.catalog.local.json'] = true,
  ['promptblock.env.json'] = true,
  ['promptblock.tools.json'] = true,
  ['promptblock.toml'] = true,
}

--- Filetypes of source code, which registers blocks and variables.
M.SOURCES = {
  typescript = true,
  typescriptreact = true,
  javascript = true,
  javascriptreact = true,
}

--- Filetypes that the files above, the blocks and source code can have.
M.FILETYPES = { 'promptblock', 'json', 'jsonc', 'toml' }
vim.list_extend(M.FILETYPES, vim.tbl_keys(M.SOURCES))

local PROJECT_MARKERS = { 'promptblock.toml', 'promptblock.catalog.json' }

--- In order of preference, each looked for in all folders above before the next.
M.ROOT_MARKERS = { PROJECT_MARKERS[1], PROJECT_MARKERS[2], '.git' }

--- The calls that the server reads. It looks closer; this only has to miss none.
local REGISTERS = vim.regex(
  [[\v\C[pP]rompt\s*\!?\s*\??\s*\.\s*(block|variable|environment|section|context)>]]
)

---@param path string
---@return boolean
function M.is_watched(path)
  return path:match('%.promptblock$') ~= nil
    or path:match('%.[cm]?[jt]sx?$') ~= nil
    or M.NAMES[vim.fn.fnamemodify(path, ':t')] == true
end

---@param bufnr integer
---@return boolean
function M.is_source(bufnr)
  return M.SOURCES[vim.bo[bufnr].filetype] == true
end

--- The nearest folder above a buffer's file that holds one of those names, the first name first.
local function above(bufnr, markers)
  local path = vim.fn.fnamemodify(vim.api.nvim_buf_get_name(bufnr), ':p')
  for _, marker in ipairs(markers) do
    local dir = path
    repeat
      local parent = vim.fn.fnamemodify(dir, ':h')
      if parent == dir then
        break
      end
      dir = parent
      if vim.loop.fs_stat(dir:gsub('/$', '') .. '/' .. marker) then
        return dir
      end
    until false
  end
  return nil
end

--- Whether source code has to do with prompts: it registers something, or its project says so.
local function is_ours_by_text(bufnr)
  if above(bufnr, PROJECT_MARKERS) then
    return true
  end
  -- A call may be broken at its dot.
  local text = table.concat(vim.api.nvim_buf_get_lines(bufnr, 0, -1, false), ' ')
  return REGISTERS:match_str(text) ~= nil
end

---@param bufnr integer
---@return boolean
function M.is_ours(bufnr)
  local name = vim.api.nvim_buf_get_name(bufnr)
  -- Without a name two buffers would share one URI; special buffers are no files.
  if name == '' or vim.bo[bufnr].buftype ~= '' then
    return false
  end
  if M.is_source(bufnr) then
    return is_ours_by_text(bufnr)
  end
  return vim.bo[bufnr].filetype == 'promptblock'
    or M.NAMES[vim.fn.fnamemodify(name, ':t')] == true
end

--- The project folder of a buffer; nil where no marker is found: then the server judges the file
--- by itself, instead of reading a whole home folder.
---@param bufnr integer
---@return string?
function M.root(bufnr)
  -- Source code is in a project of some kind, and by itself it is judged by nobody.
  return above(bufnr, M.ROOT_MARKERS) or M.is_source(bufnr) and above(bufnr, { 'package.json' }) or nil
end

return M
