package main

import (
	"io"
	"time"

	"github.com/urfave/cli/v2"
)

func manCommand() *cli.Command {
	return &cli.Command{
		Name:  "man",
		Usage: "print the manual page",
		Description: `Prints the manual of all commands for man(1), made of the same text as --help.

   project-map man | man -l -
   project-map man >/usr/local/share/man/man1/project-map.1`,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "date", Usage: "the `DAY` that the page is of, like 2006-01-02 (default: none)"},
		},
		Action: func(c *cli.Context) error {
			if c.Args().Present() {
				return usagef("man takes no arguments (got %q)", c.Args().First())
			}
			date := c.String("date")
			if date != "" {
				if _, err := time.Parse(time.DateOnly, date); err != nil {
					return usagef("--date %s: give a day like 2006-01-02", date)
				}
			}
			return output(c, func(w io.Writer) error { return manPage(w, c.App, date) })
		},
	}
}
