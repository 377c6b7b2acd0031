package site

import (
	"embed"
	"fmt"
	"io/fs"
)

//go:embed templates/*.html
var templateFS embed.FS

// assetFS holds what web/build.mjs makes of web, licences included.
//
//go:embed assets
var assetFS embed.FS

// assetFiles are the files that every site has.
func assetFiles() ([]File, error) {
	entries, err := fs.ReadDir(assetFS, "assets")
	if err != nil {
		return nil, fmt.Errorf("read assets: %w", err)
	}
	var out []File
	for _, e := range entries {
		data, err := fs.ReadFile(assetFS, "assets/"+e.Name())
		if err != nil {
			return nil, fmt.Errorf("read assets: %w", err)
		}
		out = append(out, File{assetDir + "/" + e.Name(), data})
	}
	return out, nil
}
