package discovery

import (
	"context"
	"os"
	"testing"
	"time"

	"github.com/quotascope/quotascope/collectors/internal/cfs"
	"github.com/quotascope/quotascope/collectors/internal/cgroupfs"
	"github.com/quotascope/quotascope/collectors/internal/identity"
	"github.com/quotascope/quotascope/collectors/internal/sampler/treefixture"
	"github.com/quotascope/quotascope/collectors/internal/usagewindow"
	"github.com/stretchr/testify/require"
)

type testLog struct{ t *testing.T }

func (l testLog) Infof(format string, args ...any)  { l.t.Logf("I! "+format, args...) }
func (l testLog) Warnf(format string, args ...any)  { l.t.Logf("W! "+format, args...) }
func (l testLog) Errorf(format string, args ...any) { l.t.Logf("E! "+format, args...) }

func TestLimitsWithAncestors(t *testing.T) {
	v2 := treefixture.NewV2(t)
	v2.Trees.Cpuset = v2.Trees.CPU
	v2.Shard("/top/lab/a/1")
	v2.Put("", map[string]string{"cpuset.cpus.effective": "0-7\n"})
	v2.Put("/top", map[string]string{"cpu.max": "30000 100000\n", "cpuset.cpus.effective": "0-2,6\n"})
	v2.Put("/top/lab", map[string]string{"cpu.max": "max 100000\n"})
	v2.Put("/top/lab/a", map[string]string{"cpu.max": "50000 20000\n"})
	got, err := newLimitReader(v2.Trees, make([]byte, 4096)).read("/top/lab/a/1")
	require.NoError(t, err)
	limits := got.limits
	require.True(t, limits.Limited)
	require.Equal(t, int64(50_000), limits.Limit.QuotaUs)
	require.Equal(t, []int64{100_000, 0, 512}, []int64{*limits.PeriodUs, *limits.BurstUs, *limits.CPUShares})
	require.True(t, limits.AncestorLimited)
	require.Equal(t, cfs.Bandwidth{QuotaUs: 50_000, PeriodUs: 20_000}, limits.Nearest)
	require.Equal(t, cfs.Bandwidth{QuotaUs: 30_000, PeriodUs: 100_000}, limits.Ancestor)
	require.Equal(t, "/top", got.tightest)
	require.Equal(t, "0-2,6", *got.cpuset, "the controller is not enabled below /top")
	require.Equal(t, int32(4), *limits.CpusAllowed)

	v2.Put("/bare", map[string]string{"cpu.stat": "usage_usec 1\n"})
	got, err = newLimitReader(v2.Trees, make([]byte, 4096)).read("/bare")
	require.NoError(t, err)
	require.Equal(t, int32(8), *got.limits.CpusAllowed)
	got.limits.CpusAllowed = nil
	require.Equal(t, usagewindow.Limits{}, got.limits, "no cpu controller: everything is absent")

	v2.Put("/broken", map[string]string{"cpu.max": "lots\n"})
	_, err = newLimitReader(v2.Trees, make([]byte, 4096)).read("/broken")
	require.ErrorIs(t, err, cgroupfs.ErrFormat)
}

func TestDiscoveryTracksCapsAndCounts(t *testing.T) {
	v2 := treefixture.NewV2(t)
	for _, path := range []string{"/lab/a/1", "/lab/a/2", "/lab/a/3"} {
		v2.Shard(path)
	}
	v2.Put("/other/thing", nil)
	rule, err := identity.NewRule("/lab/{service}/{shard}", "lab")
	require.NoError(t, err)
	d := New(Options{Trees: v2.Trees, Rules: identity.Rules{rule}, MaxCgroups: 2, Log: testLog{t}})
	ctx, cancel := context.WithCancel(context.Background())
	ready, done := make(chan struct{}), make(chan struct{})
	go func() { d.Run(ctx, ready); close(done) }()
	<-ready
	require.Equal(t, []int64{1, 1}, []int64{d.Untracked(), d.Overflow()})
	for range 2 {
		news := <-d.Events()
		require.False(t, news.Found.Born)
		news.Cgroup.Files.Close()
	}
	require.NoError(t, os.RemoveAll(v2.Trees.CPU+"/lab/a/1"))
	started := time.Now()
	news := <-d.Events()
	require.Equal(t, Gone, news.Kind)
	require.Equal(t, "/lab/a/1", news.Cgroup.Path)
	news = <-d.Events()
	require.Equal(t, "/lab/a/3", news.Found.Path, "room was made by the removal")
	require.False(t, news.Found.Born, "it was there before the agent looked")
	require.Less(t, time.Since(started), rescanWatched, "told by its event, not by a rescan")
	news.Cgroup.Files.Close()
	cancel()
	<-done
}

func TestDiscoveryFindsTheNewbornByItsEvent(t *testing.T) {
	v2 := treefixture.NewV2(t)
	rule, err := identity.NewRule("/lab/{service}/{shard}", "lab")
	require.NoError(t, err)
	d := New(Options{Trees: v2.Trees, Rules: identity.Rules{rule}, MaxCgroups: 2, Log: testLog{t}})
	ctx, cancel := context.WithCancel(context.Background())
	ready, done := make(chan struct{}), make(chan struct{})
	go func() { d.Run(ctx, ready); close(done) }()
	<-ready
	started := time.Now()
	v2.Shard("/lab/a/1")
	news := <-d.Events()
	require.True(t, news.Found.Born)
	require.Less(t, time.Since(started), rescanWatched, "told by its event, not by a rescan")
	v2.Put("/lab/a/1", map[string]string{"cpu.max": "max 100000\n"})
	changed := <-d.Events()
	require.NotNil(t, changed.Limits)
	require.False(t, changed.Limits.Limited)
	require.Less(t, time.Since(started), rescanWatched, "told by its event, not by a rescan")
	news.Cgroup.Files.Close()
	cancel()
	<-done
}

// at finds a node by its path.
func (n *node) at(path string) *node {
	var found *node
	n.subtree(func(below *node) {
		if below.path == path {
			found = below
		}
	})
	return found
}
