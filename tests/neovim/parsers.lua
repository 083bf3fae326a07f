--- The tree-sitter parsers: compiled by the plugin's own command, then coloured by the tree.
--- XDG_DATA_HOME is empty at the start. Neovim 0.11 only: older ones cannot read these parsers.
local t = require('lib')

local function captures(buf, text, skip)
  local line, column = t.find(buf, text, skip)
  local found = {}
  for _, capture in ipairs(vim.treesitter.get_captures_at_pos(buf, line, column)) do
    found[capture.lang .. ' ' .. capture.capture:gsub('%..*', '')] = true
  end
  return found
end

--- Does a language have a tree in this buffer?
local function languages(buf)
  local found = {}
  vim.treesitter.get_parser(buf, 'promptblock'):parse(true)
  vim.treesitter.get_parser(buf, 'promptblock'):for_each_tree(function(_, tree)
    found[tree:lang()] = true
  end)
  return found
end

t.run(function()
  local parsers = require('promptblock.parsers')
  t.equal('no parser at first', parsers.state('promptblock'), nil)
  vim.cmd('edit rules.promptblock')
  local buf = vim.api.nvim_get_current_buf()
  t.equal('the syntax file colours meanwhile', vim.bo[buf].syntax, 'promptblock')

  local said = {}
  vim.notify = function(message)
    table.insert(said, message)
  end
  vim.cmd('PromptblockInstallParsers')
  t.wait(function()
    return #said > 0
  end)
  t.check('installed', (said[1] or ''):find('parsers installed in', 1, true) ~= nil, said[1])
  for _, language in ipairs({ 'promptblock', 'prompt_template' }) do
    t.equal('parser and queries of ' .. language, parsers.state(language), true)
  end
  t.check('the open block is coloured by the tree', vim.treesitter.highlighter.active[buf] ~= nil)

  t.check('the template is injected', languages(buf).prompt_template)
  t.check('a variable in a tag', captures(buf, '{user_name}', 2)['prompt_template variable'], vim.inspect(captures(buf, '{user_name}', 2)))
  t.check('a control word', captures(buf, '{if is_group}', 1)['prompt_template keyword'], vim.inspect(captures(buf, '{if is_group}', 1)))
  t.check('a header key', next(captures(buf, 'zone: system', 1)) ~= nil)

  vim.cmd('edit plain.promptblock')
  local plain = vim.api.nvim_get_current_buf()
  t.check('a new block is coloured by the tree', vim.treesitter.highlighter.active[plain] ~= nil)
  t.check('no template where the header does not ask for it', not languages(plain).prompt_template)
  t.check('but Markdown', languages(plain).markdown)

  -- The switch is in the header: it must work while one types it.
  local row = t.find(plain, 'order: 1')
  vim.api.nvim_buf_set_lines(plain, row + 1, row + 1, false, { 'template: true' })
  t.check('template: true typed in', languages(plain).prompt_template)
end)
