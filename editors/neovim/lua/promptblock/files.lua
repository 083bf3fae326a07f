--- Which buffers the server is for, and which folder is their project.
local M = {}

--- Files beside the blocks that the server reads. An unsaved buffer of one counts too, so the
--- server has to see it.
M.NAMES = {
  ['promptblock.catalog.json'] = true,
  ['promptblock.catalog.local.json'] = true,
  ['promptblock.env.json'] = true,
  ['promptblock.toml'] = true,
}

--- Filetypes that those files and the blocks can have.
M.FILETYPES = { 'promptblock', 'json', 'jsonc', 'toml' }

--- In order of preference, each looked for in all folders above before the next.
M.ROOT_MARKERS = { 'promptblock.toml', 'promptblock.catalog.json', '.git' }

---@param path string
---@return boolean
function M.is_watched(path)
  return path:match('%.promptblock$') ~= nil or M.NAMES[vim.fn.fnamemodify(path, ':t')] == true
end

---@param bufnr integer
---@return boolean
function M.is_ours(bufnr)
  local name = vim.api.nvim_buf_get_name(bufnr)
  -- Without a name two buffers would share one URI; special buffers are no files.
  if name == '' or vim.bo[bufnr].buftype ~= '' then
    return false
  end
  return vim.bo[bufnr].filetype == 'promptblock'
    or M.NAMES[vim.fn.fnamemodify(name, ':t')] == true
end

--- The project folder of a buffer; nil where no marker is found: then the server judges the file
--- by itself, instead of reading a whole home folder.
---@param bufnr integer
---@return string?
function M.root(bufnr)
  local path = vim.fn.fnamemodify(vim.api.nvim_buf_get_name(bufnr), ':p')
  for _, marker in ipairs(M.ROOT_MARKERS) do
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

return M
