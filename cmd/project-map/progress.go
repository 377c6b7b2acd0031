package main

import (
	"fmt"
	"io"
	"os"
	"sync"

	"github.com/schollz/progressbar/v3"
	"github.com/urfave/cli/v2"

	"github.com/project-map/project-map/mapgen/plaintext"
)

// console is standard error: remarks for people, and a progress bar when it is
// a terminal.
type console struct {
	w     io.Writer
	quiet bool
	tty   bool
	color bool

	mu  sync.Mutex
	bar *progressbar.ProgressBar
}

func newConsole(c *cli.Context) *console {
	w := c.App.ErrWriter
	tty := isTerminal(w)
	return &console{w: w, quiet: c.Bool("quiet"), tty: tty, color: tty && !c.Bool("no-color") && os.Getenv("NO_COLOR") == ""}
}

// say prints a remark, unless --quiet.
func (p *console) say(format string, args ...any) {
	if p.quiet {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.bar != nil {
		_ = p.bar.Clear()
	}
	fmt.Fprintln(p.w, plaintext.Terminal(fmt.Sprintf(format, args...)))
}

// progress shows how far long work is; it prints nothing in a pipe.
func (p *console) progress(done, total int) {
	if p.quiet || !p.tty {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.bar == nil {
		p.bar = progressbar.NewOptions(total,
			progressbar.OptionSetWriter(p.w), progressbar.OptionSetDescription("reading"),
			progressbar.OptionShowCount(), progressbar.OptionEnableColorCodes(p.color),
			progressbar.OptionThrottle(100_000_000), progressbar.OptionClearOnFinish(), progressbar.OptionSetWidth(30))
	}
	_ = p.bar.Set(done)
}

// transfer shows how far a transfer is, in bytes.
func (p *console) transfer(doing string, done, total int64) {
	if p.quiet || !p.tty {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.bar == nil {
		p.bar = progressbar.NewOptions64(total,
			progressbar.OptionSetWriter(p.w), progressbar.OptionSetDescription(doing),
			progressbar.OptionShowBytes(true), progressbar.OptionEnableColorCodes(p.color),
			progressbar.OptionThrottle(100_000_000), progressbar.OptionClearOnFinish(), progressbar.OptionSetWidth(30))
	}
	_ = p.bar.Set64(done)
}

// end takes the progress bar away.
func (p *console) end() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.bar != nil {
		_ = p.bar.Finish()
		p.bar = nil
	}
}
