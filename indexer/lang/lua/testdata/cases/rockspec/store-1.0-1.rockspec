package = "store" -- the package of the file
version = "1.0-1"
description = { summary = "Keeps things", license = "MIT" }
dependencies = { "lua >= 5.1", "lua-cjson" }
build = { type = "builtin", modules = { ["store"] = "src/store.lua" } }
