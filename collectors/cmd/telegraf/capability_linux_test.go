package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/quotascope/quotascope/collectors/internal/cgroupfs"
	"github.com/quotascope/quotascope/collectors/internal/sampler/discovery"
)

// measured makes a cgroup of this kernel and a configuration that measures it, and returns both.
func measured(t *testing.T) (*place, cgroupfs.Trees, string) {
	if testing.Short() {
		t.Skip("builds and runs the binary")
	}
	requireRoot(t)
	trees, err := discovery.ResolveTrees("/proc", "/sys/fs/cgroup")
	if err != nil {
		t.Skipf("no cgroup tree: %v", err)
	}
	p := newPlace(t)
	path := fmt.Sprintf("/quotascope/capability%d-%d", os.Getpid(), time.Now().UnixNano())
	for _, point := range []string{trees.CPU, trees.Usage, trees.Pids} {
		if point == "" {
			continue
		}
		if err := os.MkdirAll(point+path+"/web/a1", 0o755); err != nil {
			t.Skipf("cgroups cannot be created here: %v", err)
		}
		t.Cleanup(func() {
			for _, folder := range []string{path + "/web/a1", path + "/web", path, "/quotascope"} {
				_ = syscall.Rmdir(point + folder) // the last stays when somebody else uses it
			}
		})
	}
	p.write("telegraf.conf", fmt.Sprintf(`
[agent]
  omit_hostname = true
[[inputs.cgroup_cpu]]
  host_id = "host-1"
  builtin_rules = []
  [[inputs.cgroup_cpu.path_rule]]
    pattern = "%s/{service}/{shard}"
[[outputs.discard]]
`, path))
	p.letAllIn()
	return p, trees, path
}

// runAs prints the records that an unprivileged user with some capabilities gathers.
func runAs(t *testing.T, p *place, capabilities ...uintptr) *agent {
	attributes := *nobody
	attributes.AmbientCaps = capabilities
	return start(t, &attributes, "--config", p.config, "--test", "--test-wait", "3")
}

// policies are the scheduling policies of a process's threads.
func policies(t *testing.T, pid int) (found []int) {
	threads, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*", pid))
	require.NoError(t, err)
	for _, thread := range threads {
		id, err := strconv.Atoi(filepath.Base(thread))
		require.NoError(t, err)
		if attributes, err := unix.SchedGetAttr(id, 0); err == nil { // a thread may end meanwhile
			found = append(found, int(attributes.Policy))
		}
	}
	return found
}

func TestCapabilitiesNonePollsAtNormalPriority(t *testing.T) {
	t.Parallel()
	p, _, _ := measured(t)
	a := runAs(t, p)
	require.Zero(t, a.end(), a.said())
	require.Regexp(t, `> cpu_usage_window,.*samples=[1-9]`, a.said())
	require.Contains(t, a.said(), `method="tick_poll"`)
	require.Contains(t, a.said(), "back end tick_poll, because")
	require.Contains(t, a.said(), "CAP_BPF and CAP_PERFMON")
	require.Contains(t, a.said(), "SCHED_FIFO is not permitted: CAP_SYS_NICE or RLIMIT_RTPRIO >= 1")
}

func TestCapabilityNicePollsInRealTime(t *testing.T) {
	t.Parallel()
	p, _, _ := measured(t)
	a := runAs(t, p, unix.CAP_SYS_NICE)
	a.waitFor("polling cgroup", 1)
	require.Eventually(t, func() bool { return slices.Contains(policies(t, a.process.Process.Pid), unix.SCHED_FIFO) },
		2*time.Second, 10*time.Millisecond, "no thread of real-time priority: %s", a.said())
	require.Zero(t, a.end(), a.said())
	require.Regexp(t, `> cpu_usage_window,.*samples=[1-9]`, a.said())
	require.NotContains(t, a.said(), "normal priority")
}

func TestCapabilitiesBPFAndPerfmonMeasureExactly(t *testing.T) {
	t.Parallel()
	p, _, _ := measured(t)
	if _, err := os.Stat("/sys/kernel/btf/vmlinux"); err != nil {
		t.Skipf("eBPF needs a kernel with BTF: %v", err)
	}
	a := runAs(t, p, unix.CAP_BPF, unix.CAP_PERFMON)
	require.Zero(t, a.end(), a.said())
	require.Contains(t, a.said(), "back end ebpf")
	require.Regexp(t, `> cpu_usage_window,.*method="ebpf"`, a.said())
}

func TestOneOfTheTwoCapabilitiesFallsBackAndNamesWhatIsMissing(t *testing.T) {
	t.Parallel()
	p, _, _ := measured(t)
	for only, missing := range map[uintptr]string{unix.CAP_BPF: "CAP_PERFMON", unix.CAP_PERFMON: "CAP_BPF"} {
		a := runAs(t, p, only)
		require.Zero(t, a.end(), a.said())
		require.Contains(t, a.said(), "back end tick_poll, because")
		require.Contains(t, a.said(), missing+" would enable it")
		require.Contains(t, a.said(), `method="tick_poll"`)
	}
}

// TestRealTimeGroupSchedulingIsToldFromAMissingRight: both answer EPERM.
func TestRealTimeGroupSchedulingIsToldFromAMissingRight(t *testing.T) {
	t.Parallel()
	p, trees, path := measured(t)
	folder := trees.CPU + path
	runtime, err := os.ReadFile(folder + "/cpu.rt_runtime_us")
	if err != nil || strings.TrimSpace(string(runtime)) != "0" {
		t.Skipf("needs real-time group scheduling on cgroup v1: %q, %v", runtime, err)
	}
	setpriv, err := exec.LookPath("setpriv")
	if err != nil {
		t.Skip("needs setpriv of util-linux")
	}
	inCgroup := func(capabilities string) *agent {
		a := &agent{t: t, ended: make(chan error, 1)}
		a.process = exec.Command("sh", "-c", `echo $$ > "$0"/cgroup.procs && exec "$@"`, folder, setpriv,
			"--reuid=65532", "--regid=65532", "--clear-groups", "--inh-caps="+capabilities, "--ambient-caps="+capabilities,
			builtBinary(t), "--config", p.config, "--test", "--test-wait", "1")
		a.process.Stdout, a.process.Stderr = a, a
		require.NoError(t, a.process.Start())
		go func() { a.ended <- a.process.Wait() }()
		return a
	}
	permitted := inCgroup("+sys_nice")
	require.Zero(t, permitted.end(), permitted.said())
	require.Contains(t, permitted.said(), "SCHED_FIFO is permitted, but real-time group scheduling gives this cgroup no runtime")
	require.Contains(t, permitted.said(), folder+"/cpu.rt_runtime_us")
	neither := inCgroup("-all")
	require.Zero(t, neither.end(), neither.said())
	require.Contains(t, neither.said(), "SCHED_FIFO is not permitted: CAP_SYS_NICE")
	require.Contains(t, neither.said(), "once "+folder+"/cpu.rt_runtime_us is above 0")
}
