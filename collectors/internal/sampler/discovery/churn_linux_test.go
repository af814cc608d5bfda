package discovery

import (
	"fmt"
	"os"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// soakVariable makes the churn last longer than a test should: a duration such as 10m.
const soakVariable = "QUOTASCOPE_SOAK"

// drain stands in for a back end: it reads what is found and closes what is gone.
type drain struct {
	found, gone atomic.Int64
	held        map[*Cgroup]bool
	ended       chan struct{}
}

func drainFrom(s *started, until <-chan struct{}) *drain {
	d := &drain{held: map[*Cgroup]bool{}, ended: make(chan struct{})}
	go func() {
		defer close(d.ended)
		buffer := make([]byte, 4096)
		for {
			select {
			case <-until:
				return
			case news := <-s.Events():
				switch news.Kind {
				case Found:
					d.held[news.Cgroup] = true
					_, _, _ = news.Cgroup.Files.ReadUsage(buffer)
					d.found.Add(1)
				case Gone:
					news.Cgroup.Files.Close()
					delete(d.held, news.Cgroup)
					d.gone.Add(1)
				}
				if news.Kind != Gone {
					news.Cgroup.Files.SetAncestor(news.Ancestor)
				}
			}
		}
	}()
	return d
}

// churn makes and removes perSecond cgroups a second for a while. Each lives for about life.
func churn(r *realTree, perSecond int, life, duration time.Duration) (made int) {
	ticker := time.NewTicker(time.Second / time.Duration(perSecond))
	defer ticker.Stop()
	alive := int(life.Seconds() * float64(perSecond))
	ended := time.Now().Add(duration)
	for ; time.Now().Before(ended); <-ticker.C {
		r.mustMake(fmt.Sprintf("/web/c%d", made))
		if made >= alive {
			r.remove(fmt.Sprintf("/web/c%d", made-alive))
		}
		made++
	}
	for i := max(0, made-alive); i < made; i++ {
		r.remove(fmt.Sprintf("/web/c%d", i))
	}
	return made
}

func cpuTime(t *testing.T) time.Duration {
	var usage unix.Rusage
	require.NoError(t, unix.Getrusage(unix.RUSAGE_SELF, &usage))
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

func heapInUse() int64 {
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return int64(stats.HeapAlloc)
}

// TestChurnLeavesNothingBehind removes 200 cgroups a second and makes as many, beside a thousand that
// stay, and then looks for what was left: descriptors, watches, memory, walks of the tree.
func TestChurnLeavesNothingBehind(t *testing.T) {
	r := newRealTree(t)
	duration := 5 * time.Second
	if text := os.Getenv(soakVariable); text != "" {
		var err error
		duration, err = time.ParseDuration(text)
		require.NoError(t, err, soakVariable)
	}
	const staying = 1000
	for i := range staying {
		r.mustMake(fmt.Sprintf("/api/s%d", i))
	}
	r.mustMake("/web")
	nothing := openDescriptors(t)
	s := start(t, Options{Trees: r.trees, Rules: ruleOf(t, r.root+"/{service}/{shard}")})
	until := make(chan struct{})
	d := drainFrom(s, until)
	require.Eventually(t, func() bool { return d.found.Load() == staying }, 20*time.Second, 10*time.Millisecond)
	churn(r, 200, 300*time.Millisecond, time.Second) // what is allocated once is allocated
	require.Eventually(t, func() bool { return d.found.Load() == staying+d.gone.Load() }, 10*time.Second, 10*time.Millisecond)
	descriptors, heap, walks := openDescriptors(t), heapInUse(), s.Rescans()
	require.GreaterOrEqual(t, len(watchedInodes(t)), staying, "every tracked cgroup is watched")

	before, began := cpuTime(t), time.Now()
	made := churn(r, 200, 300*time.Millisecond, duration)
	spent, lasted := cpuTime(t)-before, time.Since(began)
	require.Eventually(t, func() bool { return d.found.Load() == staying+d.gone.Load() }, 10*time.Second, 10*time.Millisecond)
	require.Greater(t, d.gone.Load(), int64(made)*9/10, "nearly all were followed")
	require.Equal(t, descriptors, openDescriptors(t), "descriptors")
	r.requireNoDeadWatch()
	require.Less(t, heapInUse(), heap+2<<20, "memory")
	require.LessOrEqual(t, s.Rescans()-walks, int64(lasted/rescanWatched)+1, "the tree is not walked because of events")
	t.Logf("%d made and removed in %s, %d too fast to be opened, %.1f %% of a CPU with the making, heap %d KiB before and %d KiB after",
		made, lasted, s.TakeVanished(), 100*spent.Seconds()/lasted.Seconds(), heap>>10, heapInUse()>>10)

	s.stop()
	close(until)
	<-d.ended
	for cgroup := range d.held {
		cgroup.Files.Close()
	}
	require.Equal(t, nothing, openDescriptors(t), "after the end")
	require.Empty(t, watchedInodes(t))
}

// TestLivesTooShortAreCounted makes cgroups that are gone before they can be opened, most of them at least:
// none is missed.
func TestLivesTooShortAreCounted(t *testing.T) {
	r := newRealTree(t)
	r.mustMake("/web")
	s := start(t, Options{Trees: r.trees, Rules: ruleOf(t, r.root+"/{service}/{shard}")})
	until := make(chan struct{})
	d := drainFrom(s, until)
	for i := range 500 {
		r.mustMake(fmt.Sprintf("/web/c%d", i))
		r.remove(fmt.Sprintf("/web/c%d", i))
	}
	var vanished int64
	require.Eventually(t, func() bool {
		vanished += s.TakeVanished()
		return vanished+d.gone.Load() >= 500
	}, 20*time.Second, 10*time.Millisecond)
	close(until)
	<-d.ended
	require.Equal(t, int64(500), vanished+d.gone.Load())
	require.Equal(t, d.found.Load(), d.gone.Load())
	require.Positive(t, vanished)
	r.requireNoDeadWatch()
}

// TestWhatARuntimeWritesAtOnceIsReadOnce makes a cgroup and sets its quota, as every runtime does, and heeds both notes: its
// limits are read when it is opened, and not again for the writing. A later writing is heeded.
func TestWhatARuntimeWritesAtOnceIsReadOnce(t *testing.T) {
	r := newRealTree(t)
	r.mustMake("/web")
	f := New(Options{Trees: r.trees, Rules: ruleOf(t, r.root+"/{service}/{shard}"), MaxCgroups: 10, Log: testLog{t}})
	now := time.Now()
	f.rescan(t.Context(), now)
	f.first = false
	t.Cleanup(func() { f.watch.close(); f.CloseWaiting() })
	file := "cpu.max"
	if !r.trees.Unified() {
		file = "cpu.cfs_quota_us"
	}
	written := func() note { return note{watch: f.root.at(r.root + "/web/a1").watch, mask: unix.IN_MODIFY, name: file} }

	r.mustMake("/web/a1")
	f.heed(t.Context(), note{watch: f.root.at(r.root + "/web").watch, mask: unix.IN_CREATE | unix.IN_ISDIR, name: "a1"}, now)
	r.setQuota("/web/a1", 20_000, 100_000)
	f.heed(t.Context(), written(), now)
	f.work(t.Context(), now.Add(settle))
	found := <-f.events
	t.Cleanup(found.Cgroup.Files.Close)
	require.Equal(t, int64(20_000), found.Found.Limits.Limit.QuotaUs)
	require.Empty(t, f.dirty, "nothing is left to be read")
	require.Empty(t, f.events)

	r.setQuota("/web/a1", 30_000, 100_000)
	f.heed(t.Context(), written(), now.Add(time.Second))
	f.work(t.Context(), now.Add(time.Second+settle))
	changed := <-f.events
	require.Equal(t, LimitsChanged, changed.Kind)
	require.Equal(t, int64(30_000), changed.Limits.Limit.QuotaUs)
}
