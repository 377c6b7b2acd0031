// Command project-map indexes a git repository into small Markdown maps and
// answers from them which directories, files and symbols matter for a task.
package main

import (
	"context"
	"io"
	"os"
	"os/signal"
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
	// A second signal ends the program at once.
	context.AfterFunc(ctx, stop)
	app := newApp(stdin, stdout, stderr)
	if last := len(args) - 1; args[last] == completionFlag {
		complete(app, args[1:last], stdout)
		return exitOK
	}
	args, err := reorder(app, args)
	if err == nil {
		err = app.RunContext(ctx, args)
	}
	if ctx.Err() != nil && err != nil {
		err = context.Canceled
	}
	report(stderr, err)
	return exitCode(err)
}

func newApp(stdin io.Reader, stdout, stderr io.Writer) *cli.App {
	app := &cli.App{
		Name:  "project-map",
		Usage: "maps of a git repository for coding agents and the people who run them",
		Description: `project-map walks a revision of a repository and writes, for every directory, a
routing index (.pi-map.index.md) and a rich map (.pi-map.md), and a store that
queries read. It needs no server, no model and no network, and the same input
always gives the same bytes.

   project-map index                          write the maps and the store
   project-map context "fix stale signatures" what to read for a task
   project-map validate                       are the maps what they should be?

Exit codes: 0 done, 1 something was found (validate, doctor), 2 the call or the
configuration is wrong, 3 the call is right and cannot be carried out.`,
		UsageText:              "project-map [global options] command [options] [arguments]",
		Version:                version,
		HideVersion:            true,
		UseShortOptionHandling: true,
		// A name may hold a comma; flags are repeated instead.
		DisableSliceFlagSeparator: true,
		Reader:                    stdin,
		Writer:                    stdout,
		ErrWriter:                 stderr,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "repo", Usage: "repository `DIR` (default: the one around the working directory)"},
			&cli.StringFlag{Name: "config", Usage: "configuration `FILE` (default: .project-map.yaml of the revision)"},
			&cli.StringFlag{Name: "format", Value: "auto", Usage: "`auto|text|json|markdown`"},
			&cli.BoolFlag{Name: "quiet", Aliases: []string{"q"}, Usage: "print results and errors only"},
			&cli.BoolFlag{Name: "no-color", Usage: "no colours in a terminal"},
			&cli.BoolFlag{Name: "version", Usage: "print the version"},
		},
		Commands: []*cli.Command{
			indexCommand(), validateCommand(), contextCommand(), oracleCommand(), packCommand(), sessionCommand(), mcpCommand(), evalCommand(), diffCommand(), publishCommand(), pullCommand(), siteCommand(), doctorCommand(), hookCommand(), initCommand(), uninitCommand(), versionCommand(), completionCommand(), manCommand(),
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
			if c.Bool("version") {
				return printVersion(c)
			}
			if c.Args().Present() {
				return unknownCommand(c.App, c.Args().First())
			}
			return cli.ShowAppHelp(c)
		},
		// Errors are mapped to exit codes by run alone.
		ExitErrHandler: func(*cli.Context, error) {},
		OnUsageError:   onUsageError,
	}
	quietDefaults(app.Flags)
	for _, c := range app.Commands {
		c.OnUsageError, c.HideHelpCommand = onUsageError, true
		quietDefaults(c.Flags)
		for _, sub := range c.Subcommands {
			sub.OnUsageError = onUsageError
			quietDefaults(sub.Flags)
		}
	}
	return app
}

func onUsageError(_ *cli.Context, err error, _ bool) error { return usagef("%s", err) }

// quietDefaults keeps "(default: false)" out of the help.
func quietDefaults(flags []cli.Flag) {
	for _, f := range flags {
		if b, ok := f.(*cli.BoolFlag); ok {
			b.DisableDefaultText = true
		}
	}
}

func unknownCommand(app *cli.App, name string) error {
	var names []string
	for _, c := range app.VisibleCommands() {
		names = append(names, c.Names()...)
	}
	return usagef("there is no command %q%s; see project-map --help", name, didYouMean(name, names))
}

// isTerminal tells whether a stream is a terminal.
func isTerminal(w any) bool {
	f, ok := w.(*os.File)
	return ok && isatty.IsTerminal(f.Fd())
}
