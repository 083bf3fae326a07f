--- Starts the server and attaches it: with `vim.lsp.config`/`enable` where Neovim has them (0.11),
--- by hand before.
local M = {}

local files = require('promptblock.files')
local messages = require('promptblock.messages')

local NAME = 'promptblock'
local NATIVE = vim.fn.has('nvim-0.11') == 1

local group = vim.api.nvim_create_augroup('promptblock.client', {})

local function options()
  return require('promptblock').options
end

---@param cmd string[]|function
---@return boolean
local function can_run(cmd)
  return type(cmd) ~= 'table' or vim.fn.executable(cmd[1]) == 1
end

local told_missing = {}

--- Said once for each command, not once for each buffer.
local function tell_missing(cmd)
  local name = tostring(cmd[1])
  if not told_missing[name] then
    told_missing[name] = true
    messages.notify(vim.log.levels.ERROR, 'server_missing', name)
  end
end

local function on_exit(code, signal)
  -- Signal 15 is Neovim's own way to end a client that does not leave by itself.
  if (code ~= 0 or signal ~= 0) and signal ~= 15 then
    messages.notify(vim.log.levels.ERROR, 'server_ended', code, signal, vim.lsp.get_log_path())
  end
end

--- What `setup` decides; the rest of the configuration does not change.
local function chosen()
  return { cmd = options().cmd, init_options = { locale = require('promptblock').locale() } }
end

--- The configuration for `vim.lsp.config`.
---@return table
function M.config()
  local config = chosen()
  config.filetypes = files.FILETYPES
  config.on_exit = on_exit
  config.root_dir = function(bufnr, on_dir)
    -- Every JSON and TOML buffer comes by here; not calling `on_dir` leaves it alone.
    if files.is_ours(bufnr) then
      on_dir(files.root(bufnr))
    end
  end
  return config
end

--- Before 0.11: client ids by project folder.
local started = {}

local function start_by_hand(bufnr)
  local root = files.root(bufnr)
  local key = root or ''
  local client = started[key] and vim.lsp.get_client_by_id(started[key])
  if not client or client.is_stopped() then
    local config = chosen()
    if not can_run(config.cmd) then
      return tell_missing(config.cmd)
    end
    config.name = NAME
    config.root_dir = root
    config.on_exit = function(code, signal)
      started[key] = nil
      on_exit(code, signal)
    end
    config.on_attach = function(attached, buffer)
      M.on_attach(attached, buffer)
    end
    started[key] = vim.lsp.start_client(config)
  end
  if started[key] then
    vim.lsp.buf_attach_client(bufnr, started[key])
  end
end

--- Everything that goes on top of what Neovim does by itself.
---@param client table
---@param bufnr integer
function M.on_attach(client, bufnr)
  require('promptblock.watch').follow(client)
  require('promptblock.assembly').attached(bufnr)
  -- In source code another server and other settings are at home.
  if files.is_source(bufnr) then
    return
  end
  if not NATIVE then
    vim.bo[bufnr].omnifunc = 'v:lua.vim.lsp.omnifunc'
    return
  end
  if options().folding and client:supports_method('textDocument/foldingRange') then
    for _, win in ipairs(vim.fn.win_findbuf(bufnr)) do
      -- Whoever has chosen a method keeps it.
      if vim.wo[win].foldmethod == 'manual' then
        vim.wo[win][0].foldmethod = 'expr'
        vim.wo[win][0].foldexpr = 'v:lua.vim.lsp.foldexpr()'
        vim.wo[win][0].foldlevel = 99
      end
    end
  end
  if options().completion and client:supports_method('textDocument/completion') then
    -- The default would put the first name into the text before anything was chosen.
    if vim.go.completeopt == vim.api.nvim_get_option_info2('completeopt', {}).default then
      vim.bo[bufnr].completeopt = 'menuone,noselect,popup'
    end
    vim.lsp.completion.enable(true, client.id, bufnr, { autotrigger = true })
  end
end

---@return table[]
function M.running()
  local get = vim.lsp.get_clients or vim.lsp.get_active_clients
  local clients = {}
  for _, client in pairs(get()) do
    if client.name == NAME then
      table.insert(clients, client)
    end
  end
  return clients
end

--- Attaches a buffer that was not ours when it was opened.
---@param bufnr integer
function M.attach(bufnr)
  for _, client in ipairs(M.running()) do
    if vim.lsp.buf_is_attached(bufnr, client.id) then
      return
    end
  end
  if not NATIVE then
    if options().autostart then
      start_by_hand(bufnr)
    end
  elseif vim.lsp.is_enabled(NAME) and can_run(vim.lsp.config[NAME].cmd) then
    local config = vim.deepcopy(vim.lsp.config[NAME])
    config.root_dir = files.root(bufnr)
    vim.lsp.start(config, { bufnr = bufnr })
  end
end

--- Attaches what is open already (where the plugin or the server comes late).
local function attach_open_buffers()
  for _, bufnr in ipairs(vim.api.nvim_list_bufs()) do
    if vim.api.nvim_buf_is_loaded(bufnr) and files.is_ours(bufnr) then
      start_by_hand(bufnr)
    end
  end
end

function M.install()
  vim.api.nvim_create_autocmd('FileType', {
    group = group,
    pattern = files.FILETYPES,
    callback = function(event)
      if not files.is_ours(event.buf) then
        return
      elseif not NATIVE then
        if options().autostart then
          start_by_hand(event.buf)
        end
      elseif vim.lsp.is_enabled(NAME) and not can_run(vim.lsp.config[NAME].cmd) then
        -- Neovim writes this into its log only.
        tell_missing(vim.lsp.config[NAME].cmd)
      end
    end,
  })
  -- A source file is ours from the first call on that registers something.
  vim.api.nvim_create_autocmd('BufWritePost', {
    group = group,
    callback = function(event)
      if files.is_source(event.buf) and files.is_ours(event.buf) then
        M.attach(event.buf)
      end
    end,
  })
  if not NATIVE then
    return
  end
  vim.api.nvim_create_autocmd('LspAttach', {
    group = group,
    callback = function(event)
      local client = vim.lsp.get_client_by_id(event.data.client_id)
      if client and client.name == NAME then
        M.on_attach(client, event.buf)
      end
    end,
  })
  if options().autostart then
    vim.lsp.enable(NAME)
  end
end

--- `setup` was called: clients that start from now on follow it, and buffers that had none get one.
function M.reconfigure()
  if NATIVE then
    vim.lsp.config(NAME, chosen())
  end
  -- Before `install` has run (the usual `setup` in init.lua) there is nothing to switch.
  if not vim.g.loaded_promptblock then
    return
  elseif not NATIVE then
    if options().autostart then
      attach_open_buffers()
    end
    return
  end
  vim.lsp.enable(NAME, options().autostart)
  if vim.v.vim_did_enter == 0 then
    -- Called from `-c`: a file is open already, and `enable` looks at open ones after the start only.
    vim.api.nvim_create_autocmd('VimEnter', {
      group = group,
      once = true,
      callback = function()
        vim.lsp.enable(NAME, options().autostart)
      end,
    })
  end
end

function M.restart()
  told_missing = {}
  local clients = M.running()
  for _, client in ipairs(clients) do
    if NATIVE then
      client:stop()
    else
      client.stop()
    end
  end
  vim.wait(2000, function()
    return #M.running() == 0
  end, 20)
  if NATIVE then
    vim.lsp.enable(NAME)
  else
    attach_open_buffers()
  end
end

return M
