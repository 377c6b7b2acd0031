#!/usr/bin/env lua
-- Calls with their qualifiers; strings and comments hold no code.
require "side.effect"
local ok, lib = pcall(require, "maybe")
local text = [[
function fake() end
]]
--[==[
function also_fake() end
]==]
local a = { run = function() end }
local function outer(x, y)
  local z = x.field:method(1)
  local function nested() return outer(z) end
  for i, v in ipairs(y) do v.call(i) end
  for n = 1, 10 do unknown_global(n) end
  if x == 1 then other { 1 } elseif y then another "s" else repeat until last() end
  return nested()
end
function twice() return 1 end
function twice() return 2 end -- the second of one name
outer(a.run(), 7 // 2 << 1)
lib.go()
