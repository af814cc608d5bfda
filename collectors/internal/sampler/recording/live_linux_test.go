package recording_test

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/quotascope/quotascope/collectors/internal/cfs"
	"github.com/quotascope/quotascope/collectors/internal/cgroupfs"
	"github.com/quotascope/quotascope/collectors/internal/identity"
	"github.com/quotascope/quotascope/collectors/internal/lab/cgroup"
	"github.com/quotascope/quotascope/collectors/internal/sampler"
	"github.com/quotascope/quotascope/collectors/internal/sampler/discovery"
	"github.com/quotascope/quotascope/collectors/internal/sampler/ebpf"
	"github.com/quotascope/quotascope/collectors/internal/sampler/recording"
	"github.com/quotascope/quotascope/collectors/internal/sampler/tickpoll"
	"github.com/quotascope/quotascope/collectors/internal/usagewindow"
)

type testLog struct{ t *testing.T }

func (l testLog) Infof(format string, args ...any)  { l.t.Logf("I! "+format, args...) }
func (l testLog) Warnf(format string, args ...any)  { l.t.Logf("W! "+format, args...) }
func (l testLog) Errorf(format string, args ...any) { l.t.Logf("E! "+format, args...) }

// recordedFor is long enough for a whole window between two partial ones.
const recordedFor = 21 * time.Second

// TestAReplayOfPollingMakesTheSameBytes samples real cgroups that are throttled, given other limits, born and removed, and
// holds every record that the agent handed over against the record that a replay makes, byte for byte in Avro.
func TestAReplayOfPollingMakesTheSameBytes(t *testing.T) {
	trees, rules := here(t, "poll")
	poller, err := tickpoll.New(tickpoll.Options{Trees: trees, ProcRoot: "/proc", Rules: rules, MaxCgroups: 100, Log: testLog{t}})
	require.NoError(t, err)
	compareLiveAndReplay(t, poller, "poll", usagewindow.MethodTickPoll)
}

func TestAReplayOfExactSlicesMakesTheSameBytes(t *testing.T) {
	trees, rules := here(t, "exact")
	exact, err := ebpf.New(ebpf.Options{
		Trees: trees, ProcRoot: "/proc", Rules: rules, MaxCgroups: 100, RunnableThreads: true, ThreadNames: true, Log: testLog{t},
	})
	var unavailable *ebpf.Unavailable
	if errors.As(err, &unavailable) {
		t.Skipf("eBPF is not available here: %v", err)
	}
	require.NoError(t, err)
	compareLiveAndReplay(t, exact, "exact", usagewindow.MethodEbpf)
}

// here finds this host's cgroups, of which only those below the test's own folder are tracked.
func here(t *testing.T, name string) (cgroupfs.Trees, identity.Rules) {
	if testing.Short() {
		t.Skip("takes seconds of real time")
	}
	t.Parallel()
	rule, err := identity.NewRule("/quotascope/"+folderOf(name)+"/{service}/{shard}", "lab")
	require.NoError(t, err)
	trees, err := discovery.ResolveTrees("/proc", "/sys/fs/cgroup")
	if err != nil {
		t.Skipf("needs cgroups: %v", err)
	}
	return trees, identity.Rules{rule}
}

func folderOf(name string) string { return fmt.Sprintf("records%d-%s", os.Getpid(), name) }

func compareLiveAndReplay(t *testing.T, backend sampler.Backend, name string, method usagewindow.Method) {
	services := eventfulCgroups(t, name)
	agent := sampler.Agent{HostID: "here", EpochUs: time.Now().UnixMicro(), Cluster: "test", Origin: usagewindow.OriginMeasured, Method: method}
	var text bytes.Buffer
	tape := recording.NewTape(&text, recording.Options{Agent: agent})
	var live []sampler.Batch
	recorder := sampler.NewRecorder(agent, func(batch sampler.Batch) { live = append(live, batch) })
	recorder.Attach(tape)
	ctx, stop := context.WithTimeout(context.Background(), recordedFor)
	defer stop()
	go services(ctx)
	require.NoError(t, backend.Run(ctx, recorder))
	require.NoError(t, tape.Close())

	var replayed []sampler.Batch
	require.NoError(t, recording.Replay(&text, nil, func(batch sampler.Batch) { replayed = append(replayed, batch) }))
	wanted, windows := encoded(t, live)
	got, _ := encoded(t, replayed)
	require.Equal(t, wanted, got)
	require.GreaterOrEqual(t, len(live), 3)
	require.Greater(t, windows.usageUs, int64(1_000_000), "something ran")
	require.Positive(t, windows.throttled, "something was throttled")
	require.Positive(t, windows.exemplars)
	notHere := []string{"protection_reason", "cycles_below_quota", "cycles_above_quota", "instructions_below_quota", "instructions_above_quota"}
	if _, err := os.Stat(cpusetTree); err != nil {
		notHere = append(notHere, "cpus_allowed")
	}
	requireFilled(t, live, string(method), notHere...)
	t.Logf("%d records of %d windows in %d batches, %d bytes of recording", len(wanted), windows.count, len(live), text.Cap())
}

type happened struct {
	count, exemplars   int
	usageUs, throttled int64
}

// encoded returns every record as the bytes that travel, in hexadecimal for a readable difference.
func encoded(t *testing.T, batches []sampler.Batch) (records []string, windows happened) {
	encoder, err := usagewindow.NewEncoder()
	require.NoError(t, err)
	add := func(record any) {
		framed, err := encoder.Append(nil, record)
		require.NoError(t, err)
		records = append(records, fmt.Sprintf("%T %s", record, hex.EncodeToString(framed)))
	}
	for _, batch := range batches {
		for _, record := range batch.Identities {
			add(record)
		}
		for _, record := range batch.Windows {
			add(record)
			windows.count++
			windows.usageUs += record.UsageUs
			if record.ThrottledPeriods != nil {
				windows.throttled += *record.ThrottledPeriods
			}
			if record.Exemplar != nil {
				windows.exemplars++
			}
		}
		add(batch.Host)
	}
	return records, windows
}

// eventfulCgroups makes cgroups of our own and returns what is to happen in them while they are sampled.
func eventfulCgroups(t *testing.T, name string) func(ctx context.Context) {
	folder, err := cgroup.Acquire(folderOf(name))
	if err != nil {
		t.Skipf("cgroups cannot be made here: %v", err)
	}
	t.Cleanup(func() {
		_, err := folder.Clear()
		require.NoError(t, err)
		require.NoError(t, folder.Release())
	})
	limited := cgroup.Limits{Bandwidth: &cfs.Bandwidth{QuotaUs: 20_000, PeriodUs: 100_000}, CpuShares: 1024}
	create := func(shard string, limits cgroup.Limits) *cgroup.Group {
		group, err := folder.Create("web", shard, limits)
		if err != nil {
			t.Errorf("cgroup %s: %v", shard, err)
		}
		return group
	}
	above := create("above", limited)
	limitAbove(t, above)
	confine(t, above.Path)
	throttled, free := create("throttled", limited), create("free", cgroup.Limits{CpuShares: 1024})
	return func(ctx context.Context) {
		burn(ctx, t, throttled, 15*time.Second)
		burn(ctx, t, free, 2*time.Second)
		after := func(delay time.Duration, what func()) { time.AfterFunc(delay, what) }
		after(4*time.Second, func() {
			short := create("short", limited)
			burn(ctx, t, short, time.Second)
		})
		after(7*time.Second, func() {
			_ = throttled.Limit(cgroup.Limits{Bandwidth: &cfs.Bandwidth{QuotaUs: 30_000, PeriodUs: 50_000}})
		})
		after(8*time.Second, func() {
			late := create("late", limited)
			burn(ctx, t, late, 3*time.Second)
		})
		after(9*time.Second, func() { remove(free) })
	}
}

// burn runs a busy loop inside the cgroup for a while.
func burn(ctx context.Context, t *testing.T, group *cgroup.Group, duration time.Duration) {
	if group == nil {
		return
	}
	var enter strings.Builder
	for _, dir := range group.Dirs {
		fmt.Fprintf(&enter, "echo $$ > %s/cgroup.procs && ", dir.Path)
	}
	command := exec.CommandContext(ctx, "sh", "-c", fmt.Sprintf("%s exec timeout %.1f sh -c 'while :; do :; done'", enter.String(), duration.Seconds()))
	command.Cancel = func() error { return command.Process.Signal(syscall.SIGTERM) }
	if err := command.Start(); err != nil {
		t.Errorf("burning: %v", err)
		return
	}
	go func() { _ = command.Wait() }() // ends by its time or with ctx
}

// remove takes the cgroup away once its tasks are gone.
func remove(group *cgroup.Group) {
	for _, dir := range group.Dirs {
		_ = syscall.Rmdir(dir.Path)
	}
}

// limitAbove gives the cgroup above a shard a quota of its own, larger than those below it may add up to.
func limitAbove(t *testing.T, shard *cgroup.Group) {
	cpu := filepath.Dir(shard.Dirs[0].Path)
	if file := filepath.Join(cpu, "cpu.max"); os.WriteFile(file, []byte("150000 100000"), 0o644) == nil {
		return
	}
	require.NoError(t, os.WriteFile(filepath.Join(cpu, "cpu.cfs_quota_us"), []byte("150000"), 0o644))
}

// cpusetTree is where cgroup v1 keeps cpusets, in a tree of their own; on v2 every cgroup has one.
const cpusetTree = "/sys/fs/cgroup/cpuset"

// confine puts a path into the cpuset tree, where there is one, and allows it the first CPU.
func confine(t *testing.T, path string) {
	if _, err := os.Stat(cpusetTree); err != nil {
		return
	}
	var made []string
	t.Cleanup(func() {
		for i := range made {
			_ = syscall.Rmdir(made[len(made)-1-i]) // the first is shared with others, and stays while they use it
		}
	})
	folder := cpusetTree
	for _, name := range strings.Split(strings.Trim(path, "/"), "/") {
		folder = filepath.Join(folder, name)
		if err := os.Mkdir(folder, 0o755); err != nil && !os.IsExist(err) {
			require.NoError(t, err)
		}
		made = append(made, folder)
		for _, file := range []string{"cpuset.cpus", "cpuset.mems"} {
			set, err := os.ReadFile(filepath.Join(folder, file))
			require.NoError(t, err)
			if strings.TrimSpace(string(set)) == "" { // others may share the folders above ours
				require.NoError(t, os.WriteFile(filepath.Join(folder, file), []byte("0"), 0o644))
			}
		}
	}
}
