package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func steady(count int, of look) []look {
	looks := make([]look, count)
	for i := range looks {
		looks[i] = of
	}
	return looks
}

func flat() course {
	calm := look{rssKiB: 60_000, descriptors: 80, watches: 25, threads: 12, goroutines: 30}
	busy := look{rssKiB: 64_000, descriptors: 400, watches: 130, threads: 13, goroutines: 31}
	return course{
		before: steady(5, calm), during: steady(60, busy), after: steady(3, calm),
		created: 9_000, outages: 3, delivered: delivered{windows: 900, hosts: 30},
	}
}

func TestAFlatCourseHasNoFault(t *testing.T) {
	v := judge(flat())
	require.Empty(t, v.faults)
	var text strings.Builder
	v.write(&text, "tick_poll", flat())
	require.Contains(t, text.String(), "| descriptors | 80 | 400 | 400 | 80 |")
	require.Contains(t, text.String(), "Flat.")
}

func TestEveryLeakIsAFault(t *testing.T) {
	for name, leak := range map[string]func(*course){
		"resident KiB rose":       func(c *course) { last(c, func(l *look) { l.rssKiB = 73_000 }) },
		"descriptors rose":        func(c *course) { last(c, func(l *look) { l.descriptors = 520 }) },
		"inotify watches rose":    func(c *course) { last(c, func(l *look) { l.watches = 180 }) },
		"goroutines rose":         func(c *course) { last(c, func(l *look) { l.goroutines = 45 }) },
		"threads rose":            func(c *course) { last(c, func(l *look) { l.threads = 30 }) },
		"descriptors were 80":     func(c *course) { c.after = steady(3, look{descriptors: 95}) },
		"inotify watches were 25": func(c *course) { c.after = steady(3, look{watches: 40}) },
		"goroutines were 30":      func(c *course) { c.after = steady(3, look{goroutines: 50}) },
		"2 records are missing":   func(c *course) { c.delivered.missing = 2 },
		"no record arrived":       func(c *course) { c.delivered.hosts = 0 },
		"the run was too short":   func(c *course) { c.during = c.during[:2] },
	} {
		c := flat()
		leak(&c)
		require.Contains(t, strings.Join(judge(c).faults, "; "), name)
	}
}

func last(c *course, change func(*look)) {
	for i := len(c.during) * 2 / 3; i < len(c.during); i++ {
		change(&c.during[i])
	}
}

func TestAProcessIsLookedAtFromOutside(t *testing.T) {
	rss, threads, err := statusOf(strings.NewReader("Name:\ttelegraf\nVmRSS:\t   61234 kB\nThreads:\t12\n"))
	require.NoError(t, err)
	require.Equal(t, []int64{61234, 12}, []int64{rss, threads})
	folder := t.TempDir()
	for name, text := range map[string]string{"3": "pos:\t0\n", "4": "pos:\t0\ninotify wd:2 ino:1 sdev:1\ninotify wd:1 ino:1 sdev:1\n"} {
		require.NoError(t, os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644))
	}
	descriptors, watches, err := descriptorsOf(folder)
	require.NoError(t, err)
	require.Equal(t, []int64{2, 2}, []int64{descriptors, watches})
}
