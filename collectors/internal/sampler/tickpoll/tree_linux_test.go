package tickpoll

import (
	"testing"

	"github.com/quotascope/quotascope/collectors/internal/cgroupfs"
	"github.com/quotascope/quotascope/collectors/internal/sampler"
	"github.com/quotascope/quotascope/collectors/internal/sampler/discovery"
	"github.com/quotascope/quotascope/collectors/internal/sampler/treefixture"
	"github.com/quotascope/quotascope/collectors/internal/usagewindow"
	"github.com/stretchr/testify/require"
)

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
	v2 := treefixture.NewV2(t)
	v2.Shard("/lab/a/1")
	v1 := cgroupfs.Trees{Version: cgroupfs.V1, CPU: "../../cgroupfs/testdata/linux-6.18-v1/cpu",
		Usage: "../../cgroupfs/testdata/linux-6.18-v1/cpuacct", Pids: "../../cgroupfs/testdata/linux-6.18-v1/pids"}
	for name, l := range map[string]*loop{
		"v1": newTestLoop(t, v1, ""), "v2": newTestLoop(t, v2.Trees, "/lab/a/1"),
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
