-- Classes by metatables: bases are what __index, extend and class name.

--- An animal.
local Animal = {}
Animal.__index = Animal

function Animal.new(name)
  return setmetatable({ name = name }, Animal)
end

function Animal:speak() return self.name end

local Dog = setmetatable({}, { __index = Animal })
function Dog:speak() Animal.speak(self) end

local Cat = {}
setmetatable(Cat, { __index = Animal })
function Cat:purr() end

local Bird = Animal:extend("Bird")
function Bird:fly() self.high = 1 end

return { Animal = Animal, Dog = Dog }
