package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/project-map/project-map/mapgen/archive"
	"github.com/project-map/project-map/mapgen/plaintext"
	"github.com/project-map/project-map/mapgen/store"
	"github.com/project-map/project-map/registry"
)

func pullCommand() *cli.Command {
	return &cli.Command{
		Name:      "pull",
		Usage:     "check an archive of publish and unpack it",
		ArgsUsage: "FILE|oci://HOST/REPOSITORY:TAG|oci://HOST/REPOSITORY@sha256:DIGEST",
		Description: `Checks all of an archive first: digests, layout, sizes, paths, and with --key the
signature (in FILE.minisig, or in the registry). Then it writes the maps and the
store into a directory of their own and builds the symbol index. After an error
the directory is what it was.

   project-map pull maps.tar.zst --to maps
   project-map pull maps.tar.zst --to maps --key minisign.pub
   project-map pull maps.tar.zst --to maps --digest sha256:4f0c…
   project-map pull oci://registry.example.com/owner/maps:main --to maps --key minisign.pub
   project-map context --artifacts maps "…"

Only a name that begins with oci:// makes it talk to the network. Credentials are
taken from the files of docker and podman, or from ` + registry.EnvHost + ` (the
host), ` + registry.EnvUser + ` and ` + registry.EnvPassword + `.`,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "to", Usage: "unpack into `DIR`: a new one, an empty one, or what an earlier pull wrote"},
			&cli.StringFlag{Name: "key", Usage: "refuse what the minisign public key `PUB` (a file, or the key itself) did not sign"},
			&cli.StringFlag{Name: "digest", Usage: "refuse an archive whose SHA-256 is not `HEX`"},
			plainHTTPFlag(),
		},
		Action: runPull,
	}
}

// pullReport is what pull prints with --format json.
type pullReport struct {
	Dir    string `json:"dir"`
	Digest string `json:"sha256"` // of the archive
	// Reference names what was pulled from a registry, with the digest of its
	// manifest.
	Reference string         `json:"reference,omitempty"`
	Revision  store.Revision `json:"revision"`
	Maps      int            `json:"maps"`
	Symbols   int            `json:"symbols"`
	// Verified tells whether a signature was checked.
	Verified bool `json:"verified"`
}

func runPull(c *cli.Context) error {
	switch {
	case c.NArg() != 1:
		return usagef("pull: name one archive: project-map pull FILE|oci://… --to DIR")
	case c.String("to") == "":
		return usagef("pull: name the directory to unpack into with --to DIR")
	}
	key, err := publicKey(c)
	if err != nil {
		return err
	}
	con := newConsole(c)
	defer con.end()
	name := c.Args().First()
	r := &pullReport{Dir: c.String("to"), Verified: key != nil}
	var a *archive.Archive
	signed := false
	if registry.IsReference(name) {
		ref, err := namedReference("pull", name)
		if err != nil {
			return err
		}
		o := registry.PullOptions{}
		if d := c.String("digest"); d != "" {
			o.Archive = "sha256:" + bareDigest(d)
		}
		f, err := fetchArchive(c, con, ref, key, o)
		if err != nil {
			return err
		}
		a, signed, r.Digest, r.Reference = f.archive, f.signed, f.digest, f.name.String()
	} else {
		if a, r.Digest, err = readArchive(name, key, c.String("digest")); err != nil {
			return err
		}
		_, none := os.Stat(name + archive.SignatureExtension)
		signed = none == nil
	}
	if err := a.Unpack(c.Context, c.String("to")); err != nil {
		if errors.Is(err, archive.ErrOccupied) {
			return withHint(err, "give a directory of its own: a new one, an empty one, or what an earlier pull wrote")
		}
		return archiveError(err)
	}
	if key == nil && signed {
		con.say("the signature was not checked; give the public key with --key")
	}
	r.Revision, r.Maps, r.Symbols = a.Manifest.Revision, len(a.Pages), a.Manifest.Summary.Symbols
	return output(c, func(w io.Writer) error {
		if c.String("format") == "json" {
			return printJSON(w, r)
		}
		if con.quiet {
			return nil
		}
		_, err := fmt.Fprintf(w, "Unpacked %s: %s, %s. Ask with: project-map context --artifacts %s \"…\"\n",
			plaintext.Terminal(revisionName(r.Revision)), plural(r.Maps, "map"), plural(r.Symbols, "symbol"), plaintext.Terminal(r.Dir))
		return err
	})
}

// publicKey reads --key, a file or the key itself; nil where there is none.
func publicKey(c *cli.Context) (*archive.PublicKey, error) {
	arg := c.String("key")
	if arg == "" {
		if c.IsSet("key") {
			return nil, usagef("--key: give a minisign public key")
		}
		return nil, nil
	}
	if key, err := archive.ParsePublicKey([]byte(arg)); err == nil {
		return key, nil
	}
	text, err := os.ReadFile(arg)
	if err != nil {
		return nil, usagef("--key %s: %v", arg, reasonOf(err))
	}
	key, err := archive.ParsePublicKey(text)
	if err != nil {
		return nil, withHint(fmt.Errorf("--key %s: %w", arg, err), "give the public key that minisign -G made beside the secret one")
	}
	return key, nil
}

// readArchive reads an archive into memory and checks all of it: nobody can change
// it between the check and the use.
func readArchive(name string, key *archive.PublicKey, digest string) (a *archive.Archive, sum string, err error) {
	data, err := readRegular(name, registry.MaxArchive)
	if err != nil {
		return nil, "", err
	}
	sum = store.Digest(data)
	if want := bareDigest(digest); digest != "" && want != sum {
		return nil, "", withHint(fmt.Errorf("%s has the digest sha256:%s, not sha256:%s", name, sum, want), "fetch it again, or correct --digest")
	}
	if key != nil {
		signature, err := readRegular(name+archive.SignatureExtension, 1<<16)
		if err != nil {
			return nil, "", withHint(fmt.Errorf("%s: there is no signature beside it: %w", name, archive.ErrSignature), "fetch the signature beside the archive; publish --key makes it")
		}
		if err := verifySignature(name, data, signature, key); err != nil {
			return nil, "", err
		}
	}
	a, err = decodeArchive(data)
	return a, sum, err
}

// bareDigest is a digest without the name of its algorithm.
func bareDigest(s string) string { return strings.TrimPrefix(strings.ToLower(s), "sha256:") }

// verifySignature checks a signature where there is a key.
func verifySignature(name string, data, signature []byte, key *archive.PublicKey) error {
	if key == nil {
		return nil
	}
	if err := key.Verify(data, signature); err != nil {
		return withHint(fmt.Errorf("%s: %w", name, err), "do not use it: fetch archive and signature again, or ask who published them for the key")
	}
	return nil
}

func decodeArchive(data []byte) (*archive.Archive, error) {
	a, err := archive.Read(bytes.NewReader(data), archive.DefaultLimits)
	return a, archiveError(err)
}

func readRegular(name string, most int64) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, usagef("%s: %v", name, reasonOf(err))
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return nil, usagef("%s: is not a file", name)
	}
	data, err := io.ReadAll(io.LimitReader(f, most+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("read %s: %w", name, err)
	case int64(len(data)) > most:
		return nil, fmt.Errorf("read %s: more than %d bytes: %w", name, most, archive.ErrTooLarge)
	}
	return data, nil
}

// archiveError says what to do about an archive that cannot be used.
func archiveError(err error) error {
	switch {
	case errors.Is(err, archive.ErrVersion):
		return withHint(err, "publish it again with this version (%s), or use the one that it was made with", version)
	case errors.Is(err, archive.ErrInvalid):
		return withHint(err, "fetch or publish it again; nothing of it was used")
	case errors.Is(err, archive.ErrTooLarge):
		return withHint(err, "nothing of it was used")
	}
	return err
}
