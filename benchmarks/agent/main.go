// Command agent has the Pi coding agent answer one question about a repository
// in two settings, with the tools of project-map and without them, and records
// what each turn costs. Between Pi and the model's endpoint it puts a server on
// loopback that forwards the requests and counts their tokens; so both settings
// are measured in the same place, whatever the endpoint reports.
//
//	AGENT_API_KEY=… go run ./benchmarks/agent -bin project-map -base https://HOST/v1 -model NAME -question FILE REPOSITORY
package main

import (
	"cmp"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"time"

	"github.com/project-map/project-map/benchmarks/internal/lab"
)

func main() {
	var o options
	tools := cmp.Or(os.Getenv("E2E_TOOLS"), filepath.Join(os.Getenv("HOME"), ".cache", "project-map-e2e"))
	flag.StringVar(&o.bin, "bin", "project-map", "the project-map program")
	flag.StringVar(&o.pi, "pi", filepath.Join(tools, "pi-1"), "the folder that e2e/setup.sh installed Pi in")
	flag.StringVar(&o.base, "base", os.Getenv("AGENT_BASE_URL"), "base URL of an OpenAI-compatible endpoint; AGENT_BASE_URL")
	flag.StringVar(&o.model, "model", os.Getenv("AGENT_MODEL"), "name of the model there; AGENT_MODEL. The key is AGENT_API_KEY")
	flag.StringVar(&o.name, "name", "", "what to call the repository, by default its directory")
	flag.StringVar(&o.revision, "revision", "HEAD", "revision of the repository")
	flag.DurationVar(&o.limit, "limit", 2*time.Hour, "end a run that takes longer")
	flag.IntVar(&o.window, "window", 200_000, "the model's context in tokens, as Pi is told")
	setting := flag.String("setting", "both", "maps, plain or both")
	question := flag.String("question", "", "file that holds the question; - is standard input")
	out := flag.String("json", "", "write the records here, too")
	transcript := flag.String("transcript", "", "write all that the model was told and said below this directory, a file for each setting")
	render := flag.Bool("render", false, "only print the Markdown of the JSON records that are named instead of a repository")
	flag.Parse()
	o.key = os.Getenv("AGENT_API_KEY")
	if *render {
		records, err := read(flag.Args())
		lab.Fail(err)
		fmt.Print(markdown(records))
		return
	}
	settings, err := choose(*setting)
	lab.Fail(err)
	lab.Fail(o.check())
	o.question, err = ask(*question)
	lab.Fail(err)
	o.repo, err = lab.Open(flag.Arg(0), o.bin)
	lab.Fail(err)
	o.bin = o.repo.Bin
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	var records []*record
	var failed error
	for _, s := range settings {
		r, messages, err := o.run(ctx, s)
		if r != nil {
			records = append(records, r)
		}
		if *transcript != "" && messages != nil {
			lab.Fail(os.MkdirAll(*transcript, 0o777))
			lab.Fail(os.WriteFile(filepath.Join(*transcript, s+".json"), indented(messages), 0o666))
		}
		if err != nil {
			failed = fmt.Errorf("%s: %w", s, err)
			break
		}
	}
	if *out != "" && len(records) > 0 {
		data, err := json.MarshalIndent(records, "", "  ")
		lab.Fail(err)
		lab.Fail(os.WriteFile(*out, append(data, '\n'), 0o666))
	}
	if len(records) > 0 {
		fmt.Print(markdown(records))
	}
	lab.Fail(failed)
}

// The settings.
const (
	withMaps = "maps"
	plain    = "plain"
)

func choose(name string) ([]string, error) {
	switch name {
	case "both":
		return []string{withMaps, plain}, nil
	case withMaps, plain:
		return []string{name}, nil
	}
	return nil, fmt.Errorf("-setting is %q; it has to be maps, plain or both", name)
}

func ask(file string) (string, error) {
	var data []byte
	var err error
	switch file {
	case "":
		return "", fmt.Errorf("give the question with -question FILE")
	case "-":
		data, err = io.ReadAll(os.Stdin)
	default:
		data, err = os.ReadFile(file)
	}
	if err != nil {
		return "", err
	}
	text := strings.TrimSpace(string(data))
	if text == "" {
		return "", fmt.Errorf("the question in %s is empty", file)
	}
	return text, nil
}

func read(files []string) ([]*record, error) {
	var out []*record
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			return nil, err
		}
		var some []*record
		if err := json.Unmarshal(data, &some); err != nil {
			return nil, fmt.Errorf("%s: %w", f, err)
		}
		out = append(out, some...)
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("there are no records; give files that -json wrote")
	}
	return out, nil
}

func indented(messages json.RawMessage) []byte {
	var v any
	if json.Unmarshal(messages, &v) != nil {
		return messages
	}
	data, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return messages
	}
	return append(data, '\n')
}
