package ebpf

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cilium/ebpf/btf"
	"github.com/quotascope/quotascope/collectors/internal/identity"
	"github.com/quotascope/quotascope/collectors/internal/lab/cgroup"
	"github.com/quotascope/quotascope/collectors/internal/sampler"
	"github.com/quotascope/quotascope/collectors/internal/sampler/discovery"
	"github.com/quotascope/quotascope/collectors/internal/usagewindow"
	"github.com/stretchr/testify/require"
)

// parsedTypes are parsed by the first test that needs them.
var parsedTypes = btf.NewCache()

type testLog struct{ t *testing.T }

func (l testLog) Infof(format string, args ...any)  { l.t.Logf("I! "+format, args...) }
func (l testLog) Warnf(format string, args ...any)  { l.t.Logf("W! "+format, args...) }
func (l testLog) Errorf(format string, args ...any) { l.t.Logf("E! "+format, args...) }

// startLog tells when a back end says that it measures: it has then found what was there, and what is made later is born to it.
type startLog struct {
	sampler.Logger
	started chan struct{}
	once    sync.Once
}

func (l *startLog) Infof(format string, args ...any) {
	l.Logger.Infof(format, args...)
	if strings.HasPrefix(format, "measuring cgroup") {
		l.once.Do(func() { close(l.started) })
	}
}

// home makes a folder for cgroups of this test, or skips.
func home(t *testing.T) *cgroup.Folder {
	if testing.Short() {
		t.Skip("takes seconds of real time")
	}
	folder, err := cgroup.Acquire(fmt.Sprintf("ebpf-test-%d", os.Getpid()))
	var unavailable *cgroup.Unavailable
	if errors.As(err, &unavailable) {
		t.Skipf("cgroups cannot be created here: %v", err)
	}
	require.NoError(t, err)
	t.Cleanup(func() {
		_, err := folder.Clear()
		require.NoError(t, err)
		require.NoError(t, folder.Release())
	})
	return folder
}

func create(t *testing.T, folder *cgroup.Folder, service, shard string) *cgroup.Group {
	group, err := folder.Create(service, shard, cgroup.Limits{CpuShares: 1024})
	require.NoError(t, err)
	return group
}

// options measure the cgroups of one folder.
func options(t *testing.T, folder *cgroup.Folder) Options {
	trees, err := discovery.ResolveTrees("/proc", "/sys/fs/cgroup")
	require.NoError(t, err)
	rule, err := identity.NewRule("/"+folder.Path+"/{service}/{shard}", "lab")
	require.NoError(t, err)
	return Options{
		Trees: trees, ProcRoot: "/proc", Rules: identity.Rules{rule}, MaxCgroups: 300, RunnableThreads: true, Log: testLog{t},
		types: parsedTypes,
	}
}

// newOrSkip is New; without the rights or on a kernel without BPF the test is skipped and says why.
func newOrSkip(t *testing.T, o Options) *Backend {
	backend, err := New(o)
	var unavailable *Unavailable
	if errors.As(err, &unavailable) {
		t.Skip(err)
	}
	require.NoError(t, err)
	return backend
}

// gathered is everything a back end handed over.
type gathered struct {
	windows []*usagewindow.Window
	hosts   []*usagewindow.HostWindow
}

func (g *gathered) take(batch sampler.Batch) {
	g.windows = append(g.windows, batch.Windows...)
	g.hosts = append(g.hosts, batch.Host)
}

// of are the windows of one cgroup, or of all its incarnations.
func (g *gathered) of(group *cgroup.Group) (windows []*usagewindow.Window) {
	for _, w := range g.windows {
		if strings.HasSuffix(group.Path, "/"+w.Service+"/"+w.Shard) {
			windows = append(windows, w)
		}
	}
	return windows
}

func agent() sampler.Agent {
	return sampler.Agent{
		HostID: "host-1", EpochUs: time.Now().UnixMicro(), Cluster: "lab",
		Origin: usagewindow.OriginMeasured, Method: usagewindow.MethodEbpf,
	}
}

// measure runs the back end around a load. What was there before is tracked when the load begins.
func measure(t *testing.T, backend *Backend, load func()) *gathered {
	into := &gathered{}
	log := &startLog{Logger: backend.options.Log, started: make(chan struct{})}
	backend.options.Log = log
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	done := make(chan error, 1)
	go func() { done <- backend.Run(ctx, sampler.NewRecorder(agent(), into.take)) }()
	select {
	case <-log.started:
	case err := <-done:
		require.NoError(t, err)
		require.Fail(t, "the back end ended before it measured")
	}
	load()
	time.Sleep(700 * time.Millisecond) // until the last slices have settled
	cancel()
	require.NoError(t, <-done)
	return into
}

// await returns when the programs know so many cgroups.
func await(t *testing.T, backend *Backend, count int) {
	nodesEach := 2
	if backend.kernel.settings.oneTree {
		nodesEach = 1
	}
	require.Eventually(t, func() bool {
		var node uint64
		var slot uint32
		found, entries := 0, backend.kernel.collection.Maps["tracked"].Iterate()
		for entries.Next(&node, &slot) {
			found++
		}
		return found == count*nodesEach
	}, 20*time.Second, 10*time.Millisecond)
}

// quiet waits until nothing runs in a cgroup any more, and returns what it used.
func quiet(t *testing.T, group *cgroup.Group) (usedUs int64) {
	before := int64(-1)
	require.Eventually(t, func() bool {
		usedUs = usageUs(t, group)
		same := usedUs == before
		before = usedUs
		return same
	}, 30*time.Second, 300*time.Millisecond)
	return usedUs
}

// sh runs a shell script inside a cgroup and waits for it.
func sh(t *testing.T, group *cgroup.Group, script string) {
	out, err := shell(t, group, script).CombinedOutput()
	require.NoError(t, err, string(out))
}

func shell(t *testing.T, group *cgroup.Group, script string) *exec.Cmd {
	var enter strings.Builder
	for _, dir := range group.Dirs {
		fmt.Fprintf(&enter, "echo $$ > %s/cgroup.procs && ", dir.Path)
	}
	return exec.Command("sh", "-c", enter.String()+"{ "+script+"; }")
}

func usageUs(t *testing.T, group *cgroup.Group) int64 {
	counters, err := group.Read()
	require.NoError(t, err)
	return counters.UsageUs
}

// sampledUs is what the slices of some windows hold, and what came too late for them because a hypervisor held up a CPU.
func sampledUs(backend *Backend, windows ...*usagewindow.Window) (sum int64) {
	for _, w := range windows {
		sum += w.SampledUsageUs
	}
	return sum + backend.lateNs/1000
}

// within checks that two figures differ by at most parts per thousand.
func within(t *testing.T, perMille, want, got int64, what string) {
	t.Helper()
	difference := got - want
	t.Logf("%s: kernel %d us, slices %d us, difference %d us (%.3f %%)", what, want, got, difference,
		float64(difference)*100/float64(want))
	require.LessOrEqual(t, max(difference, -difference)*1000, want*perMille, what)
}
