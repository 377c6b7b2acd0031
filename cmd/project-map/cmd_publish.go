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
	"time"

	"github.com/urfave/cli/v2"

	"github.com/project-map/project-map/indexer/revision"
	"github.com/project-map/project-map/mapgen/archive"
	"github.com/project-map/project-map/mapgen/plaintext"
	"github.com/project-map/project-map/mapgen/safefs"
	"github.com/project-map/project-map/mapgen/store"
	"github.com/project-map/project-map/registry"
)

// keyPassword is the variable with the password of a secret key, which must not
// be an argument: others can see those.
const keyPassword = "PROJECT_MAP_KEY_PASSWORD"

func publishCommand() *cli.Command {
	return &cli.Command{
		Name:  "publish",
		Usage: "pack the maps and the store of a revision into one file, or push them to a registry",
		Description: `Makes the maps and the store of a commit (HEAD unless told otherwise) and packs
them into an archive, from which context --artifacts answers without the
repository. The same commit gives the same bytes wherever it is checked out. What
is in the work tree does not matter and is not touched.

   project-map publish --out maps.tar.zst              the checked-out commit
   project-map publish --rev v1.2 --out maps.tar.zst   another one
   project-map publish --out maps.tar.zst --key minisign.key
   project-map publish --push oci://registry.example.com/owner/maps --tag main

With --key the signature is written to FILE.minisig, and into the registry beside
the archive; the password of an encrypted key is read from
` + keyPassword + `. Unpack with: project-map pull

--push is the only thing that makes publish talk to the network. The tag is the
full id of the commit unless others are given. What is there already is not sent
again. Credentials are taken from the files of docker and podman, or from
` + registry.EnvHost + ` (the host), ` + registry.EnvUser + ` and
` + registry.EnvPassword + `.`,
		Flags: slices.Concat([]cli.Flag{
			&cli.StringFlag{Name: "rev", Value: "HEAD", Usage: "the commit `REV`"},
			&cli.StringFlag{Name: "out", Usage: "write to `FILE`"},
			&cli.StringFlag{Name: "push", Usage: "push to a registry: `oci://HOST/REPOSITORY[:TAG]`"},
			&cli.StringSliceFlag{Name: "tag", Usage: "push as `TAG` (repeatable)"},
			&cli.StringFlag{Name: "key", Usage: "sign with the minisign secret key in `FILE`"},
			plainHTTPFlag(),
		}, evidenceFlags()),
		Action: runPublish,
	}
}

// publishReport is what publish prints with --format json.
type publishReport struct {
	File      string         `json:"file,omitempty"`
	Digest    string         `json:"sha256"`
	Bytes     int            `json:"bytes"`
	Revision  store.Revision `json:"revision"`
	Maps      int            `json:"maps"`
	Signature string         `json:"signature,omitempty"`
	Pushed    *pushReport    `json:"pushed,omitempty"`
}

// pushReport says what a registry has now.
type pushReport struct {
	// Reference names the artifact by the digest of its manifest.
	Reference string   `json:"reference"`
	Digest    string   `json:"digest"`
	Tags      []string `json:"tags"`
	// New are the tags that did not name it before.
	New    []string `json:"new"`
	Signed bool     `json:"signed"`
}

func runPublish(c *cli.Context) error {
	out := c.String("out")
	if err := checkPublish(c); err != nil {
		return err
	}
	target, tags, err := pushTarget(c)
	if err != nil {
		return err
	}
	key, err := secretKey(c)
	if err != nil {
		return err
	}
	con := newConsole(c)
	defer con.end()
	a, made, err := buildArchive(c, con)
	con.end()
	if err != nil {
		return err
	}
	p, err := packArchive(a, key)
	if err != nil {
		return err
	}
	r := &publishReport{File: out, Digest: store.Digest(p.data), Bytes: len(p.data), Revision: a.Manifest.Revision, Maps: len(a.Pages)}
	if out != "" {
		if r.Signature, err = p.write(c.Context, out, con); err != nil {
			return err
		}
	}
	if target != nil {
		if len(tags) == 0 {
			tags = []string{a.Manifest.Revision.Commit}
		}
		what := &registry.Artifact{Archive: p.data, Signature: p.signature, Revision: a.Manifest.Revision.Commit, Created: made}
		if r.Pushed, err = pushArtifact(c, con, *target, tags, what); err != nil {
			return err
		}
	}
	return output(c, func(w io.Writer) error {
		if c.String("format") == "json" {
			return printJSON(w, r)
		}
		printPublished(w, con, r, target)
		return nil
	})
}

func checkPublish(c *cli.Context) error {
	out := c.String("out")
	switch {
	case c.Args().Present():
		return usagef("publish takes no arguments (got %q); name the file with --out", c.Args().First())
	case out == "" && c.String("push") == "":
		return usagef("publish: name the file to write with --out FILE, or a registry with --push %sHOST/REPOSITORY", registry.Scheme)
	case c.String("rev") == "":
		return usagef("--rev: name a revision")
	case out == "":
		return nil
	}
	if registry.IsReference(out) {
		return usagef("--out: is for files; give a registry with --push")
	}
	if info, err := os.Stat(out); err == nil && !info.Mode().IsRegular() {
		return usagef("--out %s: is not a file; name the file to write", out)
	}
	if info, err := os.Stat(filepath.Dir(out)); err != nil || !info.IsDir() {
		return usagef("--out %s: there is no directory %s", out, filepath.Dir(out))
	}
	return nil
}

// pushTarget reads --push and --tag; nil where nothing is pushed.
func pushTarget(c *cli.Context) (*registry.Reference, []string, error) {
	tags := c.StringSlice("tag")
	if c.String("push") == "" {
		if len(tags) > 0 {
			return nil, nil, usagef("--tag: name the registry, too, with --push %sHOST/REPOSITORY", registry.Scheme)
		}
		return nil, nil, nil
	}
	ref, err := parseReference("--push", c.String("push"))
	if err != nil {
		return nil, nil, err
	}
	if ref.Digest != "" {
		return nil, nil, usagef("--push %s: the digest follows from what is pushed; give tags at most", ref)
	}
	for _, t := range tags {
		if !registry.ValidTag(t) {
			return nil, nil, usagef("--tag %q: is no tag: letters, digits, _ . and -, at most 128, and no . or - in front", t)
		}
	}
	if ref.Tag != "" {
		tags = append([]string{ref.Tag}, tags...)
		ref.Tag = ""
	}
	return &ref, tags, nil
}

// pushArtifact brings an artifact to a registry and says which tags were moved.
func pushArtifact(c *cli.Context, con *console, target registry.Reference, tags []string, a *registry.Artifact) (*pushReport, error) {
	p, err := registryClient(c, con, "pushing").Push(c.Context, target, tags, a)
	con.end()
	if err != nil {
		return nil, registryError(err)
	}
	for _, m := range p.Moved {
		con.say("%s:%s was %s before", target, m.Tag, m.Was)
	}
	if len(p.New) == 0 {
		con.say("%s has it already; nothing was sent", target)
	}
	return &pushReport{
		Reference: target.Pinned(p.Digest).String(), Digest: p.Digest, Tags: p.Tags, New: append([]string{}, p.New...), Signed: a.Signature != nil,
	}, nil
}

func printPublished(w io.Writer, con *console, r *publishReport, target *registry.Reference) {
	where := r.File
	if r.File != "" {
		fmt.Fprintf(w, "sha256:%s  %s\n", r.Digest, plaintext.Terminal(r.File))
	}
	if r.Pushed != nil {
		for _, tag := range r.Pushed.Tags {
			fmt.Fprintf(w, "%s  %s:%s\n", r.Pushed.Digest, target, tag)
		}
		if where == "" {
			where = target.String()
		}
	}
	size := fmt.Sprintf("%.1f MB", float64(r.Bytes)/1e6)
	if r.Bytes < 1e6 {
		size = fmt.Sprintf("%d kB", (r.Bytes+999)/1000)
	}
	con.say("%s: %s of %s and the store, %s", where, plural(r.Maps, "map"), revisionName(r.Revision), size)
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
// goes in, nor the name that the revision was asked for by. The time is that of the
// commit.
func buildArchive(c *cli.Context, con *console) (*archive.Archive, time.Time, error) {
	var made time.Time
	w, err := openWorkspace(c)
	if err != nil {
		return nil, made, err
	}
	defer w.close()
	opt := stateOf(revision.Commit)
	opt.Rev = c.String("rev")
	in, err := w.readInput(c, opt)
	if err != nil {
		return nil, made, err
	}
	if made, err = commitTime(c.Context, w.repo, in.snapshot.Commit); err != nil {
		return nil, made, err
	}
	if err := checkPin(in.config); err != nil {
		return nil, made, err
	}
	in.name = ""
	if in.placement != placeNone {
		in.placement = archive.Placement
	}
	plan, err := w.planEvidence(c, in)
	if err != nil {
		return nil, made, err
	}
	if err := w.gatherEvidence(c.Context, in, plan, nil, con.say); err != nil {
		return nil, made, err
	}
	boundMemory(len(in.snapshot.Entries))
	cache := w.openCache(con.say)
	defer cache.Close()
	b, err := compile(c.Context, in, buildOptions{cache: cache, progress: con.progress})
	if err != nil {
		_ = cache.Commit()
		return nil, made, err
	}
	saveCache(cache, con)
	a := &archive.Archive{Manifest: b.manifest, Contents: b.contents}
	if in.placement != placeNone {
		for _, p := range b.pages {
			a.Pages = append(a.Pages, archive.Page{Path: p.Path, Data: p.Data})
		}
	}
	return a, made, nil
}

// commitTime is when a commit was made.
func commitTime(ctx context.Context, repo *revision.Repository, id string) (made time.Time, err error) {
	err = repo.Log(ctx, revision.LogOptions{Rev: id, Max: 1}, func(e revision.LogEntry) error {
		made = time.Unix(e.Time, 0).UTC()
		return nil
	})
	return made, err
}

// packed is an archive as bytes, and its signature where it was signed.
type packed struct{ data, signature []byte }

func packArchive(a *archive.Archive, key *archive.SecretKey) (*packed, error) {
	var buf bytes.Buffer
	if err := archive.Write(&buf, a); err != nil {
		return nil, err
	}
	p := &packed{data: buf.Bytes()}
	if key != nil {
		var err error
		if p.signature, err = key.Sign(p.data, "project-map commit:"+a.Manifest.Revision.Commit); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// write writes the archive and its signature, both or none, and returns the name of
// the signature.
func (p *packed) write(ctx context.Context, out string, con *console) (string, error) {
	signature := out + archive.SignatureExtension
	if err := ctx.Err(); err != nil {
		return "", err
	}
	written, err := stageFile(out, p.data)
	if err != nil {
		return "", err
	}
	defer os.Remove(written)
	if p.signature == nil {
		before, err := os.ReadFile(out)
		if _, none := os.Lstat(signature); none == nil && (err != nil || !bytes.Equal(before, p.data)) {
			con.say("%s is of an older archive; sign this one with --key, or remove it", signature)
		}
		return "", publishFile(written, out)
	}
	beside, err := stageFile(signature, p.signature)
	if err != nil {
		return "", err
	}
	defer os.Remove(beside)
	// An archive with the signature of another is refused, so a crash in between
	// is noticed.
	if err := publishFile(written, out); err != nil {
		return "", err
	}
	return signature, publishFile(beside, signature)
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
