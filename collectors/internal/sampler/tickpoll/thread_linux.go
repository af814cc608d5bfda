package tickpoll

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"os"
	"strings"

	"golang.org/x/sys/unix"
)

// makeRealtime gives the calling thread, which must be locked to its goroutine, the lowest real-time
// priority. Threads that the Go runtime clones from this one go back to normal.
func makeRealtime() error {
	return unix.SchedSetAttr(0, &unix.SchedAttr{
		Size:     unix.SizeofSchedAttr,
		Policy:   unix.SCHED_FIFO,
		Flags:    unix.SCHED_FLAG_RESET_ON_FORK,
		Priority: 1,
	}, 0)
}

// rights is what the kernel asks for before it makes a thread a real-time one.
type rights struct {
	// permitted tells that CAP_SYS_NICE is effective or RLIMIT_RTPRIO is at least 1.
	permitted bool
	// groupRuntime is the file that gives this process's cgroup no real-time runtime; empty when it has some.
	groupRuntime string
	// unified tells that the process is in a cgroup of v2 other than the root.
	unified bool
}

// refusalOfRealtime says which of the two checks refused, because both answer EPERM, and what would
// enable it.
func refusalOfRealtime(err error, r rights) error {
	const nice = "CAP_SYS_NICE or RLIMIT_RTPRIO >= 1 (systemd: LimitRTPRIO=1) would enable it"
	switch {
	case !errors.Is(err, unix.EPERM):
		return fmt.Errorf("SCHED_FIFO: %w", err)
	case !r.permitted && r.groupRuntime != "":
		return fmt.Errorf("SCHED_FIFO is not permitted: %s, once %s is above 0", nice, r.groupRuntime)
	case !r.permitted:
		return fmt.Errorf("SCHED_FIFO is not permitted: %s", nice)
	case r.groupRuntime != "":
		return fmt.Errorf("SCHED_FIFO is permitted, but real-time group scheduling gives this cgroup no runtime: "+
			"write some microseconds to %s, say 10000, or run the agent in a cgroup that has them", r.groupRuntime)
	case r.unified:
		return errors.New("SCHED_FIFO is permitted, but the kernel refuses it: one with CONFIG_RT_GROUP_SCHED " +
			"does so outside the root cgroup of v2; the kernel parameter rt_group_sched=0 would enable it")
	}
	return errors.New("SCHED_FIFO is permitted, but the kernel refuses it: a seccomp filter may deny sched_setattr")
}

// rightsOf looks at what this process has.
func rightsOf(options Options) (r rights) {
	var limit unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_RTPRIO, &limit); err == nil && limit.Cur >= 1 {
		r.permitted = true
	}
	header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var sets [2]unix.CapUserData
	if err := unix.Capget(&header, &sets[0]); err == nil && sets[0].Effective&(1<<unix.CAP_SYS_NICE) != 0 {
		r.permitted = true
	}
	path, unified, found := ownCgroup()
	if !found {
		return r
	}
	r.unified = unified && path != "/"
	file := options.Trees.CPU + strings.TrimSuffix(path, "/") + "/cpu.rt_runtime_us"
	if text, err := os.ReadFile(file); err == nil && string(bytes.TrimSpace(text)) == "0" {
		r.groupRuntime = file
	}
	return r
}

// ownCgroup is the path of this process in the tree of the cpu controller.
//
//	1:cpu,cpuacct:/system.slice/telegraf.service
//	0::/system.slice/telegraf.service
func ownCgroup() (path string, unified, found bool) {
	text, err := os.ReadFile("/proc/self/cgroup")
	if err != nil {
		return "", false, false
	}
	for lines := bufio.NewScanner(bytes.NewReader(text)); lines.Scan(); {
		parts := strings.SplitN(lines.Text(), ":", 3)
		switch {
		case len(parts) < 3:
		case strings.Contains(","+parts[1]+",", ",cpu,"):
			return parts[2], false, true
		case parts[1] == "":
			path, unified, found = parts[2], true, true
		}
	}
	return path, unified, found
}
