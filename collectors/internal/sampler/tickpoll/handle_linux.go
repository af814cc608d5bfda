package tickpoll

import (
	"errors"
	"fmt"
	"unsafe"

	"github.com/quotascope/quotascope/collectors/internal/cgroupfs"
	"github.com/quotascope/quotascope/collectors/internal/usagewindow"
	"golang.org/x/sys/unix"
)

// noFile stands for a file that the host's hierarchies do not have.
const noFile = -1

// errRemoved is the clean sign that a cgroup's incarnation has ended: its held files give ENODEV.
var errRemoved = errors.New("cgroup was removed")

// handle holds the open files of one cgroup. Held descriptors cost a tenth of opening each time, and
// keep pointing at the same incarnation when the path is created again.
type handle struct {
	unified bool
	usage   int
	stat    int
	pids    int
	// builder is set by the sampling goroutine when it takes the handle over.
	builder *usagewindow.Builder
	// key names the incarnation to the discovering goroutine.
	key incarnation
	// fresh is true until the first reading of cpu.stat.
	fresh bool
	// statEvery and statPhase choose the slots at which cpu.stat of v1 is read.
	statEvery, statPhase int64
}

// openHandle opens the counters of a cgroup. The pids tree is optional; the others are not.
func openHandle(trees cgroupfs.Trees, path string) (*handle, error) {
	h := &handle{unified: trees.Unified(), usage: noFile, stat: noFile, pids: noFile, fresh: true, statEvery: 1}
	usageFile := "/cpuacct.usage"
	if h.unified {
		usageFile = "/cpu.stat"
	}
	var err error
	if h.usage, err = openRead(trees.Usage + path + usageFile); err != nil {
		return nil, err
	}
	if !h.unified {
		if h.stat, err = openRead(trees.CPU + path + "/cpu.stat"); err != nil {
			h.close()
			return nil, err
		}
	}
	if trees.Pids != "" {
		if h.pids, err = openRead(trees.Pids + path + "/pids.current"); errors.Is(err, unix.ENOENT) {
			h.pids = noFile // no controller here, or the root, which has no such file
		} else if err != nil {
			h.close()
			return nil, err
		}
	}
	return h, nil
}

func openRead(path string) (int, error) {
	fd, err := unix.Open(path, unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return noFile, fmt.Errorf("open %s: %w", path, err)
	}
	return fd, nil
}

func (h *handle) close() {
	for _, fd := range []*int{&h.usage, &h.stat, &h.pids} {
		if *fd != noFile {
			_ = unix.Close(*fd) // nothing was written: closing cannot lose anything
			*fd = noFile
		}
	}
}

// readUsage reads the cumulative usage in nanoseconds. On v2 the same text holds the bandwidth
// counters, which are then returned too. It allocates nothing.
func (h *handle) readUsage(buffer []byte) (usageNs int64, stat cgroupfs.CPUStat, err error) {
	text, err := pread(h.usage, buffer)
	if err != nil {
		return 0, stat, err
	}
	if !h.unified {
		usageNs, err = cgroupfs.ParseCount(text)
		return usageNs, stat, err
	}
	stat, err = cgroupfs.ParseCPUStat(text)
	return stat.UsageNs, stat, err
}

// readStat reads the bandwidth counters of v1.
func (h *handle) readStat(buffer []byte) (cgroupfs.CPUStat, error) {
	text, err := pread(h.stat, buffer)
	if err != nil {
		return cgroupfs.CPUStat{}, err
	}
	return cgroupfs.ParseCPUStat(text)
}

// readThreads reads pids.current; nil where there is none or it cannot be read.
func (h *handle) readThreads(buffer []byte) *int64 {
	if h.pids == noFile {
		return nil
	}
	text, err := pread(h.pids, buffer)
	if err != nil {
		return nil
	}
	threads, err := cgroupfs.ParseCount(text)
	if err != nil {
		return nil
	}
	return &threads
}

// pread reads a file from its beginning without telling the Go scheduler. These files are text that
// the kernel makes in about a microsecond, nothing waits; announcing each call costs more than the call.
func pread(fd int, buffer []byte) ([]byte, error) {
	for {
		n, _, errno := unix.RawSyscall6(unix.SYS_PREAD64, uintptr(fd),
			uintptr(unsafe.Pointer(unsafe.SliceData(buffer))), uintptr(len(buffer)), 0, 0, 0)
		switch errno {
		case 0:
			return buffer[:n], nil
		case unix.EINTR:
			continue
		case unix.ENODEV:
			return nil, errRemoved
		}
		return nil, errno
	}
}
