--- Messages follow the locale.
local t = require('lib')

t.run(function()
  local buf, client = t.open('rules.promptblock')
  t.check('attached', client)
  t.wait(function()
    return #vim.diagnostic.get(buf) > 0
  end)
  local zh = (vim.env.TEST_LOCALE or 'en') == 'zh-CN'
  local messages = {}
  for _, d in ipairs(vim.diagnostic.get(buf)) do
    table.insert(messages, d.message)
  end
  local text = table.concat(messages, '\n')
  t.check('there are messages', text ~= '')
  -- 变量 (variable) is in the Chinese message of every diagnostic of this file, and in no English one.
  t.equal('messages in ' .. (vim.env.TEST_LOCALE or 'en'), text:find('变量', 1, true) ~= nil, zh)

  require('promptblock').options.locale = nil
  for lang, want in pairs({ ['zh_CN.UTF-8'] = 'zh-CN', ['C'] = 'en', ['C.UTF-8'] = 'en', ['de_DE@euro'] = 'de-DE' }) do
    local real = vim.v
    vim.v = setmetatable({ lang = lang }, { __index = real })
    local got = require('promptblock').locale()
    vim.v = real
    t.equal('locale of ' .. lang, got, want)
  end
end)
