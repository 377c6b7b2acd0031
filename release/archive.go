package main

import (
	"archive/tar"
	"bufio"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// file is a member of an archive.
type file struct {
	path       string
	data       []byte
	executable bool
}

// writeArchive writes a tar in gzip that depends on the files and the time
// alone: sorted, owned by nobody in particular, with the usual modes.
func writeArchive(w io.Writer, files []file, at time.Time) error {
	files = slices.Clone(files)
	slices.SortFunc(files, func(a, b file) int { return strings.Compare(a.path, b.path) })
	z, err := gzip.NewWriterLevel(w, gzip.BestCompression)
	if err != nil {
		return err
	}
	t := tar.NewWriter(z)
	dirs := map[string]bool{".": true}
	header := func(h tar.Header) error {
		h.ModTime, h.Format = at, tar.FormatUSTAR
		return t.WriteHeader(&h)
	}
	for _, f := range files {
		var above []string
		for d := path.Dir(f.path); !dirs[d]; d = path.Dir(d) {
			dirs[d] = true
			above = append(above, d)
		}
		for _, d := range slices.Backward(above) {
			if err := header(tar.Header{Typeflag: tar.TypeDir, Name: d + "/", Mode: 0o755}); err != nil {
				return err
			}
		}
		mode := int64(0o644)
		if f.executable {
			mode = 0o755
		}
		if err := header(tar.Header{Typeflag: tar.TypeReg, Name: f.path, Mode: mode, Size: int64(len(f.data))}); err != nil {
			return err
		}
		if _, err := t.Write(f.data); err != nil {
			return err
		}
	}
	return errors.Join(t.Close(), z.Close())
}

const sumsName = "SHA256SUMS"

// writeSums lists all files of a directory as sha256sum does.
func writeSums(dir string, stdout io.Writer) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	var b strings.Builder
	for _, e := range entries {
		if !e.Type().IsRegular() || strings.HasPrefix(e.Name(), sumsName) {
			continue
		}
		data, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return err
		}
		fmt.Fprintf(&b, "%x  %s\n", sha256.Sum256(data), e.Name())
	}
	if b.Len() == 0 {
		return fmt.Errorf("%s: there is nothing to list", dir)
	}
	if err := os.WriteFile(filepath.Join(dir, sumsName), []byte(b.String()), 0o644); err != nil {
		return err
	}
	_, err = io.WriteString(stdout, b.String())
	return err
}

// writeRootfs lays the container's files out in a new directory: the program
// and its licences of an archive, certificates, a user and a place for
// temporary files.
func writeRootfs(archive, certificates, out string) error {
	if archive == "" {
		return errors.New("rootfs: name the archive with --archive")
	}
	if err := os.Mkdir(out, 0o755); err != nil {
		return err
	}
	put := func(name string, data []byte, mode os.FileMode) error {
		to := filepath.Join(out, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(to, data, mode); err != nil {
			return err
		}
		return os.Chmod(to, mode) // whatever the umask
	}
	f, err := os.Open(archive)
	if err != nil {
		return err
	}
	defer f.Close()
	z, err := gzip.NewReader(bufio.NewReader(f))
	if err != nil {
		return fmt.Errorf("%s: %w", archive, err)
	}
	found := false
	for t := tar.NewReader(z); ; {
		h, err := t.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return fmt.Errorf("%s: %w", archive, err)
		}
		to, mode := "", os.FileMode(0o644)
		switch base := path.Base(h.Name); base {
		case program:
			if strings.Count(h.Name, "/") != 1 {
				continue
			}
			to, mode, found = "usr/bin/"+base, 0o755, true
		case "LICENSE", "THIRD_PARTY_LICENSES.txt", "sbom.cdx.json":
			to = "usr/share/doc/project-map/" + base
		default:
			continue
		}
		data, err := io.ReadAll(t)
		if err == nil {
			err = put(to, data, mode)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", h.Name, err)
		}
	}
	if !found {
		return fmt.Errorf("%s: there is no %s in it", archive, program)
	}
	pem, err := os.ReadFile(certificates)
	if err != nil {
		return err
	}
	if !bytes.Contains(pem, []byte("-----BEGIN CERTIFICATE-----")) {
		return fmt.Errorf("%s holds no certificates", certificates)
	}
	temp := filepath.Join(out, "tmp")
	return errors.Join(
		put("etc/ssl/certs/ca-certificates.crt", pem, 0o644),
		put("etc/passwd", []byte("root:x:0:0:root:/:/sbin/nologin\nnonroot:x:65532:65532:nonroot:/tmp:/sbin/nologin\n"), 0o644),
		put("etc/group", []byte("root:x:0:\nnonroot:x:65532:\n"), 0o644),
		os.Mkdir(temp, 0o755),
		os.Chmod(temp, 0o777|os.ModeSticky),
	)
}
