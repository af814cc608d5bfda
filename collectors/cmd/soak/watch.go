package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// look is what a process holds at one instant.
type look struct {
	rssKiB, descriptors, watches, threads, goroutines int64
}

// watch looks at one process from outside.
type watch struct {
	pid   int
	pprof string
}

var goroutineTotal = regexp.MustCompile(`^goroutine profile: total (\d+)`)

// during looks every few seconds for a while.
func (w *watch) during(ctx context.Context, length time.Duration) (looks []look, err error) {
	tick := time.NewTicker(sampleEvery)
	defer tick.Stop()
	for end := time.Now().Add(length); time.Now().Before(end); {
		select {
		case <-ctx.Done():
			return looks, context.Cause(ctx)
		case <-tick.C:
		}
		seen, err := w.look()
		if err != nil {
			return looks, fmt.Errorf("the collector cannot be looked at: %w", err)
		}
		looks = append(looks, seen)
	}
	return looks, nil
}

func (w *watch) look() (seen look, err error) {
	folder := filepath.Join("/proc", strconv.Itoa(w.pid))
	status, err := os.Open(filepath.Join(folder, "status"))
	if err != nil {
		return seen, err
	}
	defer status.Close()
	if seen.rssKiB, seen.threads, err = statusOf(status); err != nil {
		return seen, err
	}
	if seen.descriptors, seen.watches, err = descriptorsOf(filepath.Join(folder, "fdinfo")); err != nil {
		return seen, err
	}
	seen.goroutines, err = goroutinesAt(w.pprof)
	return seen, err
}

// statusOf reads VmRSS and Threads of /proc/PID/status.
func statusOf(status io.Reader) (rssKiB, threads int64, err error) {
	lines := bufio.NewScanner(status)
	for lines.Scan() {
		name, value, _ := strings.Cut(lines.Text(), ":")
		var into *int64
		switch name {
		case "VmRSS":
			into = &rssKiB
		case "Threads":
			into = &threads
		default:
			continue
		}
		if *into, err = strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(value), " kB"), 10, 64); err != nil {
			return 0, 0, fmt.Errorf("%s: %w", name, err)
		}
	}
	return rssKiB, threads, lines.Err()
}

// descriptorsOf counts open descriptors, and the inotify watches behind them: one line each in fdinfo.
func descriptorsOf(folder string) (descriptors, watches int64, err error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return 0, 0, err
	}
	for _, entry := range entries {
		text, err := os.ReadFile(filepath.Join(folder, entry.Name()))
		if os.IsNotExist(err) {
			continue // closed between the two calls
		}
		if err != nil {
			return 0, 0, err
		}
		descriptors++
		watches += int64(strings.Count(string(text), "inotify wd:"))
	}
	return descriptors, watches, nil
}

func goroutinesAt(address string) (int64, error) {
	response, err := http.Get("http://" + address + "/debug/pprof/goroutine?debug=1")
	if err != nil {
		return 0, err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return 0, err
	}
	total := goroutineTotal.FindSubmatch(text)
	if total == nil {
		return 0, fmt.Errorf("%s states no goroutines", address)
	}
	return strconv.ParseInt(string(total[1]), 10, 64)
}
