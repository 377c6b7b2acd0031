package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path"

	"github.com/urfave/cli/v2"

	"github.com/project-map/project-map/mapgen"
	"github.com/project-map/project-map/mapgen/artifact"
	"github.com/project-map/project-map/mapgen/plaintext"
	"github.com/project-map/project-map/mapgen/store"
	"github.com/project-map/project-map/site"
)

func siteCommand() *cli.Command {
	return &cli.Command{
		Name:  "site",
		Usage: "write a static site of the maps, to look at in a browser",
		Description: `Makes the maps and the store of a commit (HEAD unless told otherwise) and of
them a site: an overview with a treemap, a graph of what directories depend on, a
page for each directory, and a search. It needs no server and no network; open
DIR/index.html. The same commit gives the same bytes. What is in the work tree
does not matter and is not touched.

   project-map site --out public                       the checked-out commit
   project-map site --out public --rev v1.2            another one
   project-map site --out public --artifacts maps      what publish or pull made
   project-map site --out public \
      --source-url 'https://example.org/o/r/blob/{commit}/{path}#L{line}'

DIR is a new directory, an empty one, or what an earlier run wrote, which is
replaced; files beside it that no run wrote stay.`,
		Flags: append([]cli.Flag{
			&cli.StringFlag{Name: "out", Usage: "write into `DIR`"},
			&cli.StringFlag{Name: "rev", Value: "HEAD", Usage: "the commit `REV`"},
			&cli.StringFlag{Name: "artifacts", Usage: "take the maps and the store in `DIR`, or an archive of publish, instead of a commit"},
			&cli.StringFlag{Name: "title", Usage: "call the site `TEXT` (default: the heading of the README)"},
			&cli.StringFlag{Name: "source-url", Usage: "link files to `URL`, in which {commit}, {path} and {line} are put"},
		}, evidenceFlags()...),
		Action: runSite,
	}
}

// siteReport is what site prints with --format json.
type siteReport struct {
	Dir      string         `json:"dir"`
	Revision store.Revision `json:"revision"`
	// Pages are those of directories; Files and Bytes count all of the site.
	Pages     int   `json:"pages"`
	Files     int   `json:"files"`
	Bytes     int64 `json:"bytes"`
	Written   int   `json:"written"`
	Unchanged int   `json:"unchanged"`
	Removed   int   `json:"removed"`
}

func runSite(c *cli.Context) error {
	switch {
	case c.Args().Present():
		return usagef("site takes no arguments (got %q); name the directory with --out", c.Args().First())
	case c.String("out") == "":
		return usagef("site: name the directory to write with --out DIR")
	case c.String("rev") == "":
		return usagef("--rev: name a revision")
	case c.IsSet("artifacts") && c.String("artifacts") == "":
		return usagef("--artifacts: name a directory or an archive")
	case c.IsSet("artifacts") && (c.IsSet("rev") || c.IsSet("scip") || c.IsSet("sarif")):
		return usagef("--artifacts are of the revision that they were made of; leave --rev, --scip and --sarif out")
	}
	// What is wrong with the call is said before the work.
	if _, err := sourceURL(c, "0"); err != nil {
		return err
	}
	out, err := openSiteDir(c.String("out"))
	if err != nil {
		return err
	}
	con := newConsole(c)
	defer con.end()
	r, err := makeSite(c, con, out)
	if err != nil {
		return err
	}
	return output(c, func(w io.Writer) error {
		if c.String("format") == "json" {
			return printJSON(w, r)
		}
		if con.quiet {
			return nil
		}
		_, err := fmt.Fprintf(w, "Wrote a site of %s: %s, %s, %.1f MB. Open %s\n", plaintext.Terminal(siteState(r.Revision)),
			plural(r.Pages, "directory"), plural(r.Files, "file"), float64(r.Bytes)/1e6, plaintext.Terminal(path.Join(r.Dir, site.IndexPage)))
		return err
	})
}

func siteState(r store.Revision) string {
	if r.Kind == "" {
		return "the maps alone"
	}
	return revisionName(r)
}

func sourceURL(c *cli.Context, commit string) (*site.SourceURL, error) {
	if !c.IsSet("source-url") {
		return nil, nil
	}
	s, err := site.ParseSourceURL(c.String("source-url"), commit)
	if err != nil {
		return nil, usagef("--source-url %s: %v", c.String("source-url"), err)
	}
	return s, nil
}

func makeSite(c *cli.Context, con *console, out *siteDir) (*siteReport, error) {
	in := &site.Input{Title: c.String("title"), Tool: version}
	read := readCommit
	if c.IsSet("artifacts") {
		read = readArtifacts
	}
	done, err := read(c, con, in)
	con.end()
	if err != nil {
		return nil, err
	}
	defer done()
	if in.Source, err = sourceURL(c, in.Revision.Commit); err != nil {
		return nil, err
	}
	files, err := site.Build(c.Context, in)
	if err != nil {
		return nil, err
	}
	r := &siteReport{Dir: c.String("out"), Revision: in.Revision, Files: len(files)}
	for _, f := range files {
		r.Bytes += int64(len(f.Data))
	}
	r.Pages = site.Pages(files)
	return r, out.write(c.Context, files, r)
}

// readCommit makes what a site is made of from a commit, in memory.
func readCommit(c *cli.Context, con *console, in *site.Input) (done func(), err error) {
	a, _, err := buildArchive(c, con)
	if err != nil {
		return nil, err
	}
	in.Revision, in.Summary = a.Manifest.Revision, a.Manifest.Summary
	if in.Catalog, err = store.OpenCatalog(a.Contents.Catalog); err != nil {
		return nil, err
	}
	if a.Contents.References != nil {
		if in.References, err = store.OpenReferences(a.Contents.References, in.Catalog.NumDocs()); err != nil {
			return nil, err
		}
	}
	if a.Contents.Log != nil {
		if in.Log, err = store.OpenLog(a.Contents.Log); err != nil {
			return nil, err
		}
	}
	pages := make([]mapgen.Page, len(a.Pages))
	for i, p := range a.Pages {
		pages[i] = mapgen.Page{Path: p.Path, Data: p.Data}
	}
	addPages(c.Context, in, pages, con)
	return func() {}, nil
}

// readArtifacts takes what publish, pull or index wrote. The store stays open
// until done is called.
func readArtifacts(c *cli.Context, con *console, in *site.Input) (done func(), err error) {
	s, err := openArtifacts(c, c.String("artifacts"), false, con)
	if err != nil {
		return nil, err
	}
	if in.Catalog = s.catalog; s.store != nil {
		in.Revision, in.Summary = s.store.Manifest.Revision, s.store.Manifest.Summary
		// Other names of a commit make no other site.
		in.Revision.Name = ""
		in.References, err = s.store.References()
		if err == nil || errors.Is(err, store.ErrNone) {
			in.Log, err = s.store.Log()
		}
		if err != nil && !errors.Is(err, store.ErrNone) {
			s.close()
			return nil, withHint(err, "fetch or make the artifacts again")
		}
	}
	pages, broken, err := readPages(s.dir)
	if err != nil {
		s.close()
		return nil, err
	}
	for _, p := range broken {
		con.say("%s cannot be read and was left out", p)
	}
	addPages(c.Context, in, pages, con)
	return s.close, nil
}

// addPages parses pages; a damaged one is left out.
func addPages(ctx context.Context, in *site.Input, pages []mapgen.Page, con *console) {
	for _, p := range pages {
		if ctx.Err() != nil {
			return
		}
		var err error
		if path.Base(p.Path) == artifact.IndexName {
			var x *artifact.Index
			if x, err = artifact.ParseIndex(p.Data); err == nil {
				in.Indexes = append(in.Indexes, x)
			}
		} else {
			var x *artifact.Map
			if x, err = artifact.ParseMap(p.Data); err == nil {
				in.Maps = append(in.Maps, x)
			}
		}
		if err != nil {
			con.say("%s is damaged and was left out: %v", p.Path, err)
		}
	}
}
