package discovery

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/quotascope/quotascope/collectors/internal/cgroupfs"
	"github.com/quotascope/quotascope/collectors/internal/sampler/treefixture"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// burn runs a busy loop inside the cgroup for a while and waits for its end.
func (r *realTree) burn(path string, duration time.Duration) {
	enter := ""
	for _, point := range r.points() {
		enter += fmt.Sprintf("echo $$ > %s/cgroup.procs && ", point+r.root+path)
	}
	seconds := fmt.Sprintf("%.2f", duration.Seconds())
	out, err := exec.Command("sh", "-c", enter+"timeout "+seconds+" sh -c 'while :; do :; done'; true").CombinedOutput()
	require.NoError(r.t, err, string(out))
}

func (r *realTree) stat(path string) cgroupfs.CPUStat {
	text, err := os.ReadFile(r.trees.CPU + r.root + path + "/cpu.stat")
	require.NoError(r.t, err)
	stat, err := cgroupfs.ParseCPUStat(text)
	require.NoError(r.t, err)
	return stat
}

// TestThrottlingBelongsToTheAncestorThatLimits has a shard without a quota below an ancestor with one, on
// a real kernel, and then below a tighter one: its counters are those of the file.
func TestThrottlingBelongsToTheAncestorThatLimits(t *testing.T) {
	r := newRealTree(t)
	r.mustMake("/web/a1")
	r.setQuota("", 2_000, 100_000) // less than a starved machine gives anybody
	s := start(t, Options{Trees: r.trees, Rules: ruleOf(t, r.root+"/{service}/{shard}")})
	shard := s.next(Found)
	defer shard.Cgroup.Files.Close()
	limits := shard.Found.Limits
	require.False(t, limits.Limited)
	require.Equal(t, limits.Ancestor, limits.Nearest)
	require.Equal(t, []int64{2_000, 100_000}, []int64{limits.Ancestor.QuotaUs, limits.Ancestor.PeriodUs})
	require.Equal(t, r.root, limits.AncestorPath)

	buffer := make([]byte, 4096)
	before, known := shard.Cgroup.Files.ReadAncestor(buffer)
	require.True(t, known)
	after := before
	for try := 0; try < 30 && after.ThrottledPeriods-before.ThrottledPeriods <= 2; try++ {
		r.burn("/web/a1", time.Second)
		after, known = shard.Cgroup.Files.ReadAncestor(buffer)
		require.True(t, known)
	}
	require.Greater(t, after.ThrottledPeriods-before.ThrottledPeriods, int64(2), "the ancestor throttled")
	require.Greater(t, after.ThrottledNs, before.ThrottledNs)
	require.Eventually(t, func() bool {
		read, known := shard.Cgroup.Files.ReadAncestor(buffer)
		stated := r.stat("")
		return known && read.ThrottledPeriods == stated.ThrottledPeriods && read.ThrottledNs == stated.ThrottledNs
	}, 5*time.Second, 10*time.Millisecond, "the counters are the file's")
	require.Zero(t, r.stat("/web/a1").ThrottledPeriods, "the shard's own counters say nothing of it")

	r.setQuota("/web", 1_000, 100_000)
	changed := s.next(LimitsChanged)
	require.Same(t, shard.Cgroup, changed.Cgroup)
	require.Equal(t, r.root+"/web", changed.Limits.AncestorPath)
	require.Equal(t, int64(1_000), changed.Limits.Ancestor.QuotaUs)
	read, known := shard.Cgroup.Files.ReadAncestor(buffer)
	require.True(t, known)
	require.Equal(t, r.stat("/web").ThrottledPeriods, read.ThrottledPeriods)
}

func TestAnAncestorsLimitsChangeAllBelow(t *testing.T) {
	v2 := treefixture.NewV2(t)
	for _, path := range []string{"/top/lab/a/1", "/top/lab/a/2", "/top/lab/b/1", "/other/lab/c/1"} {
		v2.Shard(path)
	}
	v2.Put("/top", map[string]string{"cpu.max": "max 100000\n"})
	rules := append(ruleOf(t, "/top/lab/{service}/{shard}"), ruleOf(t, "/other/lab/{service}/{shard}")...)
	s := start(t, Options{Trees: v2.Trees, Rules: rules})
	for range 4 {
		found := s.next(Found)
		require.False(t, found.Found.Limits.AncestorLimited)
		t.Cleanup(found.Cgroup.Files.Close)
	}
	v2.Put("/top", map[string]string{"cpu.max": "30000 100000\n", "cpu.stat": "usage_usec 1\nnr_periods 4\nnr_throttled 1\nthrottled_usec 9\n"})
	var changed []string
	for range 3 {
		news := s.next(LimitsChanged)
		changed = append(changed, news.Cgroup.Path)
		require.Equal(t, int64(30_000), news.Limits.Ancestor.QuotaUs)
		stat, known := news.Cgroup.Files.ReadAncestor(make([]byte, 4096))
		require.True(t, known)
		require.Equal(t, int64(4), stat.Periods)
	}
	slices.Sort(changed)
	require.Equal(t, []string{"/top/lab/a/1", "/top/lab/a/2", "/top/lab/b/1"}, changed)
	s.quiet(2 * settle)
	v2.Put("/top", map[string]string{"cpu.max": "max 100000\n"})
	for range 3 {
		news := s.next(LimitsChanged)
		require.Nil(t, news.Ancestor)
		_, known := news.Cgroup.Files.ReadAncestor(make([]byte, 4096))
		require.False(t, known)
	}
}

// TestThreadedCgroups makes the three kinds of a threaded tree on a real v2 mount, whichever controllers
// it has.
func TestThreadedCgroups(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a kernel")
	}
	mount := unifiedMount(t)
	root := fmt.Sprintf("/quotascope/discovery-threaded-%d", os.Getpid())
	t.Cleanup(func() {
		removeTree(t, mount+root)
		_ = unix.Rmdir(mount + "/quotascope")
	})
	for _, path := range []string{"/web/threads", "/web/invalid"} {
		if err := os.MkdirAll(mount+root+path, 0o755); err != nil {
			t.Skipf("cgroups cannot be created here: %v", err)
		}
	}
	require.NoError(t, os.WriteFile(mount+root+"/web/threads/cgroup.type", []byte("threaded"), 0o644))
	for path, kind := range map[string]string{"/web": "domain threaded\n", "/web/threads": "threaded\n", "/web/invalid": "domain invalid\n"} {
		text, err := os.ReadFile(mount + root + path + "/cgroup.type")
		require.NoError(t, err)
		require.Equal(t, kind, string(text), path)
	}
	trees := cgroupfs.Trees{Version: cgroupfs.V2, CPU: mount, Usage: mount, Pids: mount}
	s := start(t, Options{Trees: trees, Rules: ruleOf(t, root+"/{service}/{shard}")})
	for range 2 {
		found := s.next(Found)
		usageNs, stat, err := found.Cgroup.Files.ReadUsage(make([]byte, 4096))
		require.NoError(t, err, found.Cgroup.Path)
		require.True(t, stat.HasUsage)
		require.Zero(t, usageNs)
		_, err = os.Stat(filepath.Join(mount, found.Cgroup.Path, "cpu.max"))
		require.Equal(t, err == nil, found.Found.Limits.PeriodUs != nil, "limits are there where the controller is")
		found.Cgroup.Files.Close()
	}
}

func unifiedMount(t *testing.T) string {
	file, err := os.Open("/proc/self/mountinfo")
	require.NoError(t, err)
	defer file.Close()
	mounts, err := cgroupfs.ParseMountinfo(file)
	require.NoError(t, err)
	for _, mount := range mounts {
		if mount.Unified {
			return mount.Point
		}
	}
	t.Skip("no cgroup v2 is mounted")
	return ""
}
