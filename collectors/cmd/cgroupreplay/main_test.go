package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestReplayNeedsATraceAndOurInput(t *testing.T) {
	require.ErrorContains(t, play([]string{"--loop"}), "--trace is needed")
	name := filepath.Join(t.TempDir(), "telegraf.conf")
	require.NoError(t, os.WriteFile(name, []byte("[[inputs.cgroup_cpu]]\n  host_id = \"h\"\n  cluster = \"\"\n[[outputs.file]]\n"), 0o644))
	require.ErrorContains(t, play([]string{"--config", name, "--trace", "../../testdata/traces"}), "cluster must not be empty")
	require.ErrorContains(t, play([]string{"--config", name, "--trace", t.TempDir()}), "cluster must not be empty")
	require.NoError(t, os.WriteFile(name, []byte("[[inputs.cgroup_cpu]]\n  host_id = \"h\"\n[[outputs.file]]\n"), 0o644))
	require.ErrorContains(t, play([]string{"--config", name, "--trace", t.TempDir()}), "no .csv file")
}

func TestConvertNamesWhatIsMissing(t *testing.T) {
	require.ErrorContains(t, convert([]string{"--cpus", "2"}), "--path and one recording are needed")
	require.ErrorContains(t, convert([]string{"--path", "/a/b", "../../testdata/traces/busy-loop-q20.csv"}), "not a usable trace")
}
