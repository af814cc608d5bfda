package tickpoll

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/quotascope/quotascope/collectors/internal/cgroupfs"
	"github.com/quotascope/quotascope/collectors/internal/sampler"
	"github.com/quotascope/quotascope/collectors/internal/sampler/discovery"
	"github.com/quotascope/quotascope/collectors/internal/usagewindow"
	"github.com/stretchr/testify/require"
)

// tree is a folder that looks like a mounted hierarchy: enough for everything but removal, which
// only a kernel answers with ENODEV.
type tree struct {
	t     *testing.T
	trees cgroupfs.Trees
}

func newV2Tree(t *testing.T) tree {
	root := t.TempDir()
	made := tree{t: t, trees: cgroupfs.Trees{Version: cgroupfs.V2, CPU: root, Usage: root, Pids: root}}
	made.put("", map[string]string{"cpu.stat": "usage_usec 5\n"})
	return made
}

func (f tree) put(path string, files map[string]string) {
	require.NoError(f.t, os.MkdirAll(f.trees.CPU+path, 0o755))
	for name, text := range files {
		require.NoError(f.t, os.WriteFile(filepath.Join(f.trees.CPU+path, name), []byte(text), 0o644))
	}
}

func (f tree) shard(path string) {
	f.put(path, map[string]string{
		"cpu.stat":      "usage_usec 1000\nnr_periods 3\nnr_throttled 2\nthrottled_usec 41\nnr_bursts 0\nburst_usec 0\n",
		"cpu.max":       "50000 100000\n",
		"cpu.weight":    "50\n",
		"cpu.max.burst": "0\n", "pids.current": "7\n",
	})
}

func newTestLoop(t *testing.T, trees cgroupfs.Trees, paths ...string) *loop {
	agent := sampler.Agent{HostID: "host-1", Method: usagewindow.MethodTickPoll}
	l := newLoop(newClock(), sampler.NewRecorder(agent, func(sampler.Batch) {}), testLog{t}, nil, nil)
	for _, path := range paths {
		files, err := discovery.OpenFiles(trees, path)
		require.NoError(t, err)
		t.Cleanup(files.Close)
		l.take(discovery.Event{
			Kind: discovery.Found, Cgroup: &discovery.Cgroup{Path: path, Files: files}, Found: &sampler.Found{Path: path},
		})
	}
	return l
}

func TestSamplingOpenFilesAllocatesNothing(t *testing.T) {
	v2 := newV2Tree(t)
	v2.shard("/lab/a/1")
	v1 := cgroupfs.Trees{Version: cgroupfs.V1, CPU: "../../cgroupfs/testdata/linux-6.18-v1/cpu",
		Usage: "../../cgroupfs/testdata/linux-6.18-v1/cpuacct", Pids: "../../cgroupfs/testdata/linux-6.18-v1/pids"}
	for name, l := range map[string]*loop{
		"v1": newTestLoop(t, v1, ""), "v2": newTestLoop(t, v2.trees, "/lab/a/1"),
	} {
		slot := int64(17_000_000_000_000)
		require.Zero(t, testing.AllocsPerRun(1000, func() {
			l.sampleAll(slot, l.clock.mono())
			slot++
		}), name)
		require.Zero(t, l.readErrors.Load(), name)
		l.readEnds()
		batch := l.recorder.Cut(usagewindow.WindowOf(slot), slot)
		require.Len(t, batch.Windows, 1, name)
		require.NotNil(t, batch.Windows[0].Threads, name)
	}
}
