package ebpf

import "sync/atomic"

// noteWall states the wall time with any CPU of a cgroup throttled since the last time, while the programs that look at run
// queues run. What they add meanwhile on other CPUs may be seen too early by one span; the sum over windows is right.
func (l *loop) noteWall(s *shard, nowNs int64) {
	totalNs := l.kernel.rings.bandwidths[s.slot].wallNs(nowNs)
	grownNs := max(0, totalNs-s.wallNs)
	s.wallNs += grownNs
	if l.kernel.runnable {
		s.builder.AddThrottledWall(grownNs)
	}
}

// longSpanNs is for how long a cgroup is throttled before its structure is looked at: what no event showed is found then.
const longSpanNs = 250_000_000

// reviewLongSpans lets the kernel look whether spans that have lasted for long have ended: no timer runs when a quota is
// taken away.
func (l *loop) reviewLongSpans(nowNs int64) {
	for _, s := range l.shards {
		since := int64(atomic.LoadUint64(&l.kernel.rings.bandwidths[s.slot].throttledSinceNs))
		if since > 0 && nowNs-since > longSpanNs {
			l.readSlots(int(s.slot), int(s.slot)+1)
		}
	}
}

// wallNs is the wall time with any CPU throttled up to an instant of the monotonic clock.
func (b *bandwidth) wallNs(nowNs int64) int64 {
	since := int64(atomic.LoadUint64(&b.throttledSinceNs))
	total := int64(atomic.LoadUint64(&b.throttledWallNs))
	if since > 0 && since < nowNs {
		total += nowNs - since
	}
	return total
}

// forgetThrottled drops spans whose ends nobody would see.
func (r *rings) forgetThrottled() {
	for slot := range r.bandwidths {
		atomic.StoreUint64(&r.bandwidths[slot].throttledSinceNs, 0)
	}
}
