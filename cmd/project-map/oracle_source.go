package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/urfave/cli/v2"

	"github.com/project-map/project-map/bundle"
	"github.com/project-map/project-map/bundle/oracle/answers"
	"github.com/project-map/project-map/indexer/revision"
	"github.com/project-map/project-map/mapgen/artifact"
	"github.com/project-map/project-map/mapgen/config"
	"github.com/project-map/project-map/mapgen/store"
)

// answerCache is the cache of answers; one that keeps nothing where there is no
// store, or it is switched off.
func (s *querySource) answerCache(c *cli.Context, l *contextLayer, mode string) *answers.Cache {
	out := &answers.Cache{}
	if s.store == nil || s.work == nil || !l.Cache || mode == staleError {
		return out
	}
	m := s.store.Manifest
	out.Dir = answers.DirOf(filepath.Join(s.dir, store.DirName), c.String("session"))
	out.Generation = fmt.Sprint(m.Catalog, m.References, m.Log, m.Input)
	out.Settings = fmt.Sprint(version, " ", l.MaxOutputTokens, l.MaxInputTokens, l.Model, " ", mode, m.Revision)
	out.State = s.contentState
	return out
}

// contentState identifies what a file holds now.
func (s *querySource) contentState(p string) string {
	root, err := os.OpenRoot(s.sources)
	if err != nil {
		return "unknown"
	}
	defer root.Close()
	info, err := root.Lstat(filepath.FromSlash(p))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "gone"
	case err != nil || !info.Mode().IsRegular():
		return "unknown"
	}
	data, err := root.ReadFile(filepath.FromSlash(p))
	if err != nil {
		return "unknown"
	}
	return revision.BlobID(data).String()
}

// changed compares a document with the file on disk.
func (s *querySource) changed(doc int) (bundle.State, bool) { return s.docState(s.catalog.Doc(doc)) }

// repositoryConfig is the configuration of the work tree; nil where there is
// none.
func (s *querySource) repositoryConfig(c *cli.Context) (*config.Config, error) {
	text := []byte(nil)
	if name := c.String("config"); name != "" {
		var err error
		if text, err = os.ReadFile(name); err != nil {
			return nil, usagef("--config: %v", err)
		}
	} else {
		if s.sources == "" {
			return nil, nil
		}
		data, err := (sourceDir{s.sources}).ReadSource(config.Name)
		if err != nil {
			return nil, nil
		}
		text = data
	}
	return config.Parse(text)
}

// userConfig reads the user's own configuration.
func userConfig() (config.ContextLayerSettings, string, error) {
	dir, err := os.UserConfigDir()
	if err != nil {
		return config.ContextLayerSettings{}, "", nil
	}
	name := filepath.Join(dir, "project-map", "config.yaml")
	text, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return config.ContextLayerSettings{}, name, nil
	}
	if err != nil {
		return config.ContextLayerSettings{}, name, fmt.Errorf("read the user's configuration: %w", err)
	}
	s, err := config.ParseUser(name, text)
	return s, name, err
}

// problem says how an artifact differs from what the last run left, "" for one
// that does not.
func (t *pageTree) problem(a store.PageState) string {
	p := pagePath(a)
	if !t.placed(p) {
		return ""
	}
	data, err := t.read(p)
	switch {
	case err != nil:
		return "cannot be read"
	case data == nil:
		return "is missing; mend it with: project-map validate --fix"
	case store.Digest(data) == a.Digest:
		return ""
	}
	return "is " + artifact.Inspect(data).String() + ", not as the last run left it"
}
