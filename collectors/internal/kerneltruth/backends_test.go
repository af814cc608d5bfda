package kerneltruth

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/quotascope/quotascope/collectors/internal/cgroupfs"
	"github.com/quotascope/quotascope/collectors/internal/identity"
	"github.com/quotascope/quotascope/collectors/internal/lab/cgroup"
	"github.com/quotascope/quotascope/collectors/internal/sampler"
	"github.com/quotascope/quotascope/collectors/internal/sampler/discovery"
	"github.com/quotascope/quotascope/collectors/internal/sampler/ebpf"
	"github.com/quotascope/quotascope/collectors/internal/sampler/tickpoll"
	"github.com/quotascope/quotascope/collectors/internal/usagewindow"
	"github.com/stretchr/testify/require"
)

// testLog writes to the test, and tells when a back end says that it measures: it has then found what was there, and whatever
// is made from then on is new to it.
type testLog struct {
	t       *testing.T
	started chan struct{}
}

func (l testLog) Infof(format string, args ...any) {
	l.t.Logf("I! "+format, args...)
	if strings.HasPrefix(format, "measuring cgroup") || strings.HasPrefix(format, "polling cgroup") {
		close(l.started)
	}
}
func (l testLog) Warnf(format string, args ...any)  { l.t.Logf("W! "+format, args...) }
func (l testLog) Errorf(format string, args ...any) { l.t.Logf("E! "+format, args...) }

// gathered is what one back end sent, sorted by shard.
type gathered struct {
	hosts      []*usagewindow.HostWindow
	identities map[string][]int64
	windows    map[int64][]*usagewindow.Window
	// cut is closed at the first record.
	cut chan struct{}
}

func (g *gathered) take(batch sampler.Batch) {
	if len(g.hosts) == 0 {
		close(g.cut)
	}
	g.hosts = append(g.hosts, batch.Host)
	for _, i := range batch.Identities {
		g.identities[i.CgroupPath] = append(g.identities[i.CgroupPath], i.ShardID)
	}
	for _, w := range batch.Windows {
		g.windows[w.ShardID] = append(g.windows[w.ShardID], w)
	}
}

// shard returns the windows of a cgroup that existed once under its path.
func (g *gathered) shard(t *testing.T, group *cgroup.Group) []*usagewindow.Window {
	t.Helper()
	ids := g.identities[group.Path]
	require.Len(t, ids, 1, "identities of %s among %v", group.Path, g.identities)
	require.NotEmpty(t, g.windows[ids[0]])
	return g.windows[ids[0]]
}

// sum adds a counter over windows; a null in any of them is a failure.
func sum(t *testing.T, windows []*usagewindow.Window, field func(*usagewindow.Window) *int64) int64 {
	t.Helper()
	var total int64
	for _, w := range windows {
		require.NotNil(t, field(w))
		total += *field(w)
	}
	return total
}

// backends are all there are; each is made for the cgroups that its rules name.
var backends = []struct {
	method usagewindow.Method
	make   func(log testLog, trees cgroupfs.Trees, rules identity.Rules) (sampler.Backend, error)
}{
	{usagewindow.MethodEbpf, func(log testLog, trees cgroupfs.Trees, rules identity.Rules) (sampler.Backend, error) {
		return ebpf.New(ebpf.Options{
			Trees: trees, ProcRoot: "/proc", Rules: rules, MaxCgroups: 1000, RunnableThreads: true, Log: log,
		})
	}},
	{usagewindow.MethodTickPoll, func(log testLog, trees cgroupfs.Trees, rules identity.Rules) (sampler.Backend, error) {
		return tickpoll.New(tickpoll.Options{
			Trees: trees, ProcRoot: "/proc", Rules: rules, MaxCgroups: 100, Log: log,
		})
	}},
}

// eachBackend runs a test once with every back end that this machine can run, in a folder of its own each.
func eachBackend(t *testing.T, test func(t *testing.T, folder *cgroup.Folder, run running)) {
	t.Helper()
	for _, b := range backends {
		t.Run(string(b.method), func(t *testing.T) {
			t.Parallel()
			folder := home(t)
			trees, err := discovery.ResolveTrees("/proc", "/sys/fs/cgroup")
			require.NoError(t, err)
			rule, err := identity.NewRule("/"+folder.Path+"/{service}/{shard}", "lab")
			require.NoError(t, err)
			log := testLog{t, make(chan struct{})}
			backend, err := b.make(log, trees, identity.Rules{rule})
			var unavailable *ebpf.Unavailable
			if errors.As(err, &unavailable) {
				t.Skip(err)
			}
			require.NoError(t, err)
			test(t, folder, running{t: t, backend: backend, method: b.method, started: log.started, cut: make(chan struct{})})
		})
	}
}

// settle is how long counters must stand still to be called at rest, and how long a back end is given to find what a load did.
const settle = 400 * time.Millisecond

// running is a back end that a test has yet to let run.
type running struct {
	t       *testing.T
	backend sampler.Backend
	method  usagewindow.Method
	// started is closed once it measures, and cut at its first record.
	started, cut chan struct{}
}

// around lets the back end watch while load makes cgroups and uses them. Its last readings come after load has ended.
func (r running) around(load func()) *gathered {
	r.t.Helper()
	got := &gathered{identities: map[string][]int64{}, windows: map[int64][]*usagewindow.Window{}, cut: r.cut}
	agent := sampler.Agent{HostID: "host-1", EpochUs: time.Now().UnixMicro(), Cluster: "lab",
		Origin: usagewindow.OriginMeasured, Method: r.method}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	done := make(chan error, 1)
	go func() { done <- r.backend.Run(ctx, sampler.NewRecorder(agent, got.take)) }()
	select {
	case <-r.started:
	case err := <-done:
		require.NoError(r.t, err)
		require.Fail(r.t, "the back end ended before it measured")
	}
	load()
	time.Sleep(settle)
	cancel()
	require.NoError(r.t, <-done)
	return got
}
