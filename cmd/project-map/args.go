package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"
)

// reorder moves options in front of arguments, so that they may stand anywhere:
// the flag parser stops at the first argument. Global options may stand behind
// the command as well. Whatever follows the first "--" is an argument. Options
// that neither the command nor the program has are refused here, where what
// was meant is known.
func reorder(app *cli.App, args []string) ([]string, error) {
	if len(args) < 2 {
		return args, nil
	}
	var command, verb *cli.Command
	var global, local, rest []string
	for i := 1; i < len(args); i++ {
		a := args[i]
		if a == "--" {
			rest = append(rest, args[i+1:]...)
			break
		}
		if len(a) < 2 || a[0] != '-' {
			if command != nil {
				if v := verbOf(command, a); v != nil && verb == nil && len(rest) == 0 {
					verb = v
				} else {
					rest = append(rest, a)
				}
			} else if command = app.Command(a); command == nil {
				return args, nil // no command: the program says so
			}
			continue
		}
		target, value, err := classify(app, command, a)
		if err != nil {
			return nil, err
		}
		list := &local
		if target == nil {
			list = &global
		}
		*list = append(*list, a)
		if !value {
			continue
		}
		if i++; i == len(args) {
			return nil, usagef("%s needs a value; see %s --help", a, commandLine(command))
		}
		*list = append(*list, args[i])
	}
	out := append([]string{args[0]}, global...)
	if command == nil {
		return append(out, rest...), nil
	}
	out = append(out, command.Name)
	if verb != nil {
		out = append(out, verb.Name)
	}
	out = append(out, local...)
	if slices.ContainsFunc(rest, func(s string) bool { return len(s) > 1 && s[0] == '-' }) {
		out = append(out, "--")
	}
	return append(out, rest...), nil
}

// verbOf finds a verb of a command, which has the same options as the command.
func verbOf(command *cli.Command, name string) *cli.Command {
	for _, v := range command.Subcommands {
		if v.HasName(name) {
			return v
		}
	}
	return nil
}

// classify finds out whose option an argument is, nil for the program's, and
// whether the next argument is its value.
func classify(app *cli.App, command *cli.Command, arg string) (target *cli.Command, value bool, err error) {
	name, _, inline := strings.Cut(strings.TrimLeft(arg, "-"), "=")
	if name == "help" || name == "h" {
		return command, false, nil
	}
	if command != nil {
		if known, value := lookup(command.Flags, name); known {
			return command, value && !inline, nil
		}
	}
	if known, value := lookup(app.Flags, name); known {
		return nil, value && !inline, nil
	}
	if !strings.HasPrefix(arg, "--") && len(name) > 1 {
		return command, false, nil // short options in one word; the parser knows
	}
	flags := app.Flags
	if command != nil {
		flags = append(slices.Clone(command.Flags), flags...)
	}
	var names []string
	for _, f := range flags {
		for _, n := range f.Names() {
			if len(n) > 1 {
				names = append(names, "--"+n)
			}
		}
	}
	return nil, false, usagef("%s has no option %s%s; see %s --help", commandLine(command), strings.SplitN(arg, "=", 2)[0],
		didYouMean("--"+name, names), commandLine(command))
}

func lookup(flags []cli.Flag, name string) (known, value bool) {
	for _, f := range flags {
		if slices.Contains(f.Names(), name) {
			_, isBool := f.(*cli.BoolFlag)
			return true, !isBool
		}
	}
	return false, false
}

func commandLine(c *cli.Command) string {
	if c == nil {
		return "project-map"
	}
	return "project-map " + c.Name
}

// didYouMean names the candidate that a word was probably meant to be, in
// words to append; "" if none is close.
func didYouMean(word string, candidates []string) string {
	best, distance := "", max(len(word)/3, 1)+1
	for _, c := range candidates {
		if d := editDistance(word, c); d < distance {
			best, distance = c, d
		}
	}
	if best == "" {
		return ""
	}
	return fmt.Sprintf(" (did you mean %s?)", best)
}

// editDistance counts the bytes to insert, delete or replace.
func editDistance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
