package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestArchiveDependsOnFilesAlone(t *testing.T) {
	at := time.Date(2024, 2, 29, 12, 0, 0, 0, time.FixedZone("east", 3600))
	files := []file{{"r/b/c.txt", []byte("c"), false}, {"r/a", []byte("program"), true}, {"r/b/a.txt", nil, false}}
	var one, two bytes.Buffer
	if err := writeArchive(&one, files, at); err != nil {
		t.Fatal(err)
	}
	slices.Reverse(files)
	if err := writeArchive(&two, files, at.UTC()); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(one.Bytes(), two.Bytes()) {
		t.Error("the order of files or the time zone shows")
	}
	z, err := gzip.NewReader(&one)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, h.Name)
		if !h.ModTime.Equal(at) || h.Uid != 0 || h.Gid != 0 || h.Uname != "" {
			t.Errorf("%s: %v, %d, %d, %q", h.Name, h.ModTime, h.Uid, h.Gid, h.Uname)
		}
		if want := map[bool]int64{true: 0o755, false: 0o644}[h.Typeflag == tar.TypeDir || h.Name == "r/a"]; h.Mode != want {
			t.Errorf("%s: mode %o", h.Name, h.Mode)
		}
	}
	if want := []string{"r/", "r/a", "r/b/", "r/b/a.txt", "r/b/c.txt"}; !slices.Equal(names, want) {
		t.Errorf("members %q, want %q", names, want)
	}
}

func TestSums(t *testing.T) {
	dir := t.TempDir()
	if err := writeSums(dir, io.Discard); err == nil {
		t.Error("an empty directory has sums")
	}
	for _, name := range []string{"b.tar.gz", "a.json", "SHA256SUMS", "SHA256SUMS.minisig"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("x"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var out strings.Builder
	if err := writeSums(dir, &out); err != nil {
		t.Fatal(err)
	}
	const sum = "2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881"
	if want := sum + "  a.json\n" + sum + "  b.tar.gz\n"; out.String() != want {
		t.Errorf("got\n%swant\n%s", &out, want)
	}
}

func TestReleaseNotes(t *testing.T) {
	const log = "# Changelog\n\n## [Unreleased]\n\n- later\n\n## [1.2.0] - 2026-01-01\n\n### Added\n\n- a\r\n- b\n\n## [1.1.0]\n\n- c\n\n## [1.0.0]\n\n[1.2.0]: https://example.com\n"
	for version, want := range map[string]string{"1.2.0": "### Added\n\n- a\n- b\n", "1.1.0": "- c\n", "1.0.0": "", "1.2": "", "9.9.9": ""} {
		got, err := releaseNotes(log, version)
		if got != want || (err == nil) != (want != "") {
			t.Errorf("%s: %q, %v", version, got, err)
		}
	}
}

func TestLicenses(t *testing.T) {
	const (
		mit  = "Permission is hereby granted, free of charge, to any person\nThe above copyright\nnotice shall be included"
		bsd2 = "Redistribution and use in source and binary forms ... Redistributions in binary form must reproduce"
		bsd3 = bsd2 + " ... to endorse or promote products"
	)
	for _, c := range []struct {
		name  string
		texts []notice
		want  string // ids, or what the error says
	}{
		{"mit", []notice{{"LICENSE", mit}}, "MIT"},
		{"lines", []notice{{"LICENSE", strings.ReplaceAll(mit, " ", "\n  ")}}, "MIT"},
		{"bsd", []notice{{"LICENSE", bsd3}}, "BSD-3-Clause"},
		{"bsd2", []notice{{"COPYING", bsd2}}, "BSD-2-Clause"},
		{"two", []notice{{"LICENSE", mit}, {"sub/LICENSE", "Apache License\nVersion 2.0"}, {"PATENTS", "whatever"}}, "Apache-2.0 MIT"},
		{"none", nil, "there is no licence"},
		{"authors only", []notice{{"AUTHORS", "me"}}, "there is no licence"},
		{"gpl", []notice{{"COPYING", "GNU GENERAL PUBLIC LICENSE Version 3"}}, "the licence in COPYING is not known"},
	} {
		ids, err := licensesOf(c.texts)
		got := strings.Join(ids, " ")
		if err != nil {
			got = err.Error()
		}
		if !strings.HasPrefix(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestNoticesOf(t *testing.T) {
	root := t.TempDir()
	for _, name := range []string{"LICENSE", "a/COPYING", "a/b/c/License.txt", "other/LICENSE", "a/b/licenses.go", "NOTICE"} {
		p := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(name), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	texts, err := noticesOf(root, map[string]bool{filepath.Join(root, "a/b/c"): true})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, n := range texts {
		names = append(names, n.name)
	}
	if want := []string{"LICENSE", "NOTICE", "a/COPYING", "a/b/c/License.txt"}; !slices.Equal(names, want) {
		t.Errorf("%q, want %q", names, want)
	}
}

func TestNPMPackages(t *testing.T) {
	dir := t.TempDir()
	if got, err := npmPackages(dir); got != nil || err != nil {
		t.Errorf("without a front end: %v, %v", got, err)
	}
	lock := map[string]any{"lockfileVersion": 3, "packages": map[string]any{
		"":                                     map[string]any{"name": "site"},
		"node_modules/@a/b":                    map[string]any{"version": "1.0.0", "license": "MIT", "integrity": "sha512-AAAA"},
		"node_modules/@a/b/node_modules/c":     map[string]any{"version": "2.0.0", "license": "ISC"},
		"node_modules/esbuild":                 map[string]any{"version": "3.0.0", "license": "MIT", "dev": true},
		"node_modules/esbuild/node_modules/no": map[string]any{"version": "3.0.0", "license": "MIT", "dev": true},
	}}
	text, err := json.Marshal(lock)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "package-lock.json"), text, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := npmPackages(dir); err == nil || !strings.Contains(err.Error(), "run npm ci in") {
		t.Errorf("without installed packages: %v", err)
	}
	for _, name := range []string{"@a/b", "@a/b/node_modules/c"} {
		at := filepath.Join(dir, "node_modules", name)
		if err := os.MkdirAll(at, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(at, "LICENSE"), []byte("x"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := npmPackages(dir)
	if err != nil {
		t.Fatal(err)
	}
	slices.SortFunc(got, func(a, b component) int { return strings.Compare(a.purl, b.purl) })
	if len(got) != 2 || got[0].purl != "pkg:npm/%40a/b@1.0.0" || got[0].hash != "000000" || got[1].purl != "pkg:npm/c@2.0.0" || !slices.Equal(got[1].licenses, []string{"ISC"}) {
		t.Errorf("%+v", got)
	}
}

func TestBillOfMaterials(t *testing.T) {
	make := func(commit string) string {
		m := &materials{build: &build{commit: commit, goos: "linux", goarch: "amd64", time: time.Unix(0, 0).UTC()},
			main:       component{name: "m", version: "v1", purl: "pkg:golang/m@v1", licenses: []string{"MIT"}, needs: []string{"pkg:golang/a@v1"}},
			components: []component{{name: "a", version: "v1", purl: "pkg:golang/a@v1", licenses: []string{"MIT"}}}}
		text, err := m.cycloneDX()
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	serial := func(s string) string {
		_, s, _ = strings.Cut(s, `"serialNumber": "`)
		s, _, _ = strings.Cut(s, `"`)
		return s
	}
	one, two := make("a"), make("b")
	if one != make("a") {
		t.Error("the same materials give two bills")
	}
	if s := serial(one); len(s) != len("urn:uuid:00000000-0000-8000-8000-000000000000") || s[23] != '8' || s == serial(two) {
		t.Errorf("serial numbers %s, %s", s, serial(two))
	}
	if !strings.Contains(one, `"dependsOn": []`) {
		t.Error("a component without needs has none at all")
	}
}

func TestRunRefuses(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{nil, "name a command"},
		{[]string{"fly"}, "there is no command"},
		{[]string{"build"}, "give a version like v1.2.3"},
		{[]string{"build", "--version", "1.2.3"}, "give a version like v1.2.3"},
		{[]string{"build", "--version", "v1.2.3/../x"}, "give a version like v1.2.3"},
		{[]string{"sums", "x"}, "takes no arguments"},
		{[]string{"rootfs"}, "name the archive"},
	} {
		if err := run(c.args, io.Discard); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: %v", c.args, err)
		}
	}
}
