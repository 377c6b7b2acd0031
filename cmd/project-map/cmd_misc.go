package main

import (
	"errors"
	"fmt"
	"runtime"

	"github.com/urfave/cli/v2"

	"github.com/project-map/project-map/indexer/factstore"
	"github.com/project-map/project-map/indexer/lang/all"
	"github.com/project-map/project-map/mapgen/artifact"
	"github.com/project-map/project-map/mapgen/plaintext"
)

func versionCommand() *cli.Command {
	return &cli.Command{
		Name:  "version",
		Usage: "print the version of the program and of what it writes",
		Action: func(c *cli.Context) error {
			if c.String("format") == "json" {
				return printJSON(c.App.Writer, map[string]any{
					"version": version, "artifactFormat": artifact.FormatVersion, "artifactFeature": artifact.FeatureVersion,
					"go": runtime.Version(), "platform": runtime.GOOS + "/" + runtime.GOARCH,
				})
			}
			fmt.Fprintf(c.App.Writer, "project-map %s (artifacts %d.%d, %s, %s/%s)\n", version,
				artifact.FormatVersion, artifact.FeatureVersion, runtime.Version(), runtime.GOOS, runtime.GOARCH)
			return nil
		},
	}
}

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

func doctorCommand() *cli.Command {
	return &cli.Command{
		Name:  "doctor",
		Usage: "say what is wrong here and how to mend it",
		Description: `Checks the repository, the configuration, the store and the fact cache. Exit
code 1 when something needs attention.`,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "out", Usage: "check what index wrote to `DIR`"},
		},
		Action: runDoctor,
	}
}

// check is one line of doctor.
type check struct {
	What   string `json:"what"`
	OK     bool   `json:"ok"`
	Detail string `json:"detail"`
	Mend   string `json:"mend,omitempty"`
}

func runDoctor(c *cli.Context) error {
	w, err := openWorkspace(c)
	if err != nil {
		return err
	}
	defer w.close()
	var checks []check
	add := func(what string, err error, detail string) {
		k := check{What: what, OK: err == nil, Detail: detail}
		if err != nil {
			k.Detail, k.Mend = err.Error(), hintOf(err)
		}
		checks = append(checks, k)
	}
	add("repository", nil, w.repo.GitDir())
	opt, err := snapshotOptions(c)
	if err != nil {
		return err
	}
	s, err := w.repo.Snapshot(c.Context, opt)
	if err != nil {
		add("revision", err, "")
	} else {
		add("revision", nil, fmt.Sprintf("HEAD is %s, %s", s.Commit, plural(len(s.Entries), "file")))
		cfg, _, err := loadConfig(c, s)
		if err == nil {
			err = checkPin(cfg)
		}
		add("configuration", err, "valid")
	}
	st, err := w.openStore()
	switch {
	case err != nil:
		add("store", err, "")
	default:
		names, nameErr := st.Names()
		if nameErr == nil {
			nameErr = names.Verify()
			_ = names.Close()
		}
		if nameErr != nil {
			nameErr = withHint(nameErr, "rebuild it with: project-map index")
		}
		detail := fmt.Sprintf("%s of %s, %s", st.Manifest.Revision.Kind, plural(st.Catalog.NumDocs(), "file"), plural(st.Catalog.NumSymbols(), "symbol"))
		if s != nil && nameErr == nil && st.Manifest.Revision.Kind == "commit" && st.Manifest.Revision.Commit != s.Commit {
			nameErr = withHint(errors.New("the store is of "+st.Manifest.Revision.Commit+", not of HEAD"), "bring it up to date with: project-map index")
		}
		add("store", nameErr, detail)
		_ = st.Close()
	}
	report, err := factstore.Check(w.factsDir())
	if err == nil && len(report.Problems) > 0 {
		err = withHint(fmt.Errorf("%s damaged: %s", plural(len(report.Problems), "segment"), report.Problems[0]), "it costs time only; remove %s to start afresh", w.factsDir())
	}
	add("fact cache", err, w.factsDir())
	languages := 0
	for range all.Table().All() {
		languages++
	}
	add("languages", nil, plural(languages, "language"))

	bad := false
	for _, k := range checks {
		bad = bad || !k.OK
	}
	if c.String("format") == "json" {
		if err := printJSON(c.App.Writer, checks); err != nil {
			return err
		}
	} else {
		for _, k := range checks {
			mark := "ok"
			if !k.OK {
				mark = "!!"
			}
			fmt.Fprintf(c.App.Writer, "%s  %-14s %s\n", mark, k.What, plaintext.Terminal(k.Detail))
			if k.Mend != "" {
				fmt.Fprintf(c.App.Writer, "    %-14s %s\n", "", plaintext.Terminal(k.Mend))
			}
		}
	}
	if bad {
		return errFindings
	}
	return nil
}
