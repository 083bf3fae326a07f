--- :checkhealth and :help.
local t = require('lib')

local function health()
  vim.cmd('checkhealth promptblock')
  local text = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\n')
  vim.cmd('bwipeout!')
  return text
end

local function has(name, text, what)
  t.check(name, text:find(what, 1, true) ~= nil, text)
end

t.run(function()
  has('health without a buffer', health(), 'client: not running')
  local buf, client = t.open('rules.promptblock')
  t.check('attached', client)
  local text = health()
  local version = vim.trim(vim.fn.system({ vim.env.PROMPTBLOCK, '--version' }))
  t.equal('--version works', vim.v.shell_error, 0)
  has('health names the server and its version', text, ('%s (%s)'):format(vim.env.PROMPTBLOCK, version))
  has('health sees the client', text, 'attached to 1 buffer(s)')
  has('health names the project', text, client.config.root_dir)
  has('health tells of the parsers', text, t.native and 'parser promptblock' or 'need Neovim 0.11')
  t.check('health finds no error', not text:find('ERROR'), text)

  require('promptblock').setup({ locale = 'zh-CN' })
  has('health speaks Chinese', health(), '已附加到 1 个缓冲区')
  require('promptblock').setup({ locale = 'en', cmd = { '/nowhere/promptblock', 'lsp' } })
  text = health()
  has('health says that the server is missing', text, '"/nowhere/promptblock" is not an executable')
  has('and what to do', text, 'require("promptblock").setup')

  -- The help file: its tags are unique, and each reference in it leads somewhere.
  local doc = vim.env.PLUGIN .. '/doc'
  vim.cmd('helptags ' .. vim.fn.fnameescape(doc))
  for _, language in ipairs({ 'en', 'cn' }) do
    vim.o.helplang = language
    vim.cmd('help promptblock')
    local file = vim.fn.expand('%:t')
    t.equal(':help promptblock, ' .. language, file, language == 'en' and 'promptblock.txt' or 'promptblock.cnx')
    local dead, wide = {}, {}
    for _, line in ipairs(vim.api.nvim_buf_get_lines(0, 0, -1, false)) do
      if vim.fn.strdisplaywidth(line) > 79 then
        table.insert(wide, line)
      end
      for reference in line:gmatch('|(%S-)|') do
        if not pcall(vim.cmd, 'help ' .. reference) then
          table.insert(dead, reference)
        end
        vim.cmd('help promptblock')
      end
    end
    t.equal('the help file fits a window of 80 columns, ' .. language, wide, {})
    -- Older ones have no help on what only newer ones can do.
    if t.native then
      t.equal('references of the help file lead somewhere, ' .. language, dead, {})
    end
  end
  for _, topic in ipairs({ 'promptblock.setup()', ':PromptblockRestart', ':PromptblockInstallParsers', 'promptblock-highlights' }) do
    t.check(':help ' .. topic, pcall(vim.cmd, 'help ' .. topic))
  end
end)
