--- Keeps things. Second sentence.
-- @module store
local M = {}

local json = require("cjson")
local decode = require "cjson.safe".decode
local insert = table.insert -- a shorter name is no definition
local LIMIT <const> = 10

--- Opens a store.
-- @tparam string path where it lies
-- @param mode string how
-- @treturn table the store
function M.open(path, mode, ...)
  local handle = io.open(path)
  return handle
end

-- A method: self is the container.
function M.inner.deep:close()
  self.closed = true
  self:flush(json.encode({}))
end

local function helper(a) -- private, for it is not returned
  return decode(a)
end

M.assigned = function(q) return helper(q) end
M["quoted"] = function() end
M.VERSION = "1.0"
M._hidden = 1

M.handlers = {
  get = function(self) return insert end,
  ["put"] = function() end,
  limit = 5,
}

function global_function() end
GLOBAL = 5
goto finish
::finish::
return M
