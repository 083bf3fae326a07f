-- Read by `vim.lsp.enable('promptblock')` (Neovim 0.11 and newer).
return require('promptblock.client').config()
