-- Damage costs the function it stands in.
local M = {}
function M.first() return 1 end

function M.no_end(a)
  if a then
    return 2

function M.after_no_end() return 3 end

function M.open_bracket(a)
  foo(a, {1, 2
end

function M.after_bracket() return "never closed
end

-- Ünïcödé 漢字 🎉 before a name
function M.last(größe) return größe end
end
end
function M.after_stray_ends() end
return M
