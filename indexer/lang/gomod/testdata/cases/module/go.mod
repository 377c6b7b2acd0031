// The module path is the package; the replaced directory is an import.
module example.com/acme/rocket/v2

go 1.24

require (
	example.com/fuel v1.2.3
	example.com/indirect v0.1.0 // indirect
)

replace example.com/fuel => ../fuel
