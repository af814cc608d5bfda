package ebpf

import (
	"errors"
	"fmt"
	"sync/atomic"

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

	// limited is whether the cgroup has a quota, quotaUs and periodUs that of it.
	limited           bool
	quotaUs, periodUs int64

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

	// stat is the last reading of bandwidth counters that was passed on or is held, noted how many of the program's notes
	// were. watched is whether it makes any, which every period since the last reading is among.
	stat    cgroupfs.CPUStat
	noted   uint64
	watched bool
	// strange is set while the shard is among the strangers.
	strange bool
	// held are readings taken after the window's end, which belong to the next one.
	held []cgroupfs.CPUStat
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

// unreadNs is what lies in the ring of a slot and was not taken, wherever a charge was spread to: one that a CPU made after it
// was held up reaches far back.
func (r *rings) unreadNs(slot, shift uint32) (sum int64) {
	from := cell(slot, 0)
	for i := range r.usage[from : from+ringSlices] {
		sum += int64(atomic.LoadUint32(&r.usage[from+i]))
	}
	return sum << shift
}

// note keeps a reading of the kernel's counter together with what our own sum is at this instant.
func (s *shard) note(usageNs, unreadNs int64) { s.readNs, s.readSumNs = usageNs, s.sumNs+unreadNs }

// finalNs is the kernel's counter after its file is gone: the last reading and what was charged since.
func (s *shard) finalNs() int64 { return s.readNs + max(0, s.sumNs-s.readSumNs) }
