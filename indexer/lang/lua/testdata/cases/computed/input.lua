-- Known loss: a function under a computed or numeric key has no name and is not
-- reported; one under a constant takes the name of the constant.
local M = {}
M[1] = function() return 0 end
M["has_" .. kind] = function() return inside() end
M.rules = {
  [Rules.HOST] = function() end, -- HOST
  ["kong.log"] = function() end, -- kong.log
  [2] = function() end,
}
--[[ A block comment, and code in it, hold nothing:
function commented() end
]]
function M.last() end
return M
