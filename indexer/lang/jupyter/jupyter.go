// Package jupyter is the row of Jupyter notebooks.
//
// A notebook is a JSON document of cells. Its code cells are read by the row of
// the kernel's language, its Markdown cells by that of Markdown, both at the
// places where they stand in the JSON text; outputs are left out. A line of a
// cell is a string of the document, so an escape sequence is replaced by its
// character and blanks, and quotes by line breaks.
package jupyter

import (
	"strings"

	"github.com/project-map/project-map/indexer/lang"
)

// Language is the row.
func Language() *lang.Language {
	return &lang.Language{
		Name:       "jupyter",
		Family:     "python",
		Aliases:    []string{"jupyter notebook", "ipython notebook"},
		Version:    1,
		Extensions: []string{".ipynb"},
		Extract:    func(*lang.Builder) {},
		Parts:      func(source []byte, _ string) []lang.Part { return parts(source) },
		Readers: []string{
			"bash", "cpp", "csharp", "css", "elixir", "go", "html", "java", "javascript", "kotlin", "lua",
			"markdown", "php", "python", "ruby", "rust", "scala", "sql", "swift", "typescript",
		},
	}
}

// parts sorts the cells by the language that reads them. Everything between
// them is one more part that nothing reads.
func parts(source []byte) []lang.Part {
	cells, language := scan(source)
	var out []lang.Part
	index := map[string]int{}
	end := uint32(0)
	rest := lang.Part{}
	for _, c := range cells {
		name := language
		switch c.kind {
		case "markdown", "heading":
			name = "markdown"
		case "code":
			if c.language != "" {
				name = strings.ToLower(c.language)
			}
			if m := magicLanguage(source, c.lines); m != "" {
				name = m
			}
		default: // raw cells are text of an unknown kind
			name = "text"
		}
		i, known := index[name]
		if !known {
			i = len(out)
			index[name] = i
			out = append(out, lang.Part{Language: name})
		}
		continued := false
		for _, s := range c.lines {
			if s.Start > end {
				rest.Pieces = append(rest.Pieces, lang.Piece{Start: end, Text: source[end:s.Start]})
			}
			end = s.End
			var text []byte
			text, continued = unescape(source[s.Start:s.End], name, continued)
			out[i].Pieces = append(out[i].Pieces, lang.Piece{Start: s.Start, Text: text})
		}
	}
	if int(end) < len(source) {
		rest.Pieces = append(rest.Pieces, lang.Piece{Start: end, Text: source[end:]})
	}
	return append(out, rest)
}

// cellMagics are the first words of cells that are not in the kernel's
// language.
var cellMagics = map[string]string{
	"%%bash": "bash", "%%sh": "bash", "%%script": "bash", "%%html": "html", "%%javascript": "javascript", "%%js": "javascript",
	"%%ruby": "ruby", "%%perl": "perl", "%%sql": "sql", "%%markdown": "markdown", "%%latex": "latex", "%%svg": "svg",
	"%%r": "r", "%%cython": "cython", "%%julia": "julia", "%%bigquery": "sql",
}

func magicLanguage(source []byte, lines []span) string {
	if len(lines) == 0 {
		return ""
	}
	first := string(source[lines[0].Start+1 : min(lines[0].Start+40, lines[0].End)])
	word := strings.FieldsFunc(first, func(r rune) bool { return r == ' ' || r == '\\' || r == '"' || r == '\t' })
	if len(word) == 0 {
		return ""
	}
	return cellMagics[strings.ToLower(word[0])]
}
