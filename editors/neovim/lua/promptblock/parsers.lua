--- The tree-sitter parsers: compiled on demand from the grammars' C sources, which lie beside the
--- plugin, into a folder that Neovim looks into by itself.
local M = {}

local messages = require('promptblock.messages')

--- Folder of the grammar by the language's name in Neovim.
M.GRAMMARS = {
  promptblock = 'tree-sitter-promptblock',
  prompt_template = 'tree-sitter-prompt-template',
}

-- The parsers have ABI 15, which Neovim reads from 0.11 on.
M.SUPPORTED = vim.fn.has('nvim-0.11') == 1

local function plugin_root()
  local this = debug.getinfo(1, 'S').source:sub(2)
  return vim.fn.fnamemodify(this, ':p:h:h:h')
end

--- Where the sources of a grammar may be: packed with the plugin, or in the project's checkout.
---@return string[]
local function source_folders(grammar)
  local root = plugin_root()
  return {
    root .. '/grammars/' .. grammar .. '/src',
    vim.fn.fnamemodify(root, ':h:h') .. '/syntax/' .. grammar .. '/src',
  }
end

local function compiler()
  for _, cc in ipairs({ vim.env.CC or '', 'cc', 'gcc', 'clang' }) do
    if cc ~= '' and vim.fn.executable(cc) == 1 then
      return cc
    end
  end
end

---@return string
function M.folder()
  return vim.fn.stdpath('data') .. '/site/parser'
end

---@return string? problem
local function compile(cc, language, grammar)
  local tried = source_folders(grammar)
  local source
  for _, folder in ipairs(tried) do
    if vim.fn.filereadable(folder .. '/parser.c') == 1 then
      source = folder
      break
    end
  end
  if not source then
    return messages.get('parsers_no_source', language, tried[1], tried[2])
  end
  local target = M.folder() .. '/' .. language .. '.so'
  -- Built beside and moved: a parser that is loaded must not be written over.
  local built = target .. '.new'
  local command = { cc, '-O2', '-fPIC', '-shared', '-I', source, '-o', built, source .. '/parser.c' }
  if vim.fn.filereadable(source .. '/scanner.c') == 1 then
    table.insert(command, source .. '/scanner.c')
  end
  local output = vim.fn.system(command)
  if vim.v.shell_error ~= 0 then
    return messages.get('parsers_failed', language, output)
  end
  local moved, problem = vim.loop.fs_rename(built, target)
  if not moved then
    return messages.get('parsers_failed', language, problem)
  end
end

---@return boolean
function M.install()
  if not M.SUPPORTED then
    messages.notify(vim.log.levels.WARN, 'parsers_too_old')
    return false
  end
  local cc = compiler()
  if not cc then
    messages.notify(vim.log.levels.ERROR, 'parsers_no_compiler')
    return false
  end
  if vim.fn.isdirectory(M.folder()) == 0 then
    vim.fn.mkdir(M.folder(), 'p')
    -- Neovim keeps a list of the folders on the path that exist; setting the path renews it.
    vim.o.runtimepath = vim.o.runtimepath
  end
  for language, grammar in pairs(M.GRAMMARS) do
    local problem = compile(cc, language, grammar)
    if problem then
      vim.notify(problem, vim.log.levels.ERROR)
      return false
    end
  end
  messages.notify(vim.log.levels.INFO, 'parsers_done', M.folder())
  for _, bufnr in ipairs(vim.api.nvim_list_bufs()) do
    if vim.api.nvim_buf_is_loaded(bufnr) and vim.bo[bufnr].filetype == 'promptblock' then
      M.highlight(bufnr)
    end
  end
  return true
end

--- nil: not installed. true: usable. A text: what is wrong with it.
---@return boolean|string|nil
function M.state(language)
  if #vim.api.nvim_get_runtime_file('parser/' .. language .. '.so', false) == 0 then
    return nil
  end
  local ok, added, problem = pcall(vim.treesitter.language.add, language)
  if not ok or not added then
    return tostring(problem or added)
  end
  for _, kind in ipairs({ 'highlights', 'injections', 'folds', 'locals' }) do
    local read, query = pcall(vim.treesitter.query.get, language, kind)
    if not read or (kind == 'highlights' and not query) then
      return kind .. '.scm: ' .. tostring(query)
    end
  end
  return true
end

--- Colours by the tree where the parsers are there; else the syntax file does it.
---@param bufnr integer
function M.highlight(bufnr)
  if not M.SUPPORTED then
    return
  end
  for language in pairs(M.GRAMMARS) do
    if M.state(language) ~= true then
      return
    end
  end
  vim.treesitter.start(bufnr, 'promptblock')
end

return M
