-- Two definitions of one name: each exactly once, with its own lines.
local M = {}
if jit then
  function M.fast() return 1 end
else
  function M.fast()
    return 2
  end
end
function fast() return 3 end -- a free function beside the members
fast()
M.fast()
return M
