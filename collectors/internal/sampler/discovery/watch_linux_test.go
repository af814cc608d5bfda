package discovery

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/quotascope/quotascope/collectors/internal/sampler/treefixture"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// heard keeps what was warned of.
type heard struct {
	mu    sync.Mutex
	lines []string
}

func (h *heard) say(format string, args ...any) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.lines = append(h.lines, fmt.Sprintf(format, args...))
}

func (h *heard) Infof(format string, args ...any)  { h.say(format, args...) }
func (h *heard) Warnf(format string, args ...any)  { h.say(format, args...) }
func (h *heard) Errorf(format string, args ...any) { h.say(format, args...) }

func (h *heard) all() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return strings.Join(h.lines, "\n")
}

// fewWatches tells the child process of the test below that it may only have some.
const fewWatches = "QUOTASCOPE_TEST_FEW_WATCHES"

// TestTooFewWatches runs itself again in a user namespace, whose limit of watches is its own.
func TestTooFewWatches(t *testing.T) {
	if os.Getenv(fewWatches) != "" {
		withFewWatches(t)
		return
	}
	self, err := os.Executable()
	require.NoError(t, err)
	child := exec.Command(self, "-test.run=^TestTooFewWatches$", "-test.v")
	child.Env = append(os.Environ(), fewWatches+"=1")
	child.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER,
		UidMappings: []syscall.SysProcIDMap{{HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{HostID: os.Getgid(), Size: 1}},
	}
	out, err := child.CombinedOutput()
	var failed *exec.ExitError
	if err != nil && !errors.As(err, &failed) {
		t.Skipf("user namespaces are not to be had here: %v", err)
	}
	require.NoError(t, err, string(out))
	if strings.Contains(string(out), "--- SKIP") {
		t.Skip(string(out))
	}
	require.Contains(t, string(out), "--- PASS")
}

func withFewWatches(t *testing.T) {
	const limit = "/proc/sys/user/max_inotify_watches"
	if err := os.WriteFile(limit, []byte("6"), 0o644); err != nil {
		t.Skipf("the limit cannot be set: %v", err)
	}
	v2 := treefixture.NewV2(t)
	for i := range 5 {
		v2.Shard(fmt.Sprintf("/lab/a/%d", i))
	}
	log := &heard{}
	f := New(Options{Trees: v2.Trees, Rules: ruleOf(t, "/lab/{service}/{shard}"), MaxCgroups: 100, Log: log})
	s := &started{Finder: f, t: t}
	ctx, cancel := context.WithCancel(t.Context())
	ready, done := make(chan struct{}), make(chan struct{})
	go func() { s.Run(ctx, ready); close(done) }()
	defer func() { cancel(); <-done }()
	<-ready
	for range 5 {
		s.next(Found).Cgroup.Files.Close()
	}
	require.Contains(t, log.all(), "max_user_watches")
	v2.Shard("/lab/b/1")
	require.Equal(t, "/lab/b/1", s.next(Found).Cgroup.Path, "found by a rescan")
	v2.Put("/lab/b/1", map[string]string{"cpu.max": "70000 100000\n"})
	require.Equal(t, int64(70_000), s.next(LimitsChanged).Limits.Limit.QuotaUs)
	require.Eventually(t, func() bool { return s.Rescans() > 1 }, 30*time.Second, 20*time.Millisecond)
	require.NoError(t, os.WriteFile(limit, []byte("1000"), 0o644))
	require.Eventually(t, func() bool { return strings.Contains(log.all(), "watched again") }, 30*time.Second, 20*time.Millisecond)
	v2.Shard("/lab/c/1")
	walks := s.Rescans()
	require.Equal(t, "/lab/c/1", s.next(Found).Cgroup.Path)
	require.Equal(t, walks, s.Rescans(), "found by a note")
}

// TestAnOverflowingQueueLosesNothing makes more changes than the kernel keeps notes of while nobody
// reads them.
func TestAnOverflowingQueueLosesNothing(t *testing.T) {
	v2 := treefixture.NewV2(t)
	v2.Shard("/lab/a/stays")
	v2.Shard("/lab/a/goes")
	log := &heard{}
	f := New(Options{Trees: v2.Trees, Rules: ruleOf(t, "/lab/{service}/{shard}"), MaxCgroups: 100, Log: log})
	s := &started{Finder: f, t: t}
	f.rescan(t.Context(), time.Now())
	f.first = false
	defer func() { f.watch.close() }()
	for range 2 {
		s.next(Found).Cgroup.Files.Close()
	}
	noise := v2.Trees.CPU + "/lab/noise"
	for range 12_000 {
		require.NoError(t, unix.Mkdir(noise, 0o755))
		require.NoError(t, unix.Rmdir(noise))
	}
	v2.Shard("/lab/a/comes") // before the removal: an ordinary file system gives inodes out again at once
	require.NoError(t, os.RemoveAll(v2.Trees.CPU+"/lab/a/goes"))
	overflowed := false
	for !overflowed {
		select {
		case news := <-f.watch.notes:
			for _, one := range news {
				overflowed = overflowed || one.mask&unix.IN_Q_OVERFLOW != 0
				f.heed(t.Context(), one, time.Now())
			}
		case <-time.After(5 * time.Second):
			require.FailNow(t, "the queue did not overflow")
		}
	}
	require.WithinDuration(t, time.Now(), f.nextRescan, 5*time.Second)
	later := f.nextRescan
	f.work(t.Context(), later)
	f.work(t.Context(), later.Add(settle))
	require.Equal(t, "/lab/a/goes", s.next(Gone).Cgroup.Path)
	came := s.next(Found)
	require.Equal(t, "/lab/a/comes", came.Cgroup.Path)
	require.True(t, came.Found.Born)
	came.Cgroup.Files.Close()
	require.Contains(t, log.all(), "overflowed")
}

func TestWarningsAreNotRepeatedForEveryCgroup(t *testing.T) {
	log := &heard{}
	w := warnings{log: log}
	for i := range 100 {
		w.say("cgroup %d is not tracked", i)
	}
	w.say("another matter")
	require.Equal(t, []string{"cgroup 0 is not tracked", "another matter"}, log.lines)
	w.said["cgroup %d is not tracked"] = time.Now().Add(-sayAgainAfter)
	w.say("cgroup %d is not tracked", 100)
	require.Equal(t, "cgroup 100 is not tracked (and 99 times more since the last such message)", log.lines[2])
}

func FuzzDecodeNotes(f *testing.F) {
	f.Add([]byte{1, 0, 0, 0, 0, 1, 0, 0x40, 0, 0, 0, 0, 4, 0, 0, 0, 'a', 0, 0, 0})
	f.Add([]byte{1, 0, 0, 0, 0, 1, 0, 0x40, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 'a', 0, 0, 0})
	f.Fuzz(func(t *testing.T, events []byte) {
		for _, one := range decodeNotes(events) {
			require.LessOrEqual(t, len(one.name), len(events))
		}
	})
}

func FuzzAppendSubdirs(f *testing.F) {
	f.Add([]byte{7, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 24, 0, 4, 'a', 'b', 0, 0, 0})
	f.Fuzz(func(t *testing.T, entries []byte) {
		for _, one := range appendSubdirs(nil, entries) {
			require.NotContains(t, []string{".", ".."}, one.name)
		}
	})
}
