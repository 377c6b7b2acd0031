// Command release builds what a release consists of: archives with the program,
// its manual, completions and the licences of all that is linked into it, a
// bill of materials, checksums, and the file tree of the container. The same
// commit gives the same bytes wherever it is built with the same Go and C
// compilers. It needs the go tool, a C compiler and git, and is no part of the
// program.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
)

const usage = `usage: go run ./release COMMAND [options]

  build  --version v1.2.3 [--os OS] [--arch ARCH] [--out DIR] [--strict]
         an archive and a bill of materials for one platform (default: this one)
  sums   [--out DIR]                 SHA256SUMS of all files in it
  notes  --version v1.2.3            the release's part of CHANGELOG.md
  check  --version v1.2.3            is everything set to that version?
  rootfs --archive FILE --out DIR    the file tree of the container

--strict refuses a tree with changes, and a commit without the tag.`

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

var versionForm = regexp.MustCompile(`^v(\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?)$`)

func run(args []string, stdout io.Writer) error {
	if len(args) == 0 {
		return fmt.Errorf("name a command\n%s", usage)
	}
	flags := flag.NewFlagSet("release", flag.ContinueOnError)
	flags.Usage = func() { fmt.Fprintln(flags.Output(), usage) }
	version := flags.String("version", "", "")
	goos := flags.String("os", "", "")
	goarch := flags.String("arch", "", "")
	out := flags.String("out", "dist", "")
	archive := flags.String("archive", "", "")
	certificates := flags.String("ca", "/etc/ssl/certs/ca-certificates.crt", "")
	strict := flags.Bool("strict", false, "")
	if err := flags.Parse(args[1:]); err != nil {
		return err
	}
	if flags.NArg() > 0 {
		return fmt.Errorf("%s takes no arguments (got %q)", args[0], flags.Arg(0))
	}
	root, err := moduleRoot()
	if err != nil {
		return err
	}
	number := ""
	if args[0] == "build" || args[0] == "notes" || args[0] == "check" {
		m := versionForm.FindStringSubmatch(*version)
		if m == nil {
			return fmt.Errorf("--version %q: give a version like v1.2.3", *version)
		}
		number = m[1]
	}
	switch args[0] {
	case "build":
		b := &build{root: root, version: number, goos: *goos, goarch: *goarch, out: *out, strict: *strict, stdout: stdout}
		return b.run()
	case "sums":
		return writeSums(*out, stdout)
	case "notes":
		text, err := os.ReadFile(filepath.Join(root, "CHANGELOG.md"))
		if err != nil {
			return err
		}
		notes, err := releaseNotes(string(text), number)
		if err != nil {
			return err
		}
		_, err = io.WriteString(stdout, notes)
		return err
	case "check":
		return checkVersion(root, number)
	case "rootfs":
		return writeRootfs(*archive, *certificates, *out)
	}
	return fmt.Errorf("there is no command %q\n%s", args[0], usage)
}

func moduleRoot() (string, error) {
	out, err := output("", nil, "go", "env", "GOMOD")
	if err != nil {
		return "", err
	}
	if out == "" || out == os.DevNull {
		return "", errors.New("run it inside the module")
	}
	return filepath.Dir(out), nil
}

// output runs a command and gives its standard output without the last line end.
func output(dir string, env []string, name string, args ...string) (string, error) {
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%s %s: %w\n%s", name, strings.Join(args, " "), err, strings.TrimSpace(stderr.String()))
	}
	return strings.TrimSuffix(string(out), "\n"), nil
}
