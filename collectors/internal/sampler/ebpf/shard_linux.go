package ebpf

import (
	"errors"
	"fmt"

	"github.com/quotascope/quotascope/collectors/internal/cgroupfs"
	"github.com/quotascope/quotascope/collectors/internal/sampler/discovery"
	"github.com/quotascope/quotascope/collectors/internal/usagewindow"
	"golang.org/x/sys/unix"
)

// shard is one tracked cgroup as the reading goroutine sees it.
type shard struct {
	slot    uint32
	nodes   nodes
	cgroup  *discovery.Cgroup
	builder *usagewindow.Builder

	// limited is whether the cgroup has a quota, periodUs that of it.
	limited  bool
	periodUs int64

	// first is the first slice that began after the cgroup was tracked; last the one in which it was found removed.
	first, last int64
	removed     bool

	// sumNs is what was taken out of the ring since the beginning.
	sumNs int64
	// busy is the slice after the last one that held usage, at first the one in which tracking began.
	busy int64
	// readNs is the kernel's counter when it was last read, and readSumNs what sumNs was or was to become by then.
	readNs, readSumNs int64
	// wallNs is the wall time with any CPU throttled that was stated.
	wallNs int64

	// What was read at the window's end and belongs to the window that is not cut yet.
	ended   bool
	threads *int64
	// held are readings of bandwidth taken since, which belong to the next window.
	held []cgroupfs.CPUStat
}

// setLimits notes what the reading goroutine needs of them often.
func (s *shard) setLimits(limits usagewindow.Limits) {
	s.builder.SetLimits(limits)
	s.noteLimits(limits)
}

func (s *shard) noteLimits(limits usagewindow.Limits) {
	s.limited, s.periodUs = limits.Limited, limits.Limit.PeriodUs
}

// restingSlices is after how long without usage a cgroup rests: its bandwidth counters stand still then.
const restingSlices = 200

// rests is whether the counters of a cgroup need no reading between window ends: the kernel's structure, which would cost
// next to nothing, has not been found, because no task of its own ever ran, and those below it have not run lately.
func (l *loop) rests(s *shard) bool {
	return l.kernel.rings.bandwidths[s.slot].group == 0 && l.next-s.busy > restingSlices
}

// errGone tells that a cgroup was removed before it could be tracked.
var errGone = errors.New("cgroup is gone")

// nodesOf finds the node ids of a cgroup whose files are held open. A path that was taken by another incarnation since
// is told by the held files, which are then dead.
func nodesOf(trees cgroupfs.Trees, cgroup *discovery.Cgroup, buffer []byte) (n nodes, err error) {
	if n.cpu, err = nodeOf(trees.CPU + cgroup.Path); err != nil {
		return n, err
	}
	if n.usage, err = nodeOf(trees.Usage + cgroup.Path); err != nil {
		return n, err
	}
	if n.cpu != cgroup.Inode {
		return n, errGone
	}
	_, _, err = cgroup.Files.ReadUsage(buffer)
	return n, err
}

// nodeOf is the id of the kernel's node of a directory: its inode, on machines of 64 bits.
func nodeOf(path string) (uint64, error) {
	var status unix.Stat_t
	if err := unix.Stat(path, &status); errors.Is(err, unix.ENOENT) {
		return 0, errGone
	} else if err != nil {
		return 0, fmt.Errorf("stat %s: %w", path, err)
	}
	return status.Ino, nil
}

// unreadNs is what lies in the ring of a slot in some slices.
func (r *rings) unreadNs(slot uint32, from, until int64, shift uint32) (sum int64) {
	for slice := from; slice < until; slice++ {
		sum += int64(r.usage[cell(slot, slice)]) << shift
	}
	return sum
}

// note keeps a reading of the kernel's counter together with what our own sum is at this instant.
func (s *shard) note(usageNs, unreadNs int64) { s.readNs, s.readSumNs = usageNs, s.sumNs+unreadNs }

// finalNs is the kernel's counter after its file is gone: the last reading and what was charged since.
func (s *shard) finalNs() int64 { return s.readNs + max(0, s.sumNs-s.readSumNs) }

// statOf makes bandwidth counters of what the kernel's structure says; false if it does not say it now.
func (b *bandwidth) statOf() (cgroupfs.CPUStat, bool) {
	return cgroupfs.CPUStat{
		HasBandwidth: true, Periods: int64(b.periods), ThrottledPeriods: int64(b.throttledPeriods),
		ThrottledNs: int64(b.throttledNs), HasBursts: b.hasBursts != 0, Bursts: int64(b.bursts), BurstUsedNs: int64(b.burstNs),
	}, b.valid != 0
}
