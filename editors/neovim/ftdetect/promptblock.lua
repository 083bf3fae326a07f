-- Catalogs may hold comments and trailing commas, so they are `jsonc`, not `json`.
local catalogs = { 'promptblock.catalog.json', 'promptblock.catalog.local.json' }

if vim.fn.has('nvim-0.8') == 1 then
  local filename = {}
  for _, name in ipairs(catalogs) do
    filename[name] = 'jsonc'
  end
  vim.filetype.add({ extension = { promptblock = 'promptblock' }, filename = filename })
else
  -- In 0.7 the Lua table is read only where the user asks for it; autocommands always work.
  local function detect(pattern, filetype)
    vim.api.nvim_create_autocmd({ 'BufRead', 'BufNewFile' }, {
      pattern = pattern,
      command = 'set filetype=' .. filetype,
    })
  end
  detect('*.promptblock', 'promptblock')
  detect(catalogs, 'jsonc')
end
