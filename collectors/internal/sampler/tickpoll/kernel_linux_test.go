package tickpoll

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/quotascope/quotascope/collectors/internal/cgroupfs"
	"github.com/quotascope/quotascope/collectors/internal/histogram"
	"github.com/quotascope/quotascope/collectors/internal/identity"
	"github.com/quotascope/quotascope/collectors/internal/sampler"
	"github.com/quotascope/quotascope/collectors/internal/sampler/discovery"
	"github.com/quotascope/quotascope/collectors/internal/usagewindow"
	"github.com/stretchr/testify/require"
)

type testLog struct{ t *testing.T }

func (l testLog) Infof(format string, args ...any)  { l.t.Logf("I! "+format, args...) }
func (l testLog) Warnf(format string, args ...any)  { l.t.Logf("W! "+format, args...) }
func (l testLog) Errorf(format string, args ...any) { l.t.Logf("E! "+format, args...) }

// realCgroup makes one cgroup in every tree of this host's kernel and removes it after the test.
type realCgroup struct {
	trees cgroupfs.Trees
	root  string
	path  string
}

func newRealCgroup(t *testing.T, trees cgroupfs.Trees) *realCgroup {
	root := fmt.Sprintf("/quotascope/polltest%d", os.Getpid())
	c := &realCgroup{trees: trees, root: root, path: root + "/burner/a1"}
	t.Cleanup(c.remove)
	return c
}

func (c *realCgroup) points() []string {
	points := []string{c.trees.CPU}
	for _, point := range []string{c.trees.Usage, c.trees.Pids} {
		if point != "" && point != c.trees.CPU {
			points = append(points, point)
		}
	}
	return points
}

func (c *realCgroup) create(t *testing.T) {
	for _, point := range c.points() {
		require.NoError(t, os.MkdirAll(point+c.path, 0o755))
	}
	c.write(t, c.trees.CPU, "cpu.cfs_quota_us", "20000")
}

func (c *realCgroup) write(t *testing.T, point, file, text string) {
	require.NoError(t, os.WriteFile(point+c.path+"/"+file, []byte(text), 0o644))
}

func (c *realCgroup) read(t *testing.T, point, file string) []byte {
	text, err := os.ReadFile(point + c.path + "/" + file)
	require.NoError(t, err)
	return text
}

func (c *realCgroup) remove() {
	for _, point := range c.points() {
		for dir := point + c.path; strings.HasPrefix(dir, point+c.root); dir = filepath.Dir(dir) {
			for range 100 { // the kernel answers EBUSY for a while after the last task has left
				if syscall.Rmdir(dir) != syscall.EBUSY {
					break
				}
				time.Sleep(10 * time.Millisecond)
			}
		}
		_ = syscall.Rmdir(point + "/quotascope") // stays when somebody else uses it
	}
}

// burn runs a busy loop inside the cgroup for a while and waits for its end.
func (c *realCgroup) burn(t *testing.T, duration time.Duration) {
	enter := ""
	for _, point := range c.points() {
		enter += fmt.Sprintf("echo $$ > %s/cgroup.procs && ", point+c.path)
	}
	seconds := strconv.FormatFloat(duration.Seconds(), 'f', 2, 64)
	out, err := exec.Command("sh", "-c", enter+"timeout "+seconds+" sh -c 'while :; do :; done'; true").CombinedOutput()
	require.NoError(t, err, string(out))
}

func v1TreesOrSkip(t *testing.T) cgroupfs.Trees {
	if testing.Short() {
		t.Skip("takes seconds of real time")
	}
	trees, err := discovery.ResolveTrees("/proc", "/sys/fs/cgroup")
	if err != nil || trees.Unified() {
		t.Skipf("needs cgroup v1 cpu and cpuacct: %v", err)
	}
	probe := trees.CPU + fmt.Sprintf("/quotascope/probe%d", os.Getpid())
	if err := os.MkdirAll(probe, 0o755); err != nil {
		t.Skipf("cgroups cannot be created here: %v", err)
	}
	require.NoError(t, syscall.Rmdir(probe))
	return trees
}

type gathered struct {
	windows    []*usagewindow.Window
	hosts      []*usagewindow.HostWindow
	identities []*usagewindow.ShardIdentity
}

func (g *gathered) take(batch sampler.Batch) {
	g.windows = append(g.windows, batch.Windows...)
	g.hosts = append(g.hosts, batch.Host)
	g.identities = append(g.identities, batch.Identities...)
}

// startPolling polls until the returned function is called, which waits for the end.
func startPolling(t *testing.T, trees cgroupfs.Trees, pattern string, into *gathered) (stop func()) {
	rule, err := identity.NewRule(pattern, "lab")
	require.NoError(t, err)
	poller, err := New(Options{
		Trees: trees, ProcRoot: "/proc", Rules: identity.Rules{rule}, MaxCgroups: 100, Log: testLog{t},
	})
	require.NoError(t, err)
	agent := sampler.Agent{
		HostID: "host-1", EpochUs: time.Now().UnixMicro(), Cluster: "lab",
		Origin: usagewindow.OriginMeasured, Method: usagewindow.MethodTickPoll,
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- poller.Run(ctx, sampler.NewRecorder(agent, into.take)) }()
	return func() {
		cancel()
		require.NoError(t, <-done)
	}
}

// TestSumsEqualTheKernelsCounters is the kernel truth: windows of a cgroup born under the agent add up
// to what its files say at the end, exactly.
func TestSumsEqualTheKernelsCounters(t *testing.T) {
	trees := v1TreesOrSkip(t)
	cgroup := newRealCgroup(t, trees)
	var got gathered
	stop := startPolling(t, trees, cgroup.root+"/{service}/{shard}", &got)
	time.Sleep(300 * time.Millisecond)
	cgroup.create(t)
	var stat cgroupfs.CPUStat
	for turn := 0; turn < 10 && stat.ThrottledPeriods == 0; turn++ { // a starved host does not give it as much as its quota
		cgroup.burn(t, 2500*time.Millisecond)
		time.Sleep(200 * time.Millisecond)
		var err error
		stat, err = cgroupfs.ParseCPUStat(cgroup.read(t, trees.CPU, "cpu.stat"))
		require.NoError(t, err)
	}
	usageNs, err := cgroupfs.ParseCount(cgroup.read(t, trees.Usage, "cpuacct.usage"))
	require.NoError(t, err)
	stop()

	var usageUs, periods, throttled, throttledUs, samples, missed, sampledUs, excursions int64
	for _, w := range got.windows {
		usageUs, periods, throttled = usageUs+w.UsageUs, periods+*w.Periods, throttled+*w.ThrottledPeriods
		throttledUs, sampledUs = throttledUs+*w.ThrottledUs, sampledUs+w.SampledUsageUs
		samples, missed = samples+int64(w.Samples), missed+int64(w.MissedSamples)
		excursions += int64(*w.ExcursionSamples)
		require.Equal(t, int64(20_000), *w.QuotaUs)
		require.Equal(t, int64(100_000), *w.PeriodUs)
		h, err := histogram.Unpack(w.UsageHistogram)
		require.NoError(t, err)
		require.Equal(t, uint64(w.Samples), h.Total())
	}
	require.Equal(t, []int64{usageNs / 1000, stat.Periods, stat.ThrottledPeriods, stat.ThrottledNs / 1000},
		[]int64{usageUs, periods, throttled, throttledUs})
	require.Positive(t, throttled, "the burner must have been throttled, or nothing was tested")
	require.Positive(t, excursions)
	require.Greater(t, samples, int64(200))
	require.Len(t, got.identities, 1)
	require.Equal(t, cgroup.path, got.identities[0].CgroupPath)
	t.Logf("usage %d us, sampled %d us, samples %d, missed %d, periods %d, throttled %d, lateness max %d us, runs %v",
		usageUs, sampledUs, samples, missed, periods, throttled, got.windows[0].LatenessUsMax, got.windows[0].ThrottledRuns)
	for i, host := range got.hosts {
		require.Equal(t, int64(i), host.Seq)
		require.NotNil(t, host.UsageUs)
	}
}

func TestTwoShortLivesOfOnePathAreCountedAndAreNoShard(t *testing.T) {
	trees := v1TreesOrSkip(t)
	cgroup := newRealCgroup(t, trees)
	var got gathered
	stop := startPolling(t, trees, cgroup.root+"/{service}/{shard}", &got)
	time.Sleep(300 * time.Millisecond)
	for range 2 {
		cgroup.create(t)
		cgroup.burn(t, 300*time.Millisecond)
		time.Sleep(300 * time.Millisecond)
		cgroup.remove()
	}
	time.Sleep(200 * time.Millisecond)
	stop()
	require.Empty(t, got.windows)
	require.Empty(t, got.identities)
	var lives, usageUs int64
	for _, host := range got.hosts {
		lives, usageUs = lives+int64(host.ShortLivedCgroups), usageUs+*host.ShortLivedUsageUs
	}
	require.Equal(t, int64(2), lives)
	require.Greater(t, usageUs, int64(20_000))
}

func TestQuotaChangesAreSeenAndOlderCgroupsCountFromTheFirstReading(t *testing.T) {
	trees := v1TreesOrSkip(t)
	cgroup := newRealCgroup(t, trees)
	cgroup.create(t)
	cgroup.burn(t, 200*time.Millisecond)
	before, err := cgroupfs.ParseCount(bytes.Clone(cgroup.read(t, trees.Usage, "cpuacct.usage")))
	require.NoError(t, err)
	require.Positive(t, before)
	var got gathered
	stop := startPolling(t, trees, cgroup.root+"/{service}/{shard}", &got)
	time.Sleep(300 * time.Millisecond)
	cgroup.write(t, trees.CPU, "cpu.cfs_quota_us", "70000")
	time.Sleep(300 * time.Millisecond)
	stop()
	last := got.windows[len(got.windows)-1]
	require.Equal(t, int64(70_000), *last.QuotaUs)
	var usageUs int64
	for _, w := range got.windows {
		usageUs += w.UsageUs
	}
	require.Zero(t, usageUs, "what was used before the agent started is not its to report")
}
