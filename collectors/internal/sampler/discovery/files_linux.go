package discovery

import (
	"errors"
	"fmt"
	"io/fs"
	"unsafe"

	"github.com/quotascope/quotascope/collectors/internal/cgroupfs"
	"golang.org/x/sys/unix"
)

// noFile stands for a file that the host's hierarchies do not have.
const noFile = -1

// ErrRemoved is the clean sign that a cgroup's incarnation has ended: its held files give ENODEV.
var ErrRemoved = errors.New("cgroup was removed")

// Files are the open counters of one cgroup. Held descriptors cost a tenth of opening each time, and
// keep pointing at the same incarnation when the path is created again.
type Files struct {
	unified bool
	usage   int
	stat    int
	pids    int
	// ancestor is the cpu.stat of the tightest limited ancestor, nil without one.
	ancestor *StatFile
}

// OpenFiles opens the counters of the cgroup at path; the empty path is the root. The pids tree is
// optional; the others are not.
func OpenFiles(trees cgroupfs.Trees, path string) (*Files, error) {
	f := &Files{unified: trees.Unified(), usage: noFile, stat: noFile, pids: noFile}
	usageFile := "/cpuacct.usage"
	if f.unified {
		usageFile = "/cpu.stat"
	}
	var err error
	if f.usage, err = openRead(trees.Usage + path + usageFile); err != nil {
		return nil, err
	}
	if !f.unified {
		if f.stat, err = openRead(trees.CPU + path + "/cpu.stat"); err != nil {
			f.Close()
			return nil, err
		}
	}
	if trees.Pids != "" {
		if f.pids, err = openRead(trees.Pids + path + "/pids.current"); errors.Is(err, unix.ENOENT) {
			f.pids = noFile // no controller here, or the root, which has no such file
		} else if err != nil {
			f.Close()
			return nil, err
		}
	}
	return f, nil
}

// OpenRoot opens the counters of the whole host. A root that states no usage is an error.
func OpenRoot(trees cgroupfs.Trees) (*Files, error) {
	root, err := OpenFiles(trees, "")
	if err != nil {
		return nil, err
	}
	var buffer [4096]byte
	if _, stat, err := root.ReadUsage(buffer[:]); err != nil || root.Unified() && !stat.HasUsage {
		root.Close()
		return nil, fmt.Errorf("the root cgroup states no usage: %w", errors.Join(err, fs.ErrNotExist))
	}
	return root, nil
}

func openRead(path string) (int, error) {
	fd, err := unix.Open(path, unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return noFile, fmt.Errorf("open %s: %w", path, err)
	}
	return fd, nil
}

// Close closes the descriptors. Closing twice is harmless.
func (f *Files) Close() {
	for _, fd := range []*int{&f.usage, &f.stat, &f.pids} {
		if *fd != noFile {
			_ = unix.Close(*fd) // nothing was written: closing cannot lose anything
			*fd = noFile
		}
	}
	f.SetAncestor(nil)
}

// StatFile is the open cpu.stat of one cgroup.
type StatFile struct{ fd int }

// openStat opens the cpu.stat of the cgroup at path; nil for an empty path, or where it cannot be read.
func openStat(trees cgroupfs.Trees, path string) *StatFile {
	if path == "" {
		return nil
	}
	fd, err := openRead(trees.CPU + path + "/cpu.stat")
	if err != nil {
		return nil
	}
	return &StatFile{fd: fd}
}

// Close closes the descriptor. It may be called on nil.
func (s *StatFile) Close() {
	if s != nil {
		_ = unix.Close(s.fd)
	}
}

// SetAncestor puts the cpu.stat of another ancestor, or nil, in the place of the one before.
func (f *Files) SetAncestor(ancestor *StatFile) {
	f.ancestor.Close()
	f.ancestor = ancestor
}

// ReadAncestor reads the bandwidth counters of the tightest limited ancestor. It reports false when
// there is none or it cannot be read. It allocates nothing.
func (f *Files) ReadAncestor(buffer []byte) (stat cgroupfs.CPUStat, ok bool) {
	if f.ancestor == nil {
		return stat, false
	}
	text, err := pread(f.ancestor.fd, buffer)
	if err != nil {
		return stat, false
	}
	stat, err = cgroupfs.ParseCPUStat(text)
	return stat, err == nil && stat.HasBandwidth
}

// Unified reports whether one text holds usage and bandwidth counters, as on v2.
func (f *Files) Unified() bool { return f.unified }

// ReadUsage reads the cumulative usage in nanoseconds. On v2 the same text holds the bandwidth
// counters, which are then returned too. It allocates nothing.
func (f *Files) ReadUsage(buffer []byte) (usageNs int64, stat cgroupfs.CPUStat, err error) {
	text, err := pread(f.usage, buffer)
	if err != nil {
		return 0, stat, err
	}
	if !f.unified {
		usageNs, err = cgroupfs.ParseCount(text)
		return usageNs, stat, err
	}
	stat, err = cgroupfs.ParseCPUStat(text)
	return stat.UsageNs, stat, err
}

// ReadStat reads the bandwidth counters of v1.
func (f *Files) ReadStat(buffer []byte) (cgroupfs.CPUStat, error) {
	text, err := pread(f.stat, buffer)
	if err != nil {
		return cgroupfs.CPUStat{}, err
	}
	return cgroupfs.ParseCPUStat(text)
}

// ReadThreads reads pids.current; nil where there is none or it cannot be read.
func (f *Files) ReadThreads(buffer []byte) *int64 {
	if f.pids == noFile {
		return nil
	}
	text, err := pread(f.pids, buffer)
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
			return nil, ErrRemoved
		}
		return nil, errno
	}
}
