--[[ 漢字 🎉 é: names and lines behind text outside ASCII are exact,
     and a block comment of two lines is the summary. ]]

local text = "日本語\
  zwei"
local größe = 1
--- Grüßt. Zweiter Satz.
--- @param wen string
--- @return string
function grüße(wen) return "🎉" .. wen end
return { grüße = grüße }
