package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"

	"github.com/urfave/cli/v2"

	"github.com/project-map/project-map/bundle/oracle"
	"github.com/project-map/project-map/indexer/revision"
	"github.com/project-map/project-map/mapgen/config"
	"github.com/project-map/project-map/mapgen/plaintext"
	"github.com/project-map/project-map/mapgen/store"
	"github.com/project-map/project-map/mapgen/symbolindex"
)

// Exit codes, the same for every command.
const (
	exitOK       = 0
	exitFindings = 1 // the command worked and found something to report
	exitUsage    = 2 // the call is wrong
	exitCannot   = 3 // the call is right and cannot be carried out
)

// errFindings ends a command that has printed its findings.
var errFindings = errors.New("findings")

// usageError is a mistake in the call.
type usageError struct{ msg string }

func (e *usageError) Error() string { return e.msg }

func usagef(format string, args ...any) error { return &usageError{fmt.Sprintf(format, args...)} }

// hintError adds the next step to an error.
type hintError struct {
	err  error
	hint string
}

func (e *hintError) Error() string { return e.err.Error() }
func (e *hintError) Unwrap() error { return e.err }

func withHint(err error, format string, args ...any) error {
	return &hintError{err, fmt.Sprintf(format, args...)}
}

// exitCode maps errors to exit codes: the one place that does.
func exitCode(err error) int {
	var usage *usageError
	switch {
	case err == nil:
		return exitOK
	case errors.Is(err, errFindings):
		return exitFindings
	case errors.As(err, &usage), isCLIError(err):
		return exitUsage
	case errors.Is(err, revision.ErrUnknownRevision), errors.Is(err, revision.ErrAmbiguousRevision),
		errors.Is(err, revision.ErrUnsupportedRevision), errors.Is(err, config.ErrInvalid), errors.Is(err, oracle.ErrRequest):
		return exitUsage
	}
	return exitCannot
}

// isCLIError recognises the errors of the flag parser, which have no type.
func isCLIError(err error) bool {
	var coder cli.ExitCoder
	if errors.As(err, &coder) {
		return true
	}
	msg := err.Error()
	for _, s := range []string{"flag provided but not defined", "flag needs an argument", "invalid value", "Required flag", "Required flags", "invalid boolean value", "could not parse"} {
		if strings.HasPrefix(msg, s) {
			return true
		}
	}
	return false
}

// hintOf is the next step for an error, "" where the error says it itself.
func hintOf(err error) string {
	var h *hintError
	switch {
	case errors.As(err, &h):
		return h.hint
	case errors.Is(err, context.Canceled):
		return "nothing is half-written; run the command again to finish"
	case errors.Is(err, revision.ErrUnbornHead):
		return "commit something first, or read what is there with --staged or --worktree"
	case errors.Is(err, store.ErrVersion), errors.Is(err, store.ErrCorrupt), errors.Is(err, symbolindex.ErrCorrupt), errors.Is(err, symbolindex.ErrVersion):
		return "rebuild it with: project-map index"
	case errors.Is(err, store.ErrNone):
		return "make it with: project-map index"
	case errors.Is(err, config.ErrInvalid):
		return "correct the file, or use another one with --config FILE"
	case strings.Contains(err.Error(), "; "):
		return "" // the layer that knows more has said what to do
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return "free some space and run the command again"
	case errors.Is(err, syscall.EROFS), errors.Is(err, os.ErrPermission):
		return "make it writable, or write elsewhere with --out DIR"
	}
	return ""
}

// report prints an error for people.
func report(w io.Writer, err error) {
	if err == nil || errors.Is(err, errFindings) {
		return
	}
	msg := err.Error()
	if errors.Is(err, context.Canceled) {
		msg = "interrupted"
	}
	fmt.Fprintf(w, "project-map: %s\n", plaintext.Terminal(msg))
	if h := hintOf(err); h != "" {
		fmt.Fprintf(w, "  %s\n", plaintext.Terminal(h))
	}
}
