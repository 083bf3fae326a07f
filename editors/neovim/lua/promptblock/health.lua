--- `:checkhealth promptblock`
local M = {}

local messages = require('promptblock.messages')

-- The reporting functions were renamed in 0.10; before 0.8 they were a module of their own.
local report = vim.health or require('health')
local start = report.start or report.report_start
local ok = report.ok or report.report_ok
local info = report.info or report.report_info
local warn = report.warn or report.report_warn
local fail = report.error or report.report_error

local NATIVE = vim.fn.has('nvim-0.11') == 1

local function check_editor()
  local v = vim.version()
  local text = ('%d.%d.%d'):format(v.major, v.minor, v.patch)
  if NATIVE then
    ok(messages.get('health_version_ok', text))
  else
    info(messages.get('health_version_old', text))
  end
end

--- The command in force: a user may have changed it by `vim.lsp.config` too.
local function command()
  return NATIVE and vim.lsp.config.promptblock.cmd or require('promptblock').options.cmd
end

local function check_server()
  local cmd = command()
  if type(cmd) ~= 'table' then
    return info(messages.get('health_server_function'))
  end
  if vim.fn.executable(cmd[1]) == 0 then
    return fail(
      messages.get('health_server_missing', tostring(cmd[1])),
      { messages.get('health_server_advice') }
    )
  end
  local path = vim.fn.exepath(cmd[1])
  local output = vim.trim(vim.fn.system({ path, '--version' }))
  if vim.v.shell_error ~= 0 then
    return fail(messages.get('health_server_fails', path, output))
  end
  ok(messages.get('health_server_ok', path, output))
end

local function check_client()
  if not require('promptblock').options.autostart then
    info(messages.get('health_off'))
  end
  local clients = require('promptblock.client').running()
  for _, client in ipairs(clients) do
    local attached = vim.tbl_count(client.attached_buffers or {})
    if not NATIVE then
      attached = #vim.tbl_filter(function(bufnr)
        return vim.lsp.buf_is_attached(bufnr, client.id)
      end, vim.api.nvim_list_bufs())
    end
    local server = client.server_info
      or (client.initialize_result or {}).serverInfo
      or {}
    local named = vim.trim((server.name or '?') .. ' ' .. (server.version or ''))
    local root = client.config.root_dir or messages.get('health_no_root')
    ok(messages.get('health_client_ok', client.id, root, attached, named))
  end
  if #clients == 0 then
    local open = #vim.tbl_filter(function(bufnr)
      return vim.api.nvim_buf_is_loaded(bufnr) and require('promptblock.files').is_ours(bufnr)
    end, vim.api.nvim_list_bufs())
    if open == 0 then
      info(messages.get('health_client_none'))
    else
      warn(
        messages.get('health_client_missing', open),
        { messages.get('health_client_advice', vim.lsp.get_log_path()) }
      )
    end
  end
  for _, watch in pairs(require('promptblock.watch').state()) do
    info(messages.get('health_watch', watch.count, watch.root))
  end
end

local function check_parsers()
  local parsers = require('promptblock.parsers')
  if not parsers.SUPPORTED then
    return info(messages.get('parsers_too_old'))
  end
  local languages = vim.tbl_keys(parsers.GRAMMARS)
  table.sort(languages)
  for _, language in ipairs(languages) do
    local state = parsers.state(language)
    if state == true then
      ok(messages.get('health_parser_ok', language))
    elseif state == nil then
      info(messages.get('health_parser_none', language))
    else
      fail(messages.get('health_parser_bad', language, state))
    end
  end
end

function M.check()
  start('promptblock')
  check_editor()
  check_server()
  check_client()
  check_parsers()
end

return M
