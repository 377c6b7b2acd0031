package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"
)

// completionFlag is what the completion scripts put last.
const completionFlag = "--generate-bash-completion"

// complete lists what can stand at the end of a command line, a line each: the
// options that begin like the last word, or the commands. It prints nothing
// where an argument is expected, which only the user knows.
func complete(app *cli.App, words []string, w io.Writer) {
	if slices.Contains(words, "--") {
		return
	}
	var command *cli.Command
	for i := 0; i < len(words) && command == nil; i++ {
		if _, value := lookup(app.Flags, strings.TrimLeft(words[i], "-")); value && strings.HasPrefix(words[i], "-") {
			i++
			continue
		}
		command = app.Command(words[i])
	}
	last := ""
	if len(words) > 0 {
		last = words[len(words)-1]
	}
	flags := app.Flags
	switch {
	case !strings.HasPrefix(last, "-") && command == nil:
		for _, c := range app.Commands {
			fmt.Fprintln(w, c.Name)
		}
		return
	case !strings.HasPrefix(last, "-"):
		return
	case command != nil:
		flags = append(slices.Clone(command.Flags), flags...)
	}
	for _, f := range flags {
		if v, ok := f.(cli.VisibleFlag); ok && !v.IsVisible() {
			continue
		}
		for _, name := range f.Names() {
			if option := "--" + name; len(name) > 1 && strings.HasPrefix(option, last) {
				fmt.Fprintln(w, option)
			}
		}
	}
}

func completionCommand() *cli.Command {
	return &cli.Command{
		Name:      "completion",
		Usage:     "print a completion script for a shell",
		ArgsUsage: "bash|zsh|fish|powershell",
		Description: `   bash:  source <(project-map completion bash)
   zsh:   source <(project-map completion zsh)
   fish:  project-map completion fish | source
   PowerShell:  project-map completion powershell | Out-String | Invoke-Expression`,
		Action: func(c *cli.Context) error {
			if c.Args().Len() != 1 {
				return usagef("completion: name one shell: bash, zsh, fish or powershell")
			}
			script, ok := completions[c.Args().First()]
			if !ok && c.Args().First() == "fish" {
				fish, err := c.App.ToFishCompletion()
				if err != nil {
					return fmt.Errorf("make completion: %w", err)
				}
				script, ok = fish, true
			}
			if !ok {
				return usagef("completion: no script for %q; name bash, zsh, fish or powershell", c.Args().First())
			}
			return output(c, func(w io.Writer) error {
				_, err := io.WriteString(w, script)
				return err
			})
		},
	}
}

// completions ask the program itself.
var completions = map[string]string{
	"bash": `_project_map() {
  local cur words
  cur="${COMP_WORDS[COMP_CWORD]}"
  words=("${COMP_WORDS[@]:0:$COMP_CWORD}")
  if [[ "$cur" == -* ]]; then words+=("$cur"); fi
  COMPREPLY=($(compgen -W "$("${words[@]}" --generate-bash-completion 2>/dev/null)" -- "$cur"))
}
complete -o bashdefault -o default -F _project_map project-map
`,
	"zsh": `#compdef project-map
_project_map() {
  local -a opts
  local cur="${words[-1]}"
  if [[ "$cur" == -* ]]; then
    opts=("${(@f)$(${words[@]:0:#words[@]-1} ${cur} --generate-bash-completion 2>/dev/null)}")
  else
    opts=("${(@f)$(${words[@]:0:#words[@]-1} --generate-bash-completion 2>/dev/null)}")
  fi
  if [[ -n "${opts[1]}" ]]; then _describe 'values' opts; else _files; fi
}
compdef _project_map project-map
`,
	"powershell": powershellCompletion,
}
