--- Tells the server of files that changed outside Neovim. Neovim itself does so on macOS and
--- Windows only (on Linux its watcher is switched off), and before 0.10 nowhere; this one watches
--- folder by folder, the top ones first, up to a limit.
local M = {}

local files = require('promptblock.files')
local uv = vim.loop

--- Each watched folder costs a handle of the system.
M.LIMIT = 1000
--- A `git checkout` changes many files at once; they are told together.
local DELAY_MS = 100

local CREATED, CHANGED, DELETED = 1, 2, 3
local SKIPPED = { node_modules = true }

---@class promptblock.Watch
---@field root string
---@field handles table<string, userdata> by folder
---@field known table<string, table<string, boolean>> names of the files seen, by folder
---@field count integer
---@field limit_told? boolean
---@field pending table<string, integer> kind of change by path
---@field timer userdata

---@type table<integer, promptblock.Watch>
local watches = {}

local watch_tree

local function note(watch, path, kind)
  watch.pending[path] = kind
  watch.timer:start(DELAY_MS, 0, function()
    if watch.closed then
      return
    end
    local pending = watch.pending
    watch.pending = {}
    vim.schedule(function()
      local changes = {}
      for changed, how in pairs(pending) do
        table.insert(changes, { uri = vim.uri_from_fname(changed), type = how })
      end
      watch.notify('workspace/didChangeWatchedFiles', { changes = changes })
    end)
  end)
end

local function forget(watch, dir)
  local handle = watch.handles[dir]
  if not handle then
    return
  end
  if not handle:is_closing() then
    handle:close()
  end
  watch.handles[dir] = nil
  watch.count = watch.count - 1
  for name in pairs(watch.known[dir]) do
    note(watch, dir .. '/' .. name, DELETED)
  end
  watch.known[dir] = nil
  for other in pairs(watch.handles) do
    if vim.startswith(other, dir .. '/') then
      forget(watch, other)
    end
  end
end

local function on_event(watch, dir, name)
  if watch.closed or not watch.handles[dir] then
    return
  end
  local path = dir .. '/' .. name
  local stat = uv.fs_stat(path)
  if stat and stat.type == 'directory' then
    if not watch.handles[path] then
      watch_tree(watch, path, true)
    end
  elseif watch.handles[path] then
    forget(watch, path)
  elseif files.is_watched(name) then
    local known = watch.known[dir]
    if not stat then
      known[name] = nil
      note(watch, path, DELETED)
    elseif known[name] then
      note(watch, path, CHANGED)
    else
      known[name] = true
      note(watch, path, CREATED)
    end
  end
end

--- Watches a folder and those below it, breadth first. With `report`, files found count as new.
function watch_tree(watch, top, report)
  local queue, first = { top }, 1
  while queue[first] do
    local dir = queue[first]
    first = first + 1
    if watch.count >= M.LIMIT then
      if not watch.limit_told then
        watch.limit_told = true
        require('promptblock.messages').notify(
          vim.log.levels.WARN,
          'watch_limit',
          watch.root,
          M.LIMIT
        )
      end
      return
    end
    local handle = uv.new_fs_event()
    local on_change = vim.schedule_wrap(function(err, name)
      if not err and name then
        on_event(watch, dir, name)
      end
    end)
    if handle and handle:start(dir, {}, on_change) then
      watch.handles[dir] = handle
      watch.known[dir] = {}
      watch.count = watch.count + 1
      local scan = uv.fs_scandir(dir)
      while scan do
        local name, kind = uv.fs_scandir_next(scan)
        if not name then
          break
        end
        if kind == 'directory' then
          if name:sub(1, 1) ~= '.' and not SKIPPED[name] then
            table.insert(queue, dir .. '/' .. name)
          end
        elseif files.is_watched(name) then
          watch.known[dir][name] = true
          if report then
            note(watch, dir .. '/' .. name, CREATED)
          end
        end
      end
    elseif handle then
      handle:close()
    end
  end
end

local function close(id)
  local watch = watches[id]
  if watch then
    watch.closed = true
    watches[id] = nil
    for _, handle in pairs(watch.handles) do
      if not handle:is_closing() then
        handle:close()
      end
    end
    watch.timer:stop()
    watch.timer:close()
  end
end

---@param client table
function M.follow(client)
  local native = client.config.capabilities
  for _, key in ipairs({ 'workspace', 'didChangeWatchedFiles', 'dynamicRegistration' }) do
    native = type(native) == 'table' and native[key] or nil
  end
  local root = client.config.root_dir
  if watches[client.id] or native or not root then
    return
  end
  local watch = {
    root = root,
    handles = {},
    known = {},
    count = 0,
    pending = {},
    timer = uv.new_timer(),
  }
  watch.notify = function(method, params)
    local alive = vim.lsp.get_client_by_id(client.id)
    if not alive then
      close(client.id)
    elseif vim.fn.has('nvim-0.11') == 1 then
      alive:notify(method, params)
    else
      alive.notify(method, params)
    end
  end
  watches[client.id] = watch
  watch_tree(watch, root, false)
end

--- For :checkhealth.
---@return table<integer, { root: string, count: integer }>
function M.state()
  return watches
end

return M
