package main

import (
	"fmt"

	"github.com/urfave/cli/v2"
)

func completionCommand() *cli.Command {
	return &cli.Command{
		Name:      "completion",
		Usage:     "print a completion script for a shell",
		ArgsUsage: "bash|zsh|fish",
		Description: `   bash:  source <(project-map completion bash)
   zsh:   source <(project-map completion zsh)
   fish:  project-map completion fish | source`,
		Action: func(c *cli.Context) error {
			if c.Args().Len() != 1 {
				return usagef("completion: name one shell: bash, zsh or fish")
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
				return usagef("completion: no script for %q; name bash, zsh or fish", c.Args().First())
			}
			_, err := fmt.Fprint(c.App.Writer, script)
			return err
		},
	}
}

// completions ask the program itself, which lists what fits with a hidden flag.
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
}
