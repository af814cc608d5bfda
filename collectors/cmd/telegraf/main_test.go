package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestConfigCheckNamesWhatIsWrong(t *testing.T) {
	folder := t.TempDir()
	check := func(text string) error {
		name := filepath.Join(folder, "telegraf.conf")
		require.NoError(t, os.WriteFile(name, []byte(text), 0o644))
		return run([]string{"config", "check", "--config", name})
	}
	const sound = "[[inputs.cgroup_cpu]]\n  host_id = \"host-1\"\n  trace = \"../../testdata/traces\"\n[[outputs.file]]\n"
	require.NoError(t, check(sound))
	require.ErrorContains(t, check(sound+"[[inputs.cgroup_cpu]]\n  max_cgroups = -1\n"), "max_cgroups")
	require.ErrorContains(t, check(sound+"[[inputs.cgroup_cpu]]\n  max_cgrups = 1\n"), "max_cgrups")
	require.ErrorContains(t, check("[[outputs.file]]\n"), "no input")
	require.ErrorContains(t, check("[[inputs.cgroup_cpu]]\n"), "no output")
	require.ErrorContains(t, run([]string{"serve"}), "unknown command")
}

func TestConfigDirectory(t *testing.T) {
	folder := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(folder, "in.conf"),
		[]byte("[[inputs.cgroup_cpu]]\n  host_id = \"host-1\"\n  trace = \"../../testdata/traces\"\n"), 0o644))
	require.NoError(t, os.WriteFile(filepath.Join(folder, "out.conf"), []byte("[[outputs.file]]\n"), 0o644))
	require.NoError(t, run([]string{"config", "check", "--config-directory", folder}))
}
