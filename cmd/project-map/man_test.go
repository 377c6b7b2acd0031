package main

import (
	"bytes"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"
)

func manText(t *testing.T, app *cli.App) string {
	t.Helper()
	var b bytes.Buffer
	if err := manPage(&b, app, ""); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestManIsComplete finds each command, option and example of --help in the page.
func TestManIsComplete(t *testing.T) {
	app := newApp(nil, io.Discard, io.Discard)
	app.Setup()
	page := manText(t, app)
	if page != manText(t, app) {
		t.Error("the page differs from run to run")
	}
	want := func(c, text string) {
		t.Helper()
		if !strings.Contains(page, text) {
			t.Errorf("%s: there is no %q", c, text)
		}
	}
	count := 0
	for _, c := range app.Commands {
		if c.Hidden || c.Name == "help" {
			continue
		}
		want(c.Name, "\n.SS \""+roffQuoted(strings.Join(c.Names(), ", "))+"\"\n")
		flags := slices.Clone(c.Flags)
		for _, sub := range c.Subcommands {
			if sub.Name == "help" {
				continue
			}
			want(c.Name, "\n.SS \""+roffQuoted(c.Name+" "+sub.Name)+"\"\n")
			flags = append(flags, sub.Flags...)
		}
		for _, f := range flags {
			if v, ok := f.(cli.VisibleFlag); !ok || v.IsVisible() {
				want(c.Name, `\fB`+roff("--"+f.Names()[0])+`\fR`)
				count++
			}
		}
		for line := range strings.SplitSeq(c.Description, "\n") {
			if strings.HasPrefix(line, "   project-map") {
				want(c.Name, "\n"+roff(strings.TrimSpace(line))+"\n")
				count++
			}
		}
	}
	if count < 100 {
		t.Errorf("only %d options and examples were looked for", count)
	}
}

// TestManEscapes: texts are set as they are, and none becomes a request.
func TestManEscapes(t *testing.T) {
	app := &cli.App{Name: "x", Usage: ".so /etc/passwd", Version: "1\" \\", UsageText: "x 'a", Description: ".de\n'br \\fB\n\n   .ex - \\n\n\n...", Commands: []*cli.Command{
		{Name: "a\"b", Usage: "'quoted", Description: strings.Repeat("word .dot ", 40), Flags: []cli.Flag{&cli.StringFlag{Name: "o", Usage: ".PP `A\\B`"}}},
	}}
	requests := []string{".TH", ".SH", ".SS", ".PP", ".TP", ".RS", ".RE", ".sp", ".nf", ".fi"}
	page := manText(t, app)
	for line := range strings.Lines(page) {
		name, _, _ := strings.Cut(strings.TrimSpace(line), " ")
		if strings.HasPrefix(line, "'") || strings.HasPrefix(line, ".") && !slices.Contains(requests, name) {
			t.Errorf("a text became a request: %q", line)
		}
		if len(line) > 81 {
			t.Errorf("a long line: %q", line)
		}
	}
	for _, want := range []string{"\\&.so /etc/passwd", `\&.de \(aqbr \efB`, `\&.ex \- \en`, `.SS "a\(dqb"`, "\n\\&...\n"} {
		if !strings.Contains(page, want) {
			t.Errorf("there is no %q in\n%s", want, page)
		}
	}
}
