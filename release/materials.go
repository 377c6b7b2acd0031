package main

import (
	"bytes"
	"debug/buildinfo"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// component is something of others that is in the program.
type component struct {
	name, version string
	purl          string
	alg, hash     string   // of the CycloneDX names, hash in hex; "" for none
	licenses      []string // SPDX ids
	texts         []notice
	needs         []string // purls of those it uses
}

// notice is a licence or a notice that has to travel with the program.
type notice struct{ name, text string }

// materials is all that a program is made of, by purl.
type materials struct {
	build      *build
	main       component
	components []component
}

// goPackage is what go list says of a package.
type goPackage struct {
	ImportPath, Dir string
	Standard        bool
	Imports         []string
	Module          *goModule
}

type goModule struct {
	Path, Version, Dir string
	Main               bool
	Replace            *goModule
}

func goPURL(path, version string) string { return "pkg:golang/" + path + "@" + version }

// materials lists what is linked into the program, with the licences of all of
// it: an error where one is missing or not known.
func (b *build) materials(info *buildinfo.BuildInfo) (*materials, error) {
	listed, err := output(b.root, b.environment(b.goos, b.goarch), "go", "list", "-deps", "-tags", tags, "-json=ImportPath,Dir,Standard,Imports,Module", command)
	if err != nil {
		return nil, err
	}
	var packages []goPackage
	for d := json.NewDecoder(strings.NewReader(listed)); ; {
		var p goPackage
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, fmt.Errorf("go list: %w", err)
		}
		packages = append(packages, p)
	}
	mainPURL := goPURL(module, "v"+b.version)
	m := &materials{build: b, main: component{name: module, version: "v" + b.version, purl: mainPURL, licenses: []string{"Apache-2.0"}}}
	std := goPURL("std", strings.TrimPrefix(info.GoVersion, "go"))
	purlOf := func(p *goPackage) string {
		switch {
		case p.Standard:
			return std
		case p.Module == nil || p.Module.Main:
			return mainPURL
		}
		return goPURL(p.Module.Path, p.Module.Version)
	}
	byPath := map[string]*goPackage{}
	dirs := map[string]map[string]bool{} // of packages, by module
	roots := map[string]string{}
	for i := range packages {
		p := &packages[i]
		byPath[p.ImportPath] = p
		if p.Module != nil && !p.Module.Main {
			if p.Module.Replace != nil {
				return nil, fmt.Errorf("module %s is replaced, which a release cannot be", p.Module.Path)
			}
			purl := purlOf(p)
			if dirs[purl] == nil {
				dirs[purl] = map[string]bool{}
			}
			dirs[purl][p.Dir], roots[purl] = true, p.Module.Dir
		}
	}
	needs := map[string]map[string]bool{}
	for i := range packages {
		from := purlOf(&packages[i])
		for _, imported := range packages[i].Imports {
			if q := byPath[imported]; q != nil && purlOf(q) != from {
				if needs[from] == nil {
					needs[from] = map[string]bool{}
				}
				needs[from][purlOf(q)] = true
			}
		}
	}
	var errs []error
	for _, dep := range info.Deps {
		c := component{name: dep.Path, version: dep.Version, purl: goPURL(dep.Path, dep.Version), alg: "SHA-256"}
		if c.hash, err = hexOf(strings.TrimPrefix(dep.Sum, "h1:")); err != nil {
			return nil, fmt.Errorf("the sum of %s: %w", dep.Path, err)
		}
		if roots[c.purl] == "" {
			errs = append(errs, fmt.Errorf("%s is in the program, and go list does not know it", c.purl))
			continue
		}
		if c.texts, err = noticesOf(roots[c.purl], dirs[c.purl]); err != nil {
			return nil, err
		}
		m.components = append(m.components, c)
	}
	goroot, err := output(b.root, nil, "go", "env", "GOROOT")
	if err != nil {
		return nil, err
	}
	standard := component{name: "std", version: strings.TrimPrefix(info.GoVersion, "go"), purl: std}
	if standard.texts, err = noticesOf(goroot, nil); err != nil {
		return nil, err
	}
	m.components = append(m.components, standard)
	more, err := b.foreign(m, packages)
	if err != nil {
		return nil, err
	}
	for i := range m.components {
		c := &m.components[i]
		c.needs = sorted(needs[c.purl])
		if c.licenses == nil {
			if c.licenses, err = licensesOf(c.texts); err != nil {
				errs = append(errs, fmt.Errorf("%s %s: %w", c.name, c.version, err))
			}
		}
	}
	if needs[mainPURL] == nil {
		needs[mainPURL] = map[string]bool{}
	}
	for _, purl := range more {
		needs[mainPURL][purl] = true
	}
	m.main.needs = sorted(needs[mainPURL])
	slices.SortFunc(m.components, func(a, b component) int { return strings.Compare(a.purl, b.purl) })
	return m, errors.Join(errs...)
}

// parsers is the module with the C code of tree-sitter and its grammars, whose
// own licences are not in it.
const parsers = "github.com/smacker/go-tree-sitter"

// foreign adds what is no Go module: the parsers' library and grammars within
// one, the C library of a static program, and the packages in the site's front
// end. It gives their purls.
func (b *build) foreign(m *materials, packages []goPackage) (purls []string, err error) {
	add := func(c component) {
		m.components = append(m.components, c)
		purls = append(purls, c.purl)
	}
	text, err := os.ReadFile(filepath.Join(b.root, "release/licenses/tree-sitter.txt"))
	if err != nil {
		return nil, err
	}
	for i := range m.components {
		if c := &m.components[i]; c.name == parsers {
			c.texts = append(c.texts, notice{"tree-sitter and its grammars", string(text)})
			c.licenses = []string{"Apache-2.0", "MIT"}
		}
	}
	for _, p := range packages {
		grammar, ok := strings.CutPrefix(p.ImportPath, parsers+"/")
		grammar, _, _ = strings.Cut(grammar, "/")
		if ok && !strings.Contains(string(text), "\n- "+grammar+": ") {
			return nil, fmt.Errorf("release/licenses/tree-sitter.txt does not name the grammar %s", grammar)
		}
	}
	if b.goos == "linux" {
		c, err := b.cLibrary()
		if err != nil {
			return nil, err
		}
		add(c)
	}
	npm, err := npmPackages(filepath.Join(b.root, "site/web"))
	if err != nil {
		return nil, err
	}
	for _, c := range npm {
		add(c)
	}
	return purls, nil
}

var glibcVersion = regexp.MustCompile(`(?m)^#define (__GLIBC__|__GLIBC_MINOR__) (\d+)$`)

// cLibrary asks the compiler which C library the program is linked with.
func (b *build) cLibrary() (component, error) {
	env := b.environment(b.goos, b.goarch)
	cc, err := output(b.root, env, "go", "env", "CC")
	if err != nil {
		return component{}, err
	}
	source, err := os.CreateTemp("", "features-*.c")
	if err != nil {
		return component{}, err
	}
	defer os.Remove(source.Name())
	_, err = source.WriteString("#include <features.h>\n")
	if err = errors.Join(err, source.Close()); err != nil {
		return component{}, err
	}
	args := append(strings.Fields(cc), "-E", "-dM", source.Name())
	out, err := output(b.root, env, args[0], args[1:]...)
	if err != nil {
		return component{}, err
	}
	numbers := map[string]string{}
	for _, m := range glibcVersion.FindAllStringSubmatch(out, -1) {
		numbers[m[1]] = m[2]
	}
	if len(numbers) != 2 {
		return component{}, fmt.Errorf("%s does not use the GNU C library, and the licences of another one are not known here", cc)
	}
	text, err := os.ReadFile(filepath.Join(b.root, "release/licenses/glibc.txt"))
	if err != nil {
		return component{}, err
	}
	version := numbers["__GLIBC__"] + "." + numbers["__GLIBC_MINOR__"]
	return component{name: "glibc", version: version, purl: "pkg:generic/glibc@" + version, licenses: []string{"LGPL-2.1-or-later"},
		texts: []notice{{"COPYING.LIB", string(text)}}}, nil
}

// npmPackages lists what the lock file of a front end bundles; tools that only
// build it are left out. Licences come from the installed packages.
func npmPackages(dir string) ([]component, error) {
	text, err := os.ReadFile(filepath.Join(dir, "package-lock.json"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var lock struct {
		LockfileVersion int
		Packages        map[string]struct {
			Version, License, Integrity string
			Dev, Optional, Link         bool
		}
	}
	if err := json.Unmarshal(text, &lock); err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Join(dir, "package-lock.json"), err)
	}
	if lock.LockfileVersion < 2 {
		return nil, fmt.Errorf("%s: lock file version %d; run npm install with npm 7 or newer", dir, lock.LockfileVersion)
	}
	var out []component
	for at, p := range lock.Packages {
		if at == "" || p.Dev || p.Link {
			continue
		}
		_, name, _ := strings.Cut("/"+at, "/node_modules/")
		if i := strings.LastIndex(name, "/node_modules/"); i >= 0 {
			name = name[i+len("/node_modules/"):]
		}
		c := component{name: name, version: p.Version, purl: "pkg:npm/" + strings.Replace(name, "@", "%40", 1) + "@" + p.Version, licenses: strings.Split(p.License, " OR ")}
		if alg, sum, ok := strings.Cut(p.Integrity, "-"); ok && alg == "sha512" {
			c.alg = "SHA-512"
			if c.hash, err = hexOf(sum); err != nil {
				return nil, fmt.Errorf("the integrity of %s: %w", name, err)
			}
		}
		c.texts, err = noticesOf(filepath.Join(dir, filepath.FromSlash(at)), nil)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("%s is not installed: run npm ci in %s for its licence: %w", name, dir, err)
		}
		if err != nil {
			return nil, err
		}
		if len(c.texts) == 0 {
			return nil, fmt.Errorf("npm package %s: %w", name, errNoLicense)
		}
		out = append(out, c)
	}
	return out, nil
}

var noticeName = regexp.MustCompile(`(?i)^(licen[cs]e|copying|notice|patents|unlicense|authors|contributors|copyright)([.-](txt|md|rst|mit|bsd|apache|mpl-2\.0|2\.0\.txt))*$`)

// noticesOf reads the notices in the root of a module, and those between it and
// the packages that are used.
func noticesOf(root string, packages map[string]bool) ([]notice, error) {
	dirs := map[string]bool{root: true}
	for d := range packages {
		for ; strings.HasPrefix(d, root) && !dirs[d]; d = filepath.Dir(d) {
			dirs[d] = true
		}
	}
	var out []notice
	for _, d := range sorted(dirs) {
		entries, err := os.ReadDir(d)
		if err != nil {
			return nil, err
		}
		for _, e := range entries {
			if !e.Type().IsRegular() || !noticeName.MatchString(e.Name()) {
				continue
			}
			text, err := os.ReadFile(filepath.Join(d, e.Name()))
			if err != nil {
				return nil, err
			}
			rel, err := filepath.Rel(root, filepath.Join(d, e.Name()))
			if err != nil {
				return nil, err
			}
			out = append(out, notice{filepath.ToSlash(rel), string(text)})
		}
	}
	return out, nil
}

var errNoLicense = errors.New("there is no licence in it")

// licenseTexts tell licences by phrases, all of which have to be there. Those
// that would bind the whole program are not in the list, so they are errors.
var licenseTexts = []struct {
	id      string
	phrases []string
}{
	{"Apache-2.0", []string{"apache license", "version 2.0"}},
	{"MPL-2.0", []string{"mozilla public license", "2.0"}},
	{"BSD-3-Clause", []string{"redistribution and use in source and binary forms", "endorse or promote"}},
	{"BSD-2-Clause", []string{"redistribution and use in source and binary forms", "binary form must reproduce"}},
	{"MIT", []string{"permission is hereby granted, free of charge", "the above copyright notice"}},
	{"ISC", []string{"permission to use, copy, modify, and/or distribute this software for any purpose"}},
	{"ISC", []string{"permission to use, copy, modify, and distribute this software for any purpose"}},
	{"Unlicense", []string{"this is free and unencumbered software released into the public domain"}},
	{"CC0-1.0", []string{"cc0 1.0 universal"}},
}

// licensesOf gives the SPDX ids of the licences among notices.
func licensesOf(texts []notice) ([]string, error) {
	found := map[string]bool{}
	unknown := ""
	for _, n := range texts {
		base := strings.ToLower(path.Base(n.name))
		folded := strings.ToLower(strings.Join(strings.Fields(n.text), " "))
		known := false
		for _, l := range licenseTexts {
			if !slices.ContainsFunc(l.phrases, func(p string) bool { return !strings.Contains(folded, p) }) {
				if l.id == "BSD-2-Clause" && found["BSD-3-Clause"] {
					continue
				}
				found[l.id], known = true, true
			}
		}
		if !known && (strings.HasPrefix(base, "licen") || strings.HasPrefix(base, "copying")) {
			unknown = n.name
		}
	}
	switch {
	case len(found) == 0 && unknown != "":
		return nil, fmt.Errorf("the licence in %s is not known: read it, and add it to licenseTexts if it allows this", unknown)
	case len(found) == 0:
		return nil, errNoLicense
	}
	return sorted(found), nil
}

// notices is the text that travels with the program.
func (m *materials) notices() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "project-map %s for %s/%s holds the following works of others.\n", m.build.version, m.build.goos, m.build.goarch)
	for _, c := range m.components {
		fmt.Fprintf(&b, "\n%s\n%s %s (%s)\n", strings.Repeat("=", 78), c.name, c.version, strings.Join(c.licenses, ", "))
		for _, n := range c.texts {
			fmt.Fprintf(&b, "%s\n%s\n\n%s\n", strings.Repeat("-", 78), n.name, strings.TrimSpace(strings.ReplaceAll(n.text, "\r\n", "\n")))
		}
	}
	return b.Bytes()
}

func sorted(set map[string]bool) []string {
	out := make([]string, 0, len(set))
	for k := range set {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}
