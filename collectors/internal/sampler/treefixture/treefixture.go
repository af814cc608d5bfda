// Package treefixture makes folders that look like a mounted cgroup hierarchy, for tests: enough for everything but removal,
// which only a kernel answers with ENODEV.
package treefixture

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/quotascope/quotascope/collectors/internal/cgroupfs"
	"github.com/stretchr/testify/require"
)

// Tree is one such folder. Its paths are those of cgroups, with a leading slash.
type Tree struct {
	t     testing.TB
	Trees cgroupfs.Trees
}

// NewV2 makes a hierarchy of v2 with nothing but a root; it goes with the test.
func NewV2(t testing.TB) Tree {
	root := t.TempDir()
	made := Tree{t: t, Trees: cgroupfs.Trees{Version: cgroupfs.V2, CPU: root, Usage: root, Pids: root}}
	made.Put("", map[string]string{"cpu.stat": "usage_usec 5\n"})
	return made
}

// Put makes a cgroup if it is missing and writes files of it.
func (f Tree) Put(path string, files map[string]string) {
	require.NoError(f.t, os.MkdirAll(f.Trees.CPU+path, 0o755))
	for name, text := range files {
		require.NoError(f.t, os.WriteFile(filepath.Join(f.Trees.CPU+path, name), []byte(text), 0o644))
	}
}

// Shard makes a cgroup with half a CPU of quota that has been throttled.
func (f Tree) Shard(path string) {
	f.Put(path, map[string]string{
		"cpu.stat":      "usage_usec 1000\nnr_periods 3\nnr_throttled 2\nthrottled_usec 41\nnr_bursts 0\nburst_usec 0\n",
		"cpu.max":       "50000 100000\n",
		"cpu.weight":    "50\n",
		"cpu.max.burst": "0\n", "pids.current": "7\n",
	})
}
