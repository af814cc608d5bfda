package main

import (
	"os"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestReloadNumbersRecordsOn sends SIGHUP twice: one numbering, no number twice, no slot twice, and
// what lies between is said.
func TestReloadNumbersRecordsOn(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	a := start(t, nil, "--config", p.config)
	a.waitFor("polling cgroup", 1)
	for reload := 1; reload <= 2; reload++ {
		time.Sleep(700 * time.Millisecond)
		p.configure("max_cgroups = 77")
		a.signal(syscall.SIGHUP)
		a.waitFor("numbering goes on after a reload", reload)
	}
	time.Sleep(700 * time.Millisecond)
	a.signal(syscall.SIGTERM)
	require.Zero(t, a.end(), a.said())

	slots := map[int64]int64{}
	for _, kind := range []string{"host_window", "cpu_usage_window"} {
		records := p.read(kind)
		require.GreaterOrEqual(t, len(records), 3, a.said())
		for i, r := range records {
			require.Equal(t, records[0].fields["agent_epoch"], r.fields["agent_epoch"])
			require.Equal(t, int64(i), r.number(t, "seq"), "%s: a hole or a repetition", kind)
			require.Positive(t, r.number(t, "samples"))
			slots[r.number(t, "window_start_us")] += r.number(t, "samples") + r.number(t, "missed_samples")
		}
	}
	missed := int64(0)
	for _, r := range p.read("host_window") {
		missed += r.number(t, "missed_samples")
	}
	require.Positive(t, missed, "the slots of the reload are missed, and the host's record says so")
	for start, count := range slots {
		require.LessOrEqual(t, count, int64(2000), "host and shard, window %d", start)
	}
}

// TestReloadOfABrokenConfigurationChangesNothing is the mistyped option at three in the morning.
func TestReloadOfABrokenConfigurationChangesNothing(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	a := start(t, nil, "--config", p.config)
	a.waitFor("polling cgroup", 1)
	sound, err := os.ReadFile(p.config)
	require.NoError(t, err)
	for i, broken := range []string{"max_cgroups = -1", "max_cgrups = 1"} {
		p.configure(broken)
		a.signal(syscall.SIGHUP)
		a.waitFor("the new configuration is refused, the old one stays in force", i+1)
	}
	require.Contains(t, a.said(), "max_cgroups must be at least 1, not -1")
	require.Contains(t, a.said(), "max_cgrups")
	require.NotContains(t, a.said(), "numbering goes on")
	require.NoError(t, os.WriteFile(p.config, sound, 0o644))
	a.signal(syscall.SIGHUP)
	a.waitFor("numbering goes on after a reload", 1)
	a.signal(syscall.SIGTERM)
	require.Zero(t, a.end())
}
