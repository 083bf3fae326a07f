--- What Neovim shows for the example projects is what the command line says, finding by finding.
--- Working directory: a copy of the examples.
local t = require('lib')

local SEVERITY = { error = 1, warning = 2, information = 3, hint = 4 }

--- What Neovim shows of a buffer, in the same form.
local function shown(buf)
  local found = {}
  for _, d in ipairs(vim.diagnostic.get(buf)) do
    local code = d.code or vim.tbl_get(d, 'user_data', 'lsp', 'code')
    local text = vim.api.nvim_buf_get_lines(buf, d.lnum, d.end_lnum + 1, false)
    if #text > 0 and d.end_lnum < vim.api.nvim_buf_line_count(buf) then
      text[#text] = text[#text]:sub(1, d.end_col)
    end
    text[1] = (text[1] or ''):sub(d.col + 1)
    table.insert(found, ('%d %s %d:%s'):format(d.severity, code, d.lnum, table.concat(text, '\n')))
  end
  table.sort(found)
  return found
end

t.run(function()
  local output = vim.fn.system({ vim.env.PROMPTBLOCK, 'check', '--format', 'json', '--fail-on', 'never', '.' })
  local report = vim.fn.json_decode(output)
  local wanted, total = {}, 0
  for _, d in ipairs(report.diagnostics) do
    local slice = t.read(d.path):sub(d.bytes[1] + 1, d.bytes[2])
    wanted[d.path] = wanted[d.path] or {}
    table.insert(wanted[d.path], ('%d %s %d:%s'):format(SEVERITY[d.severity], d.code, d.range.start.line, slice))
    total = total + 1
  end
  t.check('the examples hold mistakes', total >= 10, tostring(total))

  local paths = vim.fn.globpath('.', '**/*.promptblock', false, true)
  t.check('the examples hold blocks', #paths >= 5, tostring(#paths))
  vim.list_extend(paths, vim.fn.globpath('.', '**/promptblock.catalog.json', false, true))
  local buffers = {}
  for _, path in ipairs(paths) do
    path = path:gsub('^%./', '')
    local buf, client = t.open(path)
    if t.check('attached to ' .. path, client) then
      buffers[path] = buf
    end
  end

  local function differing()
    local found = {}
    for path, buf in pairs(buffers) do
      local want = wanted[path] or {}
      table.sort(want)
      local got = shown(buf)
      if not vim.deep_equal(got, want) then
        table.insert(found, { path = path, got = got, want = want })
      end
    end
    return found
  end
  t.wait(function()
    return #differing() == 0
  end)
  -- Nothing may come later either.
  vim.wait(500)
  t.equal('the same findings in all files', differing(), {})
end)
