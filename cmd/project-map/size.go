package main

import (
	"fmt"
	"math"
	"os"
	"runtime/debug"
	"strconv"
	"strings"
)

// parseSize reads a number of bytes such as 512MiB, 2G or 4096.
func parseSize(s string) (int64, error) {
	units := []struct {
		suffix string
		shift  uint
	}{{"KiB", 10}, {"MiB", 20}, {"GiB", 30}, {"K", 10}, {"M", 20}, {"G", 30}, {"B", 0}, {"", 0}}
	for _, u := range units {
		digits, ok := strings.CutSuffix(s, u.suffix)
		if !ok {
			continue
		}
		n, err := strconv.ParseInt(digits, 10, 64)
		if err != nil || n <= 0 || n > math.MaxInt64>>u.shift {
			break
		}
		return n << u.shift, nil
	}
	return 0, fmt.Errorf("%q is no size; give one such as 512MiB", s)
}

// boundMemory keeps the heap of a run near what it needs: by default it may
// grow to twice of that. The soft limit is far above the need of a repository of
// that many files, so the collector never works in vain. The environment's own
// settings win.
func boundMemory(files int) {
	if os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" {
		return
	}
	const base, perFile = 256 << 20, 16 << 10
	debug.SetGCPercent(60)
	debug.SetMemoryLimit(base + perFile*int64(files))
}
