package discovery

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/quotascope/quotascope/collectors/internal/cfs"
	"github.com/quotascope/quotascope/collectors/internal/cgroupfs"
	"github.com/quotascope/quotascope/collectors/internal/usagewindow"
	"golang.org/x/sys/unix"
)

// isLimitFile tells the names whose modification changes the limits of a cgroup or its descendants.
// Writing cgroup.subtree_control makes or removes the files of a controller below.
func isLimitFile(name string) bool {
	switch name {
	case "cpu.max", "cpu.max.burst", "cpu.weight", "cpu.weight.nice", "cpuset.cpus", "cgroup.subtree_control",
		"cpu.cfs_quota_us", "cpu.cfs_period_us", "cpu.cfs_burst_us", "cpu.shares":
		return true
	}
	return false
}

// ownLimit is the bandwidth of one cgroup, kept for the ancestors that many shards share.
type ownLimit struct {
	limit         cfs.Bandwidth
	limited       bool
	hasController bool
}

// reading is what the kernel says limits a cgroup.
type reading struct {
	limits usagewindow.Limits
	// tightest is the path of the ancestor with the least quota / period; empty without one.
	tightest string
	// cpuset lists the CPUs that the cgroup may use; nil without a cpuset controller.
	cpuset *string
}

// limitReader reads limits at one time, those of every ancestor once.
type limitReader struct {
	trees     cgroupfs.Trees
	ancestors map[string]ownLimit
	cpusets   map[string]*string
	// buffer holds one file at a time.
	buffer []byte
}

var errTooLong = errors.New("longer than any file of limits")

func newLimitReader(trees cgroupfs.Trees, buffer []byte) *limitReader {
	return &limitReader{trees: trees, ancestors: map[string]ownLimit{}, cpusets: map[string]*string{}, buffer: buffer}
}

// read returns the limits of the cgroup at path and those of its ancestors that matter.
func (r *limitReader) read(path string) (reading, error) {
	own, err := r.own(path)
	if err != nil {
		return reading{}, err
	}
	limits := usagewindow.Limits{Limit: own.limit, Limited: own.limited}
	if own.hasController {
		limits.PeriodUs = &own.limit.PeriodUs
	}
	burstFile, weightFile := "cpu.cfs_burst_us", "cpu.shares"
	if r.trees.Unified() {
		burstFile, weightFile = "cpu.max.burst", "cpu.weight"
	}
	if limits.BurstUs, err = r.count(path, burstFile); err != nil {
		return reading{}, err
	}
	if limits.CPUShares, err = r.count(path, weightFile); err != nil {
		return reading{}, err
	}
	if r.trees.Unified() && limits.CPUShares != nil {
		*limits.CPUShares = cgroupfs.SharesOfWeight(*limits.CPUShares)
	}
	cpuset := r.cpuset(path)
	if cpuset != nil {
		if cpus, err := cgroupfs.CountCpus(*cpuset); err == nil {
			limits.CpusAllowed = &cpus
		}
	}
	if err := r.readAncestors(path, &limits); err != nil {
		return reading{}, err
	}
	return reading{limits: limits, tightest: limits.AncestorPath, cpuset: cpuset}, nil
}

// readAncestors finds the nearest and the tightest quota above a cgroup. Any of them can throttle it:
// bandwidth is not passed down, it is enforced at every level.
func (r *limitReader) readAncestors(path string, limits *usagewindow.Limits) (err error) {
	for parent := parentOf(path); parent != ""; parent = parentOf(parent) {
		above, read := r.ancestors[parent]
		if !read {
			if above, err = r.own(parent); err != nil {
				return err
			}
			r.ancestors[parent] = above
		}
		if !above.limited {
			continue
		}
		if !limits.AncestorLimited {
			limits.Nearest, limits.NearestLimited = above.limit, true
		}
		if !limits.AncestorLimited || above.limit.Tighter(limits.Ancestor) {
			limits.Ancestor, limits.AncestorLimited, limits.AncestorPath = above.limit, true, parent
		}
	}
	return nil
}

func parentOf(path string) string { return path[:max(0, strings.LastIndexByte(path, '/'))] }

func (r *limitReader) own(path string) (own ownLimit, err error) {
	if r.trees.Unified() {
		text, err := r.text(r.trees.CPU + path + "/cpu.max")
		if errors.Is(err, fs.ErrNotExist) {
			return ownLimit{}, nil // the cpu controller is not enabled for this cgroup
		}
		if err != nil {
			return ownLimit{}, err
		}
		own.limit, own.limited, err = cgroupfs.ParseCPUMax(text)
		own.hasController = err == nil
		return own, inFile(err, path)
	}
	quota, err := r.text(r.trees.CPU + path + "/cpu.cfs_quota_us")
	if errors.Is(err, fs.ErrNotExist) {
		return ownLimit{}, r.exists(path) // a kernel without CONFIG_CFS_BANDWIDTH
	}
	if err != nil {
		return ownLimit{}, err
	}
	quota = bytes.Clone(quota)
	period, err := r.text(r.trees.CPU + path + "/cpu.cfs_period_us")
	if err != nil {
		return ownLimit{}, err
	}
	own.limit, own.limited, err = cgroupfs.ParseCFSQuota(quota, period)
	own.hasController = err == nil
	return own, inFile(err, path)
}

// text reads a small file of cgroupfs in three system calls. What the standard library does besides, which is to ask for
// the size and for a poller that these files do not have, doubles the price of a cgroup's life. The text is valid until
// the next call.
func (r *limitReader) text(path string) ([]byte, error) {
	fd, err := openRead(path)
	if err != nil {
		return nil, err
	}
	defer unix.Close(fd)
	text, err := pread(fd, r.buffer)
	switch {
	case errors.Is(err, ErrRemoved):
		err = unix.ENODEV
	case err == nil && len(text) == len(r.buffer):
		err = errTooLong
	}
	return text, inFile(err, path)
}

// exists tells a cgroup without a file from a cgroup that is gone.
func (r *limitReader) exists(path string) error {
	_, err := os.Stat(r.trees.CPU + path)
	return err
}

// count reads a file with one number that some kernels and cgroups do not have.
func (r *limitReader) count(path, file string) (*int64, error) {
	text, err := r.text(r.trees.CPU + path + "/" + file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	value, err := cgroupfs.ParseCount(text)
	if err != nil {
		return nil, inFile(err, path+"/"+file)
	}
	return &value, nil
}

// cpuset returns the CPUs a cgroup may use, as the kernel lists them; nil when that is not known. On v2
// a cgroup without the controller has the CPUs of the nearest ancestor with it; on v1 the trees are
// apart, and a cgroup that is not in the cpuset tree says nothing.
func (r *limitReader) cpuset(path string) *string {
	if r.trees.Cpuset == "" {
		return nil
	}
	if cpus, read := r.cpusets[path]; read {
		return cpus
	}
	cpus := r.ownCpuset(path)
	if cpus == nil && path != "" && r.trees.Unified() {
		cpus = r.cpuset(parentOf(path))
	}
	r.cpusets[path] = cpus
	return cpus
}

func (r *limitReader) ownCpuset(path string) *string {
	for _, file := range []string{"/cpuset.cpus.effective", "/cpuset.effective_cpus", "/cpuset.cpus"} {
		text, err := r.text(r.trees.Cpuset + path + file)
		if err != nil {
			continue
		}
		if cpus, present, err := cgroupfs.ParseCpuset(text); err == nil && present {
			return &cpus
		}
	}
	return nil
}

func inFile(err error, path string) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", path, err)
}
