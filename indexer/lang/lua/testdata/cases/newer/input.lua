-- Lua 5.2 to 5.4 and LuaJIT: attributes, goto, integer operators, numerals.
local file <close> = io.open("x")
local MAX <const>, other = 0x1p4, 10ULL
for i = 1, 3 do
  if i == 2 then goto continue end
  ::continue::
end
local bits = ~0 & 0xFF | 1 << 3 >> 1 // 2
local long = [==[ ]] function fake() end ]==]
local zap = "a\z
   b"
function after() return bits end
M = M or {}
M.list = { 1, 2; 3, function() return 1 end, key = 4 }
function M.list.add() end
a.b["c"].d = function() end
return setmetatable(M, { __call = function(_, ...) return after(...) end })
