package main

import (
	"fmt"
	"io"

	"github.com/urfave/cli/v2"

	"github.com/project-map/project-map/mapgen/plaintext"
)

func doctorCommand() *cli.Command {
	return &cli.Command{
		Name:  "doctor",
		Usage: "say what is wrong here and how to mend it",
		Description: `Checks the repository, the configuration, the store, the maps and the fact
cache. Exit code 1 when something needs attention.

   project-map doctor
   project-map doctor --out maps    what index wrote to a directory`,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "out", Usage: "check what index wrote to `DIR`"},
		},
		Action: runDoctor,
	}
}

func runDoctor(c *cli.Context) error {
	if c.Args().Present() {
		return usagef("doctor takes no arguments (got %q)", c.Args().First())
	}
	w, err := openWorkspace(c)
	if err != nil {
		return err
	}
	defer w.close()
	r := w.diagnose(c)
	err = output(c, func(out io.Writer) error {
		if c.String("format") == "json" {
			return printJSON(out, r)
		}
		for _, k := range r.Checks {
			printCheck(out, k)
		}
		return nil
	})
	if err == nil && !r.OK {
		err = errFindings
	}
	return err
}

func printCheck(w io.Writer, k check) {
	mark := "ok"
	if !k.OK {
		mark = "!!"
	}
	fmt.Fprintf(w, "%s  %-14s %s\n", mark, k.What, plaintext.Terminal(k.Detail))
	if k.Mend != "" {
		fmt.Fprintf(w, "    %-14s %s\n", "", plaintext.Terminal(k.Mend))
	}
}
