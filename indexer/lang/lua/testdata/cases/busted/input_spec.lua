-- busted: describe and it make a test; functions in them stand in bodies.
local store = require("store")

describe("store", function()
  local handle
  local function open() handle = store.open("x") end
  before_each(function() open() end)
  it("keeps", function()
    assert.equal(1, handle:get("a"))
  end)
end)
