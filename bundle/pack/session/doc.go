// Package session keeps on disk what package pack computes: the event log of
// each session, and the inputs of the packs that were built.
//
//	.project-map/events/<session>.jsonl   one event a line, only ever appended to
//	.project-map/events/<session>.lock    taken while appending
//	.project-map/packs/<pack id>.json     what a pack was built from
//	.project-map/packs/<xx>/<digest>.zst  the inputs, by their content
//
// A log is read and written by way of a [Log], which is bound to one session;
// there is no way from one session to another's events. Files are named after a
// digest of the session's name, so no name leads anywhere else.
//
// A batch of events is appended by one write and flushed. An event counts as soon
// as its line is whole, so a crash loses at most the line that was being written;
// the next one to append takes its remains away, and both reader and writer
// report them.
//
// Nothing here follows a symbolic link that a repository could hold.
package session

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/project-map/project-map/mapgen/safefs"
)

const (
	storeName  = ".project-map"
	eventsName = "events"
	packsName  = "packs"
)

// Store is where sessions and packs are kept. Its methods are safe for
// concurrent use, by several processes as well.
type Store struct {
	dir  string // absolute, of .project-map
	root *safefs.Root
}

// Open makes the store below dir, which has to exist, as far as it is not there.
func Open(dir string) (*Store, error) {
	root, err := safefs.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("open session store: %w", err)
	}
	s := &Store{filepath.Join(dir, storeName), root}
	if err := s.prepare(); err != nil {
		_ = root.Close()
		return nil, fmt.Errorf("open session store: %w", err)
	}
	return s, nil
}

func (s *Store) prepare() error {
	if err := s.root.MkdirAll(storeName); err != nil {
		return err
	}
	if _, err := s.root.WriteFile(storeName+"/.gitignore", []byte("*\n")); err != nil {
		return err
	}
	for _, name := range []string{eventsName, packsName} {
		// What agents say may be confidential: nobody else can enter.
		err := os.Mkdir(filepath.Join(s.dir, name), 0o700)
		if err != nil && !errors.Is(err, fs.ErrExist) {
			return err
		}
		if info, err := os.Lstat(filepath.Join(s.dir, name)); err != nil {
			return err
		} else if !info.IsDir() {
			return fmt.Errorf("%s is not a directory; remove it and run again", filepath.Join(s.dir, name))
		}
	}
	return nil
}

// Exists tells whether there is a store below dir, which is all it looks at.
func Exists(dir string) bool {
	info, err := os.Lstat(filepath.Join(dir, storeName, eventsName))
	return err == nil && info.IsDir()
}

// Close releases the store.
func (s *Store) Close() error { return s.root.Close() }
