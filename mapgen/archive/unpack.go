package archive

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/project-map/project-map/mapgen/artifact"
	"github.com/project-map/project-map/mapgen/safefs"
	"github.com/project-map/project-map/mapgen/store"
	"github.com/project-map/project-map/mapgen/symbolindex"
)

// ErrOccupied says that a directory holds other things than an unpacked archive.
var ErrOccupied = errors.New("holds other things than an unpacked archive")

// Placement is what the manifest of an archive with maps says of where they are.
const Placement = "out"

func namesDigest(names []string) string { return symbolindex.Digest(names) }

// Unpack writes the maps and the store into dir, and builds the symbol index. dir
// may be missing, empty, or hold an archive that was unpacked before, which is
// replaced; anything else is ErrOccupied. All is written beside dir first and then
// takes its place, so that after an error dir is what it was. So it is after a
// crash, except that one between the two renames that replace an earlier archive
// leaves that under a temporary name beside dir.
func (a *Archive) Unpack(ctx context.Context, dir string) error {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return fmt.Errorf("unpack archive: %w", err)
	}
	if err := free(dir); err != nil {
		return fmt.Errorf("unpack archive: %s %w", dir, err)
	}
	parent := filepath.Dir(dir)
	if err := os.MkdirAll(parent, 0o755); err != nil {
		return fmt.Errorf("unpack archive: %w", err)
	}
	tmp, err := scratch(parent)
	if err != nil {
		return fmt.Errorf("unpack archive: %w", err)
	}
	defer os.RemoveAll(tmp)
	if err := a.fill(ctx, tmp); err != nil {
		return fmt.Errorf("unpack archive: %w", err)
	}
	// Somebody may have written there meanwhile.
	if err := free(dir); err != nil {
		return fmt.Errorf("unpack archive: %s %w", dir, err)
	}
	if err := swap(tmp, dir); err != nil {
		return fmt.Errorf("unpack archive: %w", err)
	}
	return nil
}

// scratch makes a new directory, with the permissions that the user gives to
// directories.
func scratch(parent string) (string, error) {
	var random [8]byte
	if _, err := rand.Read(random[:]); err != nil {
		return "", err
	}
	tmp := filepath.Join(parent, safefs.TempPrefix+hex.EncodeToString(random[:]))
	return tmp, os.Mkdir(tmp, 0o755)
}

// fill writes into an empty directory.
func (a *Archive) fill(ctx context.Context, dir string) error {
	root, err := safefs.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	made := "."
	for _, p := range a.Pages {
		if err := ctx.Err(); err != nil {
			return err
		}
		if d := path.Dir(p.Path); d != made {
			if err := root.MkdirAll(d); err != nil {
				return err
			}
			made = d
		}
		if _, err := root.WriteFile(p.Path, p.Data); err != nil {
			return err
		}
	}
	m := *a.Manifest
	where := filepath.Join(dir, store.DirName)
	if err := store.Write(where, &m, a.Contents); err != nil {
		return err
	}
	s, err := store.Open(where)
	if err != nil {
		return err
	}
	defer s.Close()
	want, err := encodeStoreManifest(a.Manifest)
	if err != nil {
		return err
	}
	if got, err := encodeStoreManifest(s.Manifest); err != nil || !bytes.Equal(got, want) {
		return fmt.Errorf("the store came out different: %w", ErrInvalid)
	}
	return ctx.Err()
}

// free tells whether a directory may be replaced.
func free(dir string) error {
	info, err := os.Lstat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case !info.IsDir():
		return fmt.Errorf("is not a directory: %w", ErrOccupied)
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) == 0 {
		return err
	}
	s, err := store.Open(filepath.Join(dir, store.DirName))
	if err != nil {
		return ErrOccupied
	}
	placement := s.Manifest.Placement
	_ = s.Close()
	if placement != Placement && placement != "none" {
		return ErrOccupied
	}
	return filepath.WalkDir(dir, func(p string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case e.IsDir() && p == filepath.Join(dir, store.DirName):
			return fs.SkipDir
		case e.IsDir() || e.Type().IsRegular() && isPage(e.Name()):
			return nil
		}
		return fmt.Errorf("%w, such as %s", ErrOccupied, p)
	})
}

func isPage(name string) bool {
	return name == artifact.IndexName || name == artifact.MapName || strings.HasPrefix(name, safefs.TempPrefix)
}

// swap puts a directory in the place of another one.
func swap(from, to string) error {
	err := os.Rename(from, to) // an empty one is replaced on most systems
	if err == nil {
		return nil
	}
	old, oldErr := scratch(filepath.Dir(to))
	if oldErr != nil {
		return err
	}
	defer os.RemoveAll(old)
	aside := filepath.Join(old, "x")
	if err := os.Rename(to, aside); err != nil {
		return err
	}
	if err := os.Rename(from, to); err != nil {
		return errors.Join(err, os.Rename(aside, to))
	}
	return nil
}
