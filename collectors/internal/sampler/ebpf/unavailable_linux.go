package ebpf

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	cilium "github.com/cilium/ebpf"
	"github.com/quotascope/quotascope/collectors/internal/cgroupfs"
	"golang.org/x/sys/unix"
)

// Unavailable says why this host's kernel does not run our programs for us, and what would change that.
type Unavailable struct {
	// Step is what was tried.
	Step string
	// Remedy is what would enable it; empty when nothing on this host would.
	Remedy string
	// Missing are the capabilities that the process lacks, if that is the reason.
	Missing []string
	Cause   error
}

func (u *Unavailable) Error() string {
	cause := u.Cause
	if len(u.Missing) > 0 {
		cause = unix.EPERM // the loader's own guess at the reason would mislead
	}
	text := fmt.Sprintf("eBPF: %s: %v", u.Step, cause)
	if u.Remedy != "" {
		text += "; " + u.Remedy
	}
	return text
}

// Unwrap returns the cause.
func (u *Unavailable) Unwrap() error { return u.Cause }

// Reasons that are not errors of the kernel's own.
var (
	ErrNoBTF       = errors.New("the kernel carries no description of its types")
	ErrNotCgroups  = errors.New("not a mounted cgroup hierarchy of this kernel")
	ErrTooManyCPUs = errors.New("more CPUs than a cell of a ring can count for")
)

const (
	kernelRemedy = "a kernel of 5.10 or newer with CONFIG_DEBUG_INFO_BTF, CONFIG_CGROUP_SCHED and tracepoints is needed"
	memoryRemedy = "a higher RLIMIT_MEMLOCK or CAP_SYS_RESOURCE would enable it (before Linux 5.11 maps count as locked memory)"
)

// classify finds the remedy for what the kernel answered.
func classify(step string, err error) error {
	unavailable := &Unavailable{Step: step, Cause: err}
	var verdict *cilium.VerifierError
	switch {
	case errors.As(err, &verdict) && errors.Is(err, unix.EACCES), errors.Is(err, cilium.ErrNotSupported):
		unavailable.Remedy = kernelRemedy
	case errors.Is(err, unix.EPERM), errors.Is(err, unix.EACCES):
		unavailable.Missing = missingRights()
		unavailable.Remedy = rightsRemedy(unavailable.Missing)
	case errors.Is(err, unix.ENOMEM):
		unavailable.Remedy = memoryRemedy
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, unix.EINVAL), errors.Is(err, unix.ENOENT):
		unavailable.Remedy = kernelRemedy
	}
	return unavailable
}

// missingRights are the capabilities that loading and attaching need and this process does not have.
func missingRights() (missing []string) {
	var sets [2]unix.CapUserData
	header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	if err := unix.Capget(&header, &sets[0]); err != nil {
		return nil
	}
	has := func(capability int) bool { return sets[capability/32].Effective&(1<<(capability%32)) != 0 }
	if has(unix.CAP_SYS_ADMIN) {
		return nil
	}
	for capability, name := range map[int]string{unix.CAP_BPF: "CAP_BPF", unix.CAP_PERFMON: "CAP_PERFMON"} {
		if !has(capability) {
			missing = append(missing, name)
		}
	}
	slices.Sort(missing)
	return missing
}

func rightsRemedy(missing []string) string {
	switch {
	case len(missing) > 0:
		return strings.Join(missing, " and ") + " would enable it (before Linux 5.8: CAP_SYS_ADMIN)"
	case lowMemlock():
		return memoryRemedy
	}
	return "the rights are there, so kernel lockdown or a security module forbids it"
}

// lowMemlock reports a limit under which maps of ours may not fit where they count as locked memory.
func lowMemlock() bool {
	var limit unix.Rlimit
	return unix.Getrlimit(unix.RLIMIT_MEMLOCK, &limit) == nil && limit.Cur < 64<<20
}

const kernelTypes = "/sys/kernel/btf/vmlinux"

// checkTypes asks for the file first, because its absence says more than what loading would answer.
func checkTypes() error {
	if _, err := os.Stat(kernelTypes); errors.Is(err, fs.ErrNotExist) {
		return &Unavailable{Step: "reading " + kernelTypes, Cause: ErrNoBTF, Remedy: kernelRemedy}
	}
	return nil
}

// checkTrees asks whether the trees are the running kernel's own, whose directories our programs know by their inodes.
func checkTrees(trees cgroupfs.Trees) error {
	for _, point := range []string{trees.CPU, trees.Usage} {
		var system unix.Statfs_t
		if err := unix.Statfs(point, &system); err != nil {
			return &Unavailable{Step: "statfs " + point, Cause: err}
		}
		if system.Type != unix.CGROUP_SUPER_MAGIC && system.Type != unix.CGROUP2_SUPER_MAGIC {
			return &Unavailable{Step: point, Cause: ErrNotCgroups, Remedy: "mount the host's /sys/fs/cgroup and point cgroup_root at it"}
		}
	}
	return nil
}
