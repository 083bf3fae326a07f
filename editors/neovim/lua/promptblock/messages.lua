--- What the plugin says, in both languages. The server's own messages come translated already.
local M = {}

local TEXTS = {
  server_missing = {
    en = 'promptblock: the server cannot be started, "%s" is not an executable. Put `promptblock` on the PATH or set its place: require("promptblock").setup({ cmd = { "/path/to/promptblock", "lsp" } }). See :checkhealth promptblock',
    zh = 'promptblock：无法启动服务器，"%s" 不可执行。请将 `promptblock` 放入 PATH，或指定其位置：require("promptblock").setup({ cmd = { "/path/to/promptblock", "lsp" } })。参见 :checkhealth promptblock',
  },
  server_ended = {
    en = 'promptblock: the server ended unexpectedly (exit code %d, signal %d). :PromptblockRestart starts it again; its log: %s',
    zh = 'promptblock：服务器意外退出（退出码 %d，信号 %d）。:PromptblockRestart 可重新启动；日志：%s',
  },
  watch_limit = {
    en = 'promptblock: %s has more than %d folders; changes made outside Neovim are noticed in the topmost ones only',
    zh = 'promptblock：%s 的文件夹超过 %d 个；在 Neovim 之外所做的更改仅在最上层文件夹中会被发现',
  },
  parsers_too_old = {
    en = 'promptblock: tree-sitter parsers need Neovim 0.11 or newer; the syntax file colours the blocks meanwhile',
    zh = 'promptblock：tree-sitter 解析器需要 Neovim 0.11 或更新版本；在此之前由 syntax 文件着色',
  },
  parsers_no_compiler = {
    en = 'promptblock: no C compiler found (tried $CC, cc, gcc, clang)',
    zh = 'promptblock：找不到 C 编译器（已尝试 $CC、cc、gcc、clang）',
  },
  parsers_no_source = {
    en = 'promptblock: the source of the parser "%s" was found neither in %s nor in %s',
    zh = 'promptblock：找不到解析器 "%s" 的源代码，已查找 %s 与 %s',
  },
  parsers_failed = {
    en = 'promptblock: compiling the parser "%s" failed:\n%s',
    zh = 'promptblock：编译解析器 "%s" 失败：\n%s',
  },
  parsers_done = {
    en = 'promptblock: parsers installed in %s',
    zh = 'promptblock：解析器已安装到 %s',
  },
  preview_no_block = {
    en = 'promptblock: open a block first; the preview is of its project',
    zh = 'promptblock：请先打开一个提示词块；预览的是它所在的项目',
  },
  preview_tokens = { en = '%s tokens', zh = '%s 个 token' },
  preview_boundary = {
    en = 'the stable prefix ends here: %s tokens, %s',
    zh = '稳定前缀到此为止：%s 个 token，%s',
  },
  preview_mark = { en = 'cache mark', zh = '缓存标记' },
  preview_refused = { en = 'the assembly is refused:', zh = '装配被拒绝：' },
  preview_note = { en = 'note that the environment has changed', zh = '环境变更说明' },
  preview_pin = {
    en = 'pinned; without the pin, %s tokens of the prefix would be computed anew, from %s on',
    zh = '已固定；若不固定，前缀中有 %s 个 token 要重新计算，从 %s 起',
  },
  preview_pin_idle = {
    en = 'no variable of the system zone has another value there',
    zh = '系统区用到的变量在那里取值相同',
  },
  preview_no_value = { en = 'no value', zh = '无值' },
  preview_no_environment = { en = 'no environment', zh = '无环境' },
  preview_no_then = { en = '(no second environment)', zh = '（无第二个环境）' },
  preview_choose = { en = 'Environment', zh = '环境' },
  preview_absent_zone = {
    en = 'the open block is not assembled: it has no valid zone',
    zh = '打开的块没有参与装配：它没有有效的 zone',
  },
  preview_absent_replaced = {
    en = 'the open block is not assembled: an exclusive block replaces it',
    zh = '打开的块没有参与装配：有独占块取代了它',
  },
  preview_absent_blank = {
    en = 'the open block is not assembled: nothing is rendered',
    zh = '打开的块没有参与装配：渲染结果为空',
  },
  preview_computed = {
    en = 'computed by the program, and not shown: %s',
    zh = '由程序在运行时计算，未显示：%s',
  },
  status = { en = 'system %s · context %s · input %s', zh = '系统 %s · 上下文 %s · 输入 %s' },
  status_refused = { en = 'no assembly', zh = '无法装配' },
  health_version_ok = { en = 'Neovim %s', zh = 'Neovim %s' },
  health_version_old = {
    en = 'Neovim %s works, with less: semantic tokens, tree-sitter and folding by the server need 0.11',
    zh = 'Neovim %s 可用但功能较少：语义着色、tree-sitter 与由服务器提供的折叠需要 0.11',
  },
  health_server_ok = { en = 'server: %s (%s)', zh = '服务器：%s（%s）' },
  health_server_fails = {
    en = 'server: %s is there but `--version` fails: %s',
    zh = '服务器：%s 存在，但 `--version` 失败：%s',
  },
  health_server_missing = {
    en = 'server: "%s" is not an executable',
    zh = '服务器："%s" 不可执行',
  },
  health_server_advice = {
    en = 'put `promptblock` on the PATH, or require("promptblock").setup({ cmd = { "/path/to/promptblock", "lsp" } })',
    zh = '请将 `promptblock` 放入 PATH，或使用 require("promptblock").setup({ cmd = { "/path/to/promptblock", "lsp" } })',
  },
  health_server_function = {
    en = 'server: started by a function of your configuration',
    zh = '服务器：由您配置中的函数启动',
  },
  health_off = { en = 'client: switched off (autostart = false)', zh = '客户端：已关闭（autostart = false）' },
  health_client_ok = {
    en = 'client %d: project %s, attached to %d buffer(s), server %s',
    zh = '客户端 %d：项目 %s，已附加到 %d 个缓冲区，服务器 %s',
  },
  health_client_none = {
    en = 'client: not running; it starts with the first block file',
    zh = '客户端：未运行；打开第一个提示词块文件时启动',
  },
  health_client_missing = {
    en = 'client: %d block buffer(s) open, none attached',
    zh = '客户端：已打开 %d 个提示词块缓冲区，但均未附加',
  },
  health_client_advice = {
    en = 'the log of Neovim\'s client is %s',
    zh = 'Neovim 客户端的日志位于 %s',
  },
  health_no_root = { en = '(none)', zh = '（无）' },
  health_watch = {
    en = 'changes outside Neovim: %d folder(s) of %s watched',
    zh = '外部更改：正在监视 %d 个文件夹（%s）',
  },
  health_parser_ok = { en = 'parser %s: installed, queries read', zh = '解析器 %s：已安装，查询可读' },
  health_parser_bad = { en = 'parser %s: %s', zh = '解析器 %s：%s' },
  health_parser_none = {
    en = 'parser %s: not installed; :PromptblockInstallParsers compiles it (optional, the syntax file colours meanwhile)',
    zh = '解析器 %s：未安装；:PromptblockInstallParsers 可编译它（可选，在此之前由 syntax 文件着色）',
  },
}

---@param key string
---@return string
function M.get(key, ...)
  local entry = assert(TEXTS[key], key)
  local zh = require('promptblock').locale():lower():match('^zh')
  return (zh and entry.zh or entry.en):format(...)
end

--- Shows a message soon: an error that is shown within an autocommand would break off the others.
---@param level integer
---@param key string
function M.notify(level, key, ...)
  local arguments = { ... }
  vim.schedule(function()
    vim.notify(M.get(key, unpack(arguments)), level)
  end)
end

return M
