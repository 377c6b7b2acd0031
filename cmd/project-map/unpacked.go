package main

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gofrs/flock"

	"github.com/project-map/project-map/mapgen/archive"
	"github.com/project-map/project-map/mapgen/store"
	"github.com/project-map/project-map/registry"
)

// unpackedCache keeps archives of registries as pull would unpack them, so that
// only the first question pays for that. An entry DIGEST is a directory named by
// the digest of the manifest; who reads it holds a shared lock on DIGEST.lock, and
// who writes or removes it an exclusive one. The time of the lock is that of the
// last use. Locks stay when their directory goes, as removing one is a race.
type unpackedCache struct {
	dir string
	max int64 // bytes
}

// maxUnpacked bounds all that is kept unpacked, in bytes.
const maxUnpacked = 4 << 30

// lockWait is how often a lock is tried that another process holds.
const lockWait = 20 * time.Millisecond

// userUnpacked is the cache of the user, nil where there is no place for one.
func userUnpacked() *unpackedCache {
	dir := registry.UserCacheDir()
	if dir == "" {
		return nil
	}
	return &unpackedCache{filepath.Join(filepath.Dir(dir), "unpacked"), maxUnpacked}
}

// open gives the directory of an entry that can be read, and what ends its use.
// fetch brings the archive of one that is not there. An error of fetch ends it;
// any other means that the cache cannot be used.
func (u *unpackedCache) open(ctx context.Context, digest string, fetch func() (*archive.Archive, error)) (dir string, done func(), err error) {
	if err := os.MkdirAll(u.dir, 0o700); err != nil {
		return "", nil, err
	}
	name := strings.TrimPrefix(digest, "sha256:")
	dir = filepath.Join(u.dir, name)
	lock := flock.New(dir+".lock", flock.SetPermissions(0o600))
	done = func() { _ = lock.Close() }
	if _, err := lock.TryRLockContext(ctx, lockWait); err != nil {
		return "", nil, err
	}
	if !usable(dir) {
		if err := u.fill(ctx, lock, dir, fetch); err != nil {
			done()
			return "", nil, err
		}
	}
	now := time.Now()
	_ = os.Chtimes(lock.Path(), now, now)
	return dir, done, nil
}

// fill unpacks an archive into an entry, and leaves it with a shared lock.
func (u *unpackedCache) fill(ctx context.Context, lock *flock.Flock, dir string, fetch func() (*archive.Archive, error)) error {
	if err := lock.Unlock(); err != nil {
		return err
	}
	if _, err := lock.TryLockContext(ctx, lockWait); err != nil {
		return err
	}
	if !usable(dir) { // another process may have been faster
		a, err := fetch()
		if err != nil {
			return err
		}
		if err := os.RemoveAll(dir); err != nil {
			return err
		}
		if err := a.Unpack(ctx, dir); err != nil {
			return archiveError(err)
		}
		u.prune(dir)
	}
	if err := lock.Unlock(); err != nil {
		return err
	}
	if _, err := lock.TryRLockContext(ctx, lockWait); err != nil {
		return err
	}
	if !usable(dir) {
		return errors.New("it was removed by another process")
	}
	return nil
}

// usable tells whether an entry is there and its store can be opened by this
// version.
func usable(dir string) bool {
	s, err := store.Open(filepath.Join(dir, store.DirName))
	if err != nil {
		return false
	}
	_ = s.Close()
	return true
}

// prune removes what was used longest ago, until the rest fits or is in use.
func (u *unpackedCache) prune(keep string) {
	type entry struct {
		dir  string
		size int64
		used time.Time
	}
	locks, err := filepath.Glob(filepath.Join(u.dir, "*.lock"))
	if err != nil {
		return
	}
	var entries []entry
	total := int64(0)
	for _, l := range locks {
		info, err := os.Lstat(l)
		if err != nil {
			continue
		}
		e := entry{strings.TrimSuffix(l, ".lock"), 0, info.ModTime()}
		_ = filepath.WalkDir(e.dir, func(_ string, d fs.DirEntry, err error) error {
			if err == nil && d.Type().IsRegular() {
				if info, err := d.Info(); err == nil {
					e.size += info.Size()
				}
			}
			return nil
		})
		if e.size > 0 {
			entries = append(entries, e)
			total += e.size
		}
	}
	slices.SortFunc(entries, func(x, y entry) int { return cmp.Or(x.used.Compare(y.used), strings.Compare(x.dir, y.dir)) })
	for _, e := range entries {
		if total <= u.max {
			return
		}
		if e.dir == keep {
			continue
		}
		lock := flock.New(e.dir + ".lock")
		if ok, err := lock.TryLock(); err == nil && ok && os.RemoveAll(e.dir) == nil {
			total -= e.size
		}
		_ = lock.Close()
	}
}
