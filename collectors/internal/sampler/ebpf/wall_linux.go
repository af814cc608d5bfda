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
