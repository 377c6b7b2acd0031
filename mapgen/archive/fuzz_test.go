package archive

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// FuzzPath publishes one page of any path in an archive that is otherwise right,
// and looks at what unpacking it leaves where.
func FuzzPath(f *testing.F) {
	for _, p := range []string{".pi-map.md", "a/.pi-map.index.md", "../.pi-map.md", "/.pi-map.md", "a/./.pi-map.md", ".git/.pi-map.md", "a\x00/.pi-map.md", "a\\..\\.pi-map.md", "b\xff/.pi-map.md", "\"x/.pi-map.md", strings.Repeat("d/", 300) + ".pi-map.md"} {
		f.Add(p)
	}
	good := decompress(f, pack(f, sample(f)))
	base := f.TempDir()
	f.Fuzz(func(t *testing.T, p string) {
		if strings.ContainsRune(p, 0) || p == "" || strings.HasSuffix(p, "/") {
			return // no tar holds a file of such a name
		}
		list := slices.DeleteFunc(entries(t, good), func(e entry) bool { return strings.HasPrefix(e.h.Name, mapsPrefix) })
		list = append(list, entry{*header(mapsPrefix+encodePath(p), 0), []byte("page")})
		slices.SortStableFunc(list[1:], func(x, y entry) int { return strings.Compare(x.h.Name, y.h.Name) })
		relist(t, list)
		a, err := readTar(bytes.NewReader(lay(t, list)), DefaultLimits)
		if err != nil {
			return
		}
		dir, err := os.MkdirTemp(base, "")
		if err != nil {
			t.Fatal(err)
		}
		defer os.RemoveAll(dir)
		unpackErr := a.Unpack(t.Context(), filepath.Join(dir, "maps"))
		err = filepath.WalkDir(dir, func(name string, e fs.DirEntry, err error) error {
			rel, _ := filepath.Rel(dir, name)
			switch {
			case err != nil:
				return err
			case rel == filepath.Join("maps", ".project-map"):
				return fs.SkipDir
			case e.IsDir():
			case unpackErr != nil, rel != filepath.Join("maps", filepath.FromSlash(p)):
				t.Errorf("%q left %q (%v)", p, rel, unpackErr)
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	})
}
