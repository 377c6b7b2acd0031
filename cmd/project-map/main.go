// Command project-map indexes a git repository into small Markdown maps and
// answers from them which directories, files and symbols matter for a task.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"

	"github.com/mattn/go-isatty"
	"github.com/urfave/cli/v2"
)

// version of the program. It is part of every artifact's input digest, so a
// release changes it.
const version = "0.1.0"

func main() {
	os.Exit(run(os.Args, os.Stdin, os.Stdout, os.Stderr))
}

// run is the program; tests call it in their own process.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	app := newApp(stdin, stdout, stderr)
	err := app.RunContext(ctx, reorder(app, args))
	if ctx.Err() != nil && err != nil {
		err = fmt.Errorf("%w", context.Canceled)
	}
	report(stderr, err)
	return exitCode(err)
}

func newApp(stdin io.Reader, stdout, stderr io.Writer) *cli.App {
	return &cli.App{
		Name:  "project-map",
		Usage: "maps of a git repository for coding agents and the people who run them",
		Description: `project-map walks a revision of a repository and writes, for every directory, a
routing index (.pi-map.index.md) and a rich map (.pi-map.md), and a store that
queries read. It needs no server, no model and no network, and the same input
always gives the same bytes.

   project-map index                          write the maps and the store
   project-map context "fix stale signatures" what to read for a task
   project-map validate                       are the maps what they should be?`,
		UsageText:              "project-map [global options] command [options] [arguments]",
		Version:                version,
		HideVersion:            true,
		EnableBashCompletion:   true,
		UseShortOptionHandling: true,
		Reader:                 stdin,
		Writer:                 stdout,
		ErrWriter:              stderr,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "repo", Usage: "repository `DIR` (default: the one around the working directory)"},
			&cli.StringFlag{Name: "config", Usage: "configuration `FILE` (default: .project-map.yaml of the revision)"},
			&cli.StringFlag{Name: "format", Value: "auto", Usage: "`auto|text|json|markdown`"},
			&cli.BoolFlag{Name: "quiet", Aliases: []string{"q"}, Usage: "print results and errors only"},
			&cli.BoolFlag{Name: "no-color", Usage: "no colours in a terminal"},
		},
		Commands: []*cli.Command{
			indexCommand(), validateCommand(), contextCommand(), evalCommand(), doctorCommand(), versionCommand(), completionCommand(),
		},
		Before: func(c *cli.Context) error {
			switch f := c.String("format"); f {
			case "auto", "text", "json", "markdown":
			default:
				return usagef("--format %s: give auto, text, json or markdown", f)
			}
			return nil
		},
		Action: func(c *cli.Context) error {
			if c.Args().Present() {
				return usagef("there is no command %q; see project-map --help", c.Args().First())
			}
			return cli.ShowAppHelp(c)
		},
		// Errors are mapped to exit codes by run alone.
		ExitErrHandler: func(*cli.Context, error) {},
		OnUsageError:   func(_ *cli.Context, err error, _ bool) error { return usagef("%s", err) },
	}
}

// reorder moves options in front of arguments, so that they may stand anywhere:
// the flag parser stops at the first argument. Global options may stand behind
// the command as well. Whatever follows "--" stays.
func reorder(app *cli.App, args []string) []string {
	if len(args) < 2 {
		return args
	}
	takesValue := func(flags []cli.Flag, name string) (known, value bool) {
		for _, f := range flags {
			if slices.Contains(f.Names(), name) {
				_, isBool := f.(*cli.BoolFlag)
				return true, !isBool
			}
		}
		return false, false
	}
	var command *cli.Command
	var global, local, rest []string
	for i := 1; i < len(args); i++ {
		a := args[i]
		if a == "--" {
			rest = append(rest, args[i:]...)
			break
		}
		if len(a) < 2 || a[0] != '-' {
			if command == nil {
				if command = app.Command(a); command == nil {
					return args
				}
				continue
			}
			rest = append(rest, a)
			continue
		}
		name, _, inline := strings.Cut(strings.TrimLeft(a, "-"), "=")
		target := &local
		known, value := false, false
		if command != nil {
			known, value = takesValue(command.Flags, name)
		}
		if !known {
			if known, value = takesValue(app.Flags, name); known {
				target = &global
			} else if command == nil {
				target = &global
			}
		}
		*target = append(*target, a)
		if value && !inline && i+1 < len(args) {
			i++
			*target = append(*target, args[i])
		}
	}
	out := append([]string{args[0]}, global...)
	if command != nil {
		out = append(out, command.Name)
		out = append(out, local...)
		if len(rest) > 0 && rest[0] != "--" && slices.ContainsFunc(rest, func(s string) bool { return strings.HasPrefix(s, "-") }) {
			out = append(out, "--")
			rest = slices.DeleteFunc(rest, func(s string) bool { return s == "--" })
		}
	}
	return append(out, rest...)
}

// isTerminal tells whether a stream is a terminal.
func isTerminal(w any) bool {
	f, ok := w.(*os.File)
	return ok && isatty.IsTerminal(f.Fd())
}
