package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/project-map/project-map/mapgen/tokens"
	"github.com/project-map/project-map/mapgen/tokens/exact"
)

// kinds in the order of the table.
var kinds = []string{"code", "prose", "other", "minified"}

// kindNames are what the table calls them.
var kindNames = map[string]string{
	"code": "source code and configuration", "prose": "English prose", "other": "other languages and scripts", "minified": "minified, digests, base64",
}

type text struct {
	kind, name, content string
}

// corpus reads the texts that are kept with this program.
func corpus(dir string) ([]text, error) {
	var out []text
	for _, kind := range kinds {
		a, err := txtar.ParseFile(filepath.Join(dir, kind+".txtar"))
		if err != nil {
			return nil, err
		}
		for _, f := range a.Files {
			out = append(out, text{kind, f.Name, string(f.Data)})
		}
	}
	return out, nil
}

// kindByExtension sorts what is found in directories; "" is left out.
var kindByExtension = map[string]string{
	".go": "code", ".py": "code", ".js": "code", ".mjs": "code", ".ts": "code", ".tsx": "code", ".c": "code", ".h": "code", ".cc": "code", ".cpp": "code",
	".rs": "code", ".java": "code", ".rb": "code", ".php": "code", ".sh": "code", ".css": "code", ".html": "code", ".json": "code", ".yaml": "code", ".yml": "code", ".toml": "code",
	".md": "prose", ".rst": "prose", ".txt": "prose",
}

// found collects texts of 1 KB to 256 KB below directories.
func found(dirs []string, most int) ([]text, error) {
	var out []text
	bytesOf := map[string]int{}
	for _, dir := range dirs {
		err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
			if err != nil || !d.Type().IsRegular() {
				return nil
			}
			kind := kindByExtension[filepath.Ext(p)]
			info, err := d.Info()
			if err != nil || kind == "" || info.Size() < 1<<10 || info.Size() > 256<<10 {
				return nil
			}
			data, err := os.ReadFile(p)
			if err != nil || !utf8.Valid(data) {
				return nil
			}
			kind = kindOf(kind, data)
			if bytesOf[kind] < most {
				bytesOf[kind] += len(data)
				out = append(out, text{kind, p, string(data)})
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

// kindOf corrects a kind by shape: lines of more than 500 bytes on average in
// code are minified, prose with a tenth of its letters outside ASCII is of
// another language.
func kindOf(kind string, data []byte) string {
	if kind == "code" && len(data)/(1+bytes.Count(data, []byte{'\n'})) > 500 {
		return "minified"
	}
	letters, outside := 0, 0
	for _, r := range string(data) {
		if unicode.IsLetter(r) {
			letters++
			if r >= utf8.RuneSelf {
				outside++
			}
		}
	}
	if kind == "prose" && outside*10 > letters {
		return "other"
	}
	return kind
}

// row is what was measured of a kind with a tokenizer.
type row struct {
	kind, tokenizer   string
	texts, bytes      int
	counted, estimate int
	// ratios of estimate to count, one a text, sorted.
	ratios []float64
	// lowest and highest name the texts at the ends.
	lowest, highest string
}

func measure(texts []text) []row {
	var out []row
	for _, name := range []string{tokens.NameO200kBase, tokens.NameCL100kBase} {
		counter, err := exact.New(name)
		if err != nil {
			panic(err) // the names are constants
		}
		for _, kind := range kinds {
			r := row{kind: kind, tokenizer: name}
			for _, t := range texts {
				n := counter.Count(t.content)
				if t.kind != kind || n == 0 {
					continue
				}
				e := tokens.Estimate(t.content)
				ratio := float64(e) / float64(n)
				if len(r.ratios) == 0 || ratio < slices.Min(r.ratios) {
					r.lowest = t.name
				}
				if len(r.ratios) == 0 || ratio > slices.Max(r.ratios) {
					r.highest = t.name
				}
				r.texts, r.bytes, r.counted, r.estimate = r.texts+1, r.bytes+len(t.content), r.counted+n, r.estimate+e
				r.ratios = append(r.ratios, ratio)
			}
			slices.Sort(r.ratios)
			if r.texts > 0 {
				out = append(out, r)
			}
		}
	}
	return out
}

// quantile gives the ratio below which a share of the texts lies.
func (r *row) quantile(share float64) float64 {
	return r.ratios[min(int(share*float64(len(r.ratios))), len(r.ratios)-1)]
}

func table(rows []row) string {
	var b strings.Builder
	b.WriteString("| texts | tokenizer | number | bytes | tokens | estimate / tokens, all | lowest | median | highest |\n|---|---|---|---|---|---|---|---|---|\n")
	for i := range rows {
		r := &rows[i]
		fmt.Fprintf(&b, "| %s | %s | %d | %d | %d | %.2f | %.2f (%s) | %.2f | %.2f (%s) |\n", kindNames[r.kind], r.tokenizer, r.texts, r.bytes, r.counted,
			float64(r.estimate)/float64(r.counted), r.ratios[0], filepath.Base(r.lowest), r.quantile(.5), r.ratios[len(r.ratios)-1], filepath.Base(r.highest))
	}
	return b.String()
}
