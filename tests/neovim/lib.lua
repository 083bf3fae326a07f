--- What the tests share: PASS and FAIL lines, waiting, and one way to call what changed its name
--- between the versions of Neovim.
local M = {}

M.native = vim.fn.has('nvim-0.11') == 1

local failed = 0

function M.check(name, ok, extra)
  io.stdout:write(('%s %s%s\n'):format(ok and 'PASS' or 'FAIL', name, (not ok and extra) and ': ' .. extra or ''))
  io.stdout:flush()
  if not ok then
    failed = failed + 1
  end
  return ok
end

function M.equal(name, got, want)
  return M.check(name, vim.deep_equal(got, want), ('got %s, want %s'):format(vim.inspect(got), vim.inspect(want)))
end

--- Leaves as a user does, so that the server sees `shutdown` and `exit`.
function M.finish()
  vim.cmd(failed == 0 and 'qall!' or 'cquit 1')
end

--- Runs the test when Neovim is up as it is for a user; an error in it is a failure, never a hang
--- at a prompt.
function M.run(test)
  vim.api.nvim_create_autocmd('VimEnter', {
    once = true,
    callback = vim.schedule_wrap(function()
      local ok, problem = xpcall(test, debug.traceback)
      if not ok then
        M.check('no error in the test', false, tostring(problem))
      end
      M.finish()
    end),
  })
end

function M.wait(condition, ms)
  return vim.wait(ms or 10000, condition, 10)
end

function M.clients()
  return require('promptblock.client').running()
end

function M.client(bufnr)
  for _, client in ipairs(M.clients()) do
    if vim.lsp.buf_is_attached(bufnr, client.id) then
      return client
    end
  end
end

--- Opens a file and waits for the server to be ready.
function M.open(path)
  vim.cmd('edit ' .. vim.fn.fnameescape(path))
  local bufnr = vim.api.nvim_get_current_buf()
  local ready = M.wait(function()
    local client = M.client(bufnr)
    return client and (client.initialized or client.server_capabilities)
  end)
  return bufnr, ready and M.client(bufnr)
end

function M.request(bufnr, method, params)
  params.textDocument = { uri = vim.uri_from_bufnr(bufnr) }
  local answers, problem = vim.lsp.buf_request_sync(bufnr, method, params, 10000)
  for _, answer in pairs(answers or {}) do
    if answer.result and answer.result ~= vim.NIL then
      return answer.result
    end
    problem = answer.err or answer.error
  end
  return nil, vim.inspect(problem)
end

--- Line (from 0) and byte column of the first occurrence of a text, behind its `skip` first bytes.
function M.find(bufnr, text, skip)
  for i, line in ipairs(vim.api.nvim_buf_get_lines(bufnr, 0, -1, false)) do
    local at = line:find(text, 1, true)
    if at then
      return i - 1, at - 1 + (skip or 0)
    end
  end
  error('no ' .. text)
end

--- The same as an LSP position in the encoding of the client.
function M.position(bufnr, text, skip)
  local line, column = M.find(bufnr, text, skip)
  local content = vim.api.nvim_buf_get_lines(bufnr, line, line + 1, false)[1]
  local client = M.client(bufnr)
  if client.offset_encoding == 'utf-8' then
    return { line = line, character = column }
  end
  local utf32, utf16 = vim.str_utfindex(content, column)
  return { line = line, character = client.offset_encoding == 'utf-32' and utf32 or utf16 }
end

--- `code text` of each diagnostic of a buffer, sorted; hints and information left out.
function M.findings(bufnr, all)
  local found = {}
  for _, d in ipairs(vim.diagnostic.get(bufnr)) do
    if all or d.severity <= vim.diagnostic.severity.WARN then
      local code = d.code or vim.tbl_get(d, 'user_data', 'lsp', 'code')
      local lines = vim.api.nvim_buf_get_lines(bufnr, d.lnum, (d.end_lnum or d.lnum) + 1, false)
      local text = lines[1] or ''
      if d.end_lnum == d.lnum then
        text = text:sub(1, d.end_col)
      end
      table.insert(found, ('%s %s'):format(code, text:sub(d.col + 1)))
    end
  end
  table.sort(found)
  return found
end

--- Waits until the findings are these.
function M.expect(name, bufnr, want)
  table.sort(want)
  M.wait(function()
    return vim.deep_equal(M.findings(bufnr), want)
  end)
  return M.equal(name, M.findings(bufnr), want)
end

--- Writes a file behind Neovim's back.
function M.write(path, text)
  local file = assert(io.open(path, 'wb'))
  file:write(text)
  file:close()
end

function M.read(path)
  local file = assert(io.open(path, 'rb'))
  local text = file:read('*a')
  file:close()
  return text
end

return M
