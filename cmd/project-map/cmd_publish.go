package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/project-map/project-map/indexer/revision"
	"github.com/project-map/project-map/mapgen/archive"
	"github.com/project-map/project-map/mapgen/plaintext"
	"github.com/project-map/project-map/mapgen/safefs"
	"github.com/project-map/project-map/mapgen/store"
)

// keyPassword is the variable with the password of a secret key, which must not
// be an argument: others can see those.
const keyPassword = "PROJECT_MAP_KEY_PASSWORD"

func publishCommand() *cli.Command {
	return &cli.Command{
		Name:  "publish",
		Usage: "pack the maps and the store of a revision into one file",
		Description: `Makes the maps and the store of a commit (HEAD unless told otherwise) and packs
them into an archive, from which context --artifacts answers without the
repository. The same commit gives the same bytes wherever it is checked out. What
is in the work tree does not matter and is not touched.

   project-map publish --out maps.tar.zst              the checked-out commit
   project-map publish --rev v1.2 --out maps.tar.zst   another one
   project-map publish --out maps.tar.zst --key minisign.key

With --key the signature is written to FILE.minisig; the password of an encrypted
key is read from ` + keyPassword + `. Unpack with: project-map pull`,
		Flags: slices.Concat([]cli.Flag{
			&cli.StringFlag{Name: "rev", Value: "HEAD", Usage: "the commit `REV`"},
			&cli.StringFlag{Name: "out", Usage: "write to `FILE`"},
			&cli.StringFlag{Name: "key", Usage: "sign with the minisign secret key in `FILE`"},
		}, evidenceFlags()),
		Action: runPublish,
	}
}

// publishReport is what publish prints with --format json.
type publishReport struct {
	File      string         `json:"file"`
	Digest    string         `json:"sha256"`
	Bytes     int            `json:"bytes"`
	Revision  store.Revision `json:"revision"`
	Maps      int            `json:"maps"`
	Signature string         `json:"signature,omitempty"`
}

func runPublish(c *cli.Context) error {
	out := c.String("out")
	switch {
	case c.Args().Present():
		return usagef("publish takes no arguments (got %q); name the file with --out", c.Args().First())
	case out == "":
		return usagef("publish: name the file to write with --out FILE")
	case c.String("rev") == "":
		return usagef("--rev: name a revision")
	}
	if info, err := os.Stat(out); err == nil && !info.Mode().IsRegular() {
		return usagef("--out %s: is not a file; name the file to write", out)
	}
	if info, err := os.Stat(filepath.Dir(out)); err != nil || !info.IsDir() {
		return usagef("--out %s: there is no directory %s", out, filepath.Dir(out))
	}
	key, err := secretKey(c)
	if err != nil {
		return err
	}
	con := newConsole(c)
	defer con.end()
	a, err := buildArchive(c, con)
	con.end()
	if err != nil {
		return err
	}
	r, err := writeArchive(c.Context, a, out, key, con)
	if err != nil {
		return err
	}
	return output(c, func(w io.Writer) error {
		if c.String("format") == "json" {
			return printJSON(w, r)
		}
		fmt.Fprintf(w, "sha256:%s  %s\n", r.Digest, plaintext.Terminal(out))
		if !con.quiet {
			size := fmt.Sprintf("%.1f MB", float64(r.Bytes)/1e6)
			if r.Bytes < 1e6 {
				size = fmt.Sprintf("%d kB", (r.Bytes+999)/1000)
			}
			con.say("%s: %s of %s and the store, %s", out, plural(r.Maps, "map"), revisionName(r.Revision), size)
		}
		return nil
	})
}

// secretKey reads --key; nil where there is none.
func secretKey(c *cli.Context) (*archive.SecretKey, error) {
	name := c.String("key")
	if name == "" {
		if c.IsSet("key") {
			return nil, usagef("--key: name the file of a minisign secret key")
		}
		return nil, nil
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, usagef("--key %s: %v", name, reasonOf(err))
	}
	key, err := archive.ParseSecretKey(text, os.Getenv(keyPassword))
	if err != nil {
		return nil, withHint(fmt.Errorf("--key %s: %w", name, err),
			"give the secret key that minisign -G made, and its password in %s (minisign -G -W makes one without)", keyPassword)
	}
	return key, nil
}

// buildArchive makes an archive of the revision alone: nothing of earlier runs
// goes in, nor the name that the revision was asked for by.
func buildArchive(c *cli.Context, con *console) (*archive.Archive, error) {
	w, err := openWorkspace(c)
	if err != nil {
		return nil, err
	}
	defer w.close()
	opt := stateOf(revision.Commit)
	opt.Rev = c.String("rev")
	in, err := w.readInput(c, opt)
	if err != nil {
		return nil, err
	}
	if err := checkPin(in.config); err != nil {
		return nil, err
	}
	in.name = ""
	if in.placement != placeNone {
		in.placement = archive.Placement
	}
	plan, err := w.planEvidence(c, in)
	if err != nil {
		return nil, err
	}
	if err := w.gatherEvidence(c.Context, in, plan, nil, con.say); err != nil {
		return nil, err
	}
	boundMemory(len(in.snapshot.Entries))
	cache := w.openCache(con.say)
	defer cache.Close()
	b, err := compile(c.Context, in, buildOptions{cache: cache, progress: con.progress})
	if err != nil {
		_ = cache.Commit()
		return nil, err
	}
	saveCache(cache, con)
	a := &archive.Archive{Manifest: b.manifest, Contents: b.contents}
	if in.placement != placeNone {
		for _, p := range b.pages {
			a.Pages = append(a.Pages, archive.Page{Path: p.Path, Data: p.Data})
		}
	}
	return a, nil
}

// writeArchive writes the archive and its signature, both or none.
func writeArchive(ctx context.Context, a *archive.Archive, out string, key *archive.SecretKey, con *console) (*publishReport, error) {
	var buf bytes.Buffer
	if err := archive.Write(&buf, a); err != nil {
		return nil, err
	}
	data := buf.Bytes()
	r := &publishReport{File: out, Digest: store.Digest(data), Bytes: len(data), Revision: a.Manifest.Revision, Maps: len(a.Pages)}
	signature := out + archive.SignatureExtension
	var signed []byte
	if key != nil {
		var err error
		if signed, err = key.Sign(data, "project-map commit:"+a.Manifest.Revision.Commit); err != nil {
			return nil, err
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	written, err := stageFile(out, data)
	if err != nil {
		return nil, err
	}
	defer os.Remove(written)
	if signed == nil {
		before, err := os.ReadFile(out)
		if _, none := os.Lstat(signature); none == nil && (err != nil || !bytes.Equal(before, data)) {
			con.say("%s is of an older archive; sign this one with --key, or remove it", signature)
		}
		return r, publishFile(written, out)
	}
	beside, err := stageFile(signature, signed)
	if err != nil {
		return nil, err
	}
	defer os.Remove(beside)
	r.Signature = signature
	// An archive with the signature of another is refused, so a crash in between
	// is noticed.
	if err := publishFile(written, out); err != nil {
		return nil, err
	}
	return r, publishFile(beside, signature)
}

// stageFile writes a file beside the one that it is to become, with the
// permissions that the user gives to files.
func stageFile(name string, data []byte) (string, error) {
	var random [8]byte
	if _, err := rand.Read(random[:]); err != nil {
		return "", fmt.Errorf("write %s: %w", name, err)
	}
	staged := filepath.Join(filepath.Dir(name), safefs.TempPrefix+hex.EncodeToString(random[:]))
	f, err := os.OpenFile(staged, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return "", fmt.Errorf("write %s: %w", name, reasonOf(err))
	}
	_, err = f.Write(data)
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		_ = os.Remove(staged)
		return "", fmt.Errorf("write %s: %w", name, reasonOf(err))
	}
	return staged, nil
}

func publishFile(from, to string) error {
	if err := os.Rename(from, to); err != nil {
		return fmt.Errorf("write %s: %w", to, err)
	}
	return nil
}
