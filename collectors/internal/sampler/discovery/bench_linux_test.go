package discovery

import (
	"fmt"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// standing makes a finder that knows so many cgroups of a real tree, driven by hand.
func standing(b *testing.B, count int) (*realTree, *Finder) {
	r := newRealTree(b)
	for i := range count {
		r.mustMake(fmt.Sprintf("/api/s%d", i))
	}
	r.mustMake("/web")
	log := &heard{}
	f := New(Options{Trees: r.trees, Rules: ruleOf(b, r.root+"/{service}/{shard}"), MaxCgroups: count + 10, Log: log})
	f.events = make(chan Event, count+10)
	f.rescan(b.Context(), time.Now())
	f.first = false
	b.Cleanup(func() {
		for n := range f.tracked {
			n.known.cgroup.Files.Close()
		}
		f.watch.close()
		f.CloseWaiting()
	})
	for range count {
		<-f.events
	}
	return r, f
}

// BenchmarkLife is what one cgroup costs the finder from its creation to its removal: two notes, five
// files opened, limits read, a watch. It must not depend on how many others there are.
func BenchmarkLife(b *testing.B) {
	for _, count := range []int{10, 1000} {
		b.Run(fmt.Sprintf("standing=%d", count), func(b *testing.B) {
			r, f := standing(b, count)
			ctx := b.Context()
			b.ResetTimer()
			for range b.N {
				b.StopTimer()
				r.mustMake("/web/a1")
				made := note{watch: f.root.at(r.root + "/web").watch, mask: unix.IN_CREATE | unix.IN_ISDIR, name: "a1"}
				b.StartTimer()
				f.heed(ctx, made, time.Now())
				f.work(ctx, time.Now().Add(settle))
				b.StopTimer()
				found := <-f.events
				found.Cgroup.Files.Close()
				r.remove("/web/a1")
				made.mask = unix.IN_DELETE | unix.IN_ISDIR
				b.StartTimer()
				f.heed(ctx, made, time.Now())
				b.StopTimer()
				<-f.events
				b.StartTimer()
			}
		})
	}
}

// BenchmarkRescan is one walk of the safety net with all limits read again.
func BenchmarkRescan(b *testing.B) {
	_, f := standing(b, 1000)
	var spent time.Duration
	for b.Loop() {
		f.rescan(b.Context(), time.Now())
		spent += f.lastRescan
	}
	b.ReportMetric(float64(spent.Nanoseconds())/float64(b.N), "cpu-ns/op")
}
