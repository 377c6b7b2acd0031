package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/project-map/project-map/mapgen/safefs"
	"github.com/project-map/project-map/site"
)

// siteList is the file of a site that lists the others. A directory with it
// belongs to the command.
const siteList = "project-map-site.json"

// siteListing is the content of that file.
type siteListing struct {
	Format int      `json:"format"`
	Files  []string `json:"files"`
}

const siteListFormat = 1

// errOccupied says that a directory holds other things than a site.
var errOccupied = errors.New("holds other things than a site")

// siteDir is the directory that a site is written into.
type siteDir struct {
	dir string
	// before are the files of the earlier run.
	before map[string]bool
}

// openSiteDir looks whether a directory may be written into; it need not exist.
func openSiteDir(dir string) (*siteDir, error) {
	s := &siteDir{dir: dir, before: map[string]bool{}}
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return s, nil
	case err != nil:
		return nil, usagef("--out %s: %v", dir, reasonOf(err))
	case !info.IsDir():
		return nil, usagef("--out %s: is not a directory", dir)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, usagef("--out %s: %v", dir, reasonOf(err))
	}
	if len(entries) == 0 {
		return s, nil
	}
	data, err := readSiteList(dir)
	if err != nil {
		return nil, withHint(fmt.Errorf("write site: %s %w", dir, err), "give a directory of its own: a new one, an empty one, or what an earlier run of site wrote")
	}
	var list siteListing
	if err := json.Unmarshal(data, &list); err != nil || list.Format < 1 {
		return nil, withHint(fmt.Errorf("write site: %s in %s is damaged", siteList, dir), "remove the directory and run again")
	}
	if list.Format > siteListFormat {
		return nil, withHint(fmt.Errorf("write site: %s was written by a newer version of project-map", dir), "update this program (it is %s), or remove the directory", version)
	}
	for _, f := range list.Files {
		// The list may come from anywhere: what no run writes is not touched.
		if isSiteFile(f) {
			s.before[f] = true
		}
	}
	return s, nil
}

// isSiteFile tells whether a run can have written a file.
func isSiteFile(p string) bool {
	dir, name := path.Split(p)
	switch dir {
	case "":
		return p == site.IndexPage || p == site.GraphPage
	case "assets/":
		return name != "" && !strings.HasPrefix(name, ".")
	case "data/":
		return path.Ext(name) == ".js"
	case "dir/":
		return path.Ext(name) == ".html" && !strings.HasPrefix(name, ".")
	}
	return false
}

func readSiteList(dir string) ([]byte, error) {
	root, err := safefs.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	data, err := root.ReadFile(siteList)
	if err != nil {
		return nil, errOccupied
	}
	return data, nil
}

// write brings the files to the disk, each whole or not at all, and removes those
// of the earlier run that are none any more. A run that was interrupted is
// mended by the next: all that it can have written is listed first.
func (s *siteDir) write(ctx context.Context, files []site.File, r *siteReport) error {
	if err := os.MkdirAll(s.dir, 0o755); err != nil {
		return fmt.Errorf("write site: %w", err)
	}
	root, err := safefs.OpenRoot(s.dir)
	if err != nil {
		return err
	}
	defer root.Close()
	now := map[string]bool{}
	for _, f := range files {
		now[f.Path] = true
		if s.before[f.Path] {
			continue
		}
		if _, err := os.Lstat(filepath.Join(s.dir, filepath.FromSlash(f.Path))); err == nil {
			return withHint(fmt.Errorf("write site: %s in %s was not written by an earlier run", f.Path, s.dir), "move it away, or give another directory")
		}
	}
	both := map[string]bool{}
	for _, set := range []map[string]bool{s.before, now} {
		for f := range set {
			both[f] = true
		}
	}
	if err := writeSiteList(root, both); err != nil {
		return err
	}
	made := "."
	sweep := []string{"."}
	for _, f := range files {
		if err := ctx.Err(); err != nil {
			return err
		}
		if d := path.Dir(f.Path); d != made {
			if err := root.MkdirAll(d); err != nil {
				return err
			}
			made = d
			sweep = append(sweep, d)
		}
		changed, err := root.WriteFile(f.Path, f.Data)
		if err != nil {
			return err
		}
		if changed {
			r.Written++
		} else {
			r.Unchanged++
		}
	}
	for f := range s.before {
		if now[f] {
			continue
		}
		if err := root.Remove(f); err != nil {
			return err
		}
		r.Removed++
	}
	for _, d := range slices.Compact(sweep) {
		// Leftovers of a crash; what cannot be removed now is removed later.
		_, _ = root.SweepTemp(d, time.Now())
	}
	return writeSiteList(root, now)
}

func writeSiteList(root *safefs.Root, files map[string]bool) error {
	list := siteListing{Format: siteListFormat, Files: make([]string, 0, len(files))}
	for f := range files {
		list.Files = append(list.Files, f)
	}
	slices.Sort(list.Files)
	data, err := json.MarshalIndent(list, "", " ")
	if err != nil {
		return fmt.Errorf("write site: %w", err)
	}
	_, err = root.WriteFile(siteList, append(data, '\n'))
	return err
}
