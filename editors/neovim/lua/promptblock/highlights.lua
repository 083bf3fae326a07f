--- Colours for what only the server knows. `default` links: a colour scheme or the user wins.
local M = {}

M.LINKS = {
  -- The stock colour scheme shows `@variable` like plain text; in a prompt the variables matter.
  ['@lsp.type.variable.promptblock'] = 'Identifier',
  ['@lsp.typemod.variable.mutable.promptblock'] = 'Special',
  ['@lsp.typemod.variable.unknown.promptblock'] = 'DiagnosticError',
  ['@lsp.typemod.variable.loop.promptblock'] = '@variable.parameter',
  -- Looks alive and is not, whatever it is.
  ['@lsp.mod.inert.promptblock'] = 'Comment',
  ['@lsp.typemod.variable.inert.promptblock'] = 'Comment',
}

--- The preview, on every version.
M.PREVIEW = {
  PromptblockValue = 'Identifier',
  PromptblockExample = 'Special',
  PromptblockMissing = 'ErrorMsg',
  PromptblockBoundary = 'DiffAdd',
  PromptblockPreviewHead = 'Comment',
  PromptblockPreviewRole = 'Title',
  PromptblockTokens = 'Comment',
  PromptblockCurrent = 'CursorLine',
}

local function apply_preview()
  for from, to in pairs(M.PREVIEW) do
    vim.api.nvim_set_hl(0, from, { link = to, default = true })
  end
end

local function apply()
  for from, to in pairs(M.LINKS) do
    vim.api.nvim_set_hl(0, from, { link = to, default = true })
  end
end

function M.install()
  local group = vim.api.nvim_create_augroup('promptblock.highlights', {})
  apply_preview()
  vim.api.nvim_create_autocmd('ColorScheme', { group = group, callback = apply_preview })
  -- Older ones have no semantic tokens, and 0.7 takes no `@` in a group's name.
  if vim.fn.has('nvim-0.9') == 0 then
    return
  end
  apply()
  vim.api.nvim_create_autocmd('ColorScheme', {
    group = group,
    callback = apply,
  })
end

return M
