package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/quotascope/quotascope/collectors/internal/lab/cgroup"
)

// variant is the agent with some options.
type variant struct {
	name    string
	options string
	// bpf says that the agent is ready when its programs are attached.
	bpf bool
}

var (
	usageOnly  = variant{"ebpf, usage only", "backend = \"ebpf\"\n  runnable_threads = false", true}
	everything = variant{"ebpf, all features", "backend = \"ebpf\"", true}
	polling    = variant{"tick_poll", "backend = \"tick_poll\"", false}
)

// agentConfig is a whole Telegraf with an output that costs nothing, so that the input's cost is all there is.
const agentConfig = `[agent]
  interval = "10s"
  flush_interval = "1s"
  metric_batch_size = 1000
  metric_buffer_limit = 10000
  omit_hostname = true
[[inputs.cgroup_cpu]]
  host_id = "bench"
  max_cgroups = 1000
  builtin_rules = []
  # Nothing is left out to save, and the host may have its own collector.
  budget_cpu_percent = 0.0
  budget_memory = "0"
  exclusive = false
  %s
  [[inputs.cgroup_cpu.path_rule]]
    pattern = "/watched-{service}/{shard}"
    runtime = "lab"
[[outputs.discard]]
`

// runningAgent is an agent in a cgroup of its own, which counts its CPU time exactly.
type runningAgent struct {
	command *exec.Cmd
	group   *cgroup.Group
	folder  string
	log     bytes.Buffer
}

const (
	agentPatience = 20 * time.Second
	// pollSettle is how long a polling agent needs to find its cgroups and the tick.
	pollSettle = 1500 * time.Millisecond
)

// startAgent starts a variant and returns when it measures.
func (b *bench) startAgent(v variant) (*runningAgent, error) {
	group, err := b.create("agent", fmt.Sprintf("run-%d", time.Now().UnixNano()), cgroup.Limits{})
	if err != nil {
		return nil, err
	}
	a := &runningAgent{group: group}
	if a.folder, err = os.MkdirTemp("", "quotascope-agent"); err != nil {
		return nil, err
	}
	config := filepath.Join(a.folder, "telegraf.conf")
	text := fmt.Sprintf(agentConfig, v.options)
	if err := os.WriteFile(config, []byte(text), 0o644); err != nil {
		return nil, err
	}
	a.command = exec.Command("sh", "-c", enter(group)+b.alone()+`exec "$0" --config "$1"`, b.agent, config)
	a.command.SysProcAttr = &syscall.SysProcAttr{Unshareflags: syscall.CLONE_NEWNS} // nothing of it reaches the host
	a.command.Stdout, a.command.Stderr = &a.log, &a.log
	if err := a.command.Start(); err != nil {
		return nil, err
	}
	if err := a.await(v); err != nil {
		return nil, errors.Join(err, a.stop())
	}
	return a, nil
}

// enter is a shell's way into a cgroup.
func enter(group *cgroup.Group) (script string) {
	for _, file := range group.ProcsFiles() {
		script += "echo $$ > " + file + " && "
	}
	return script
}

// alone has the shell, which has mounts of its own, put the bench's cgroups where all cgroups of the host are: what others
// create and remove meanwhile is none of the agent's business.
func (b *bench) alone() (script string) {
	for _, tree := range b.folder.Layout.Trees {
		script += "mount --bind " + filepath.Join(tree.Mount, b.folder.Path) + " " + tree.Mount + " && "
	}
	return script
}

func (a *runningAgent) await(v variant) error {
	if !v.bpf {
		time.Sleep(pollSettle)
		return a.alive()
	}
	for deadline := time.Now().Add(agentPatience); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		if err := a.alive(); err != nil {
			return err
		}
		held, err := heldBy(a.pid())
		if err == nil && held.links > 0 {
			return nil
		}
	}
	return fmt.Errorf("%s attached nothing within %v:\n%s", v.name, agentPatience, a.log.String())
}

func (a *runningAgent) pid() int { return a.command.Process.Pid }

func (a *runningAgent) alive() error {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", a.pid()))
	if err != nil || strings.Contains(string(status), ") Z ") {
		return fmt.Errorf("the agent ended:\n%s", a.log.String())
	}
	return nil
}

// stop ends the agent and waits for it, and so for its programs to be detached.
func (a *runningAgent) stop() error {
	defer os.RemoveAll(a.folder)
	if err := a.command.Process.Signal(syscall.SIGTERM); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return err
	}
	if err := a.command.Wait(); err != nil {
		return fmt.Errorf("the agent: %w\n%s", err, a.log.String())
	}
	return a.group.Remove()
}

// usedRatio is the share of one CPU that the agent uses over a while.
func (a *runningAgent) usedRatio(duration time.Duration) (float64, error) {
	return usedRatio(a.group, duration)
}

func usedRatio(group *cgroup.Group, duration time.Duration) (float64, error) {
	before, err := group.Read()
	if err != nil {
		return 0, err
	}
	started := time.Now()
	time.Sleep(duration)
	after, err := group.Read()
	return float64(after.UsageUs-before.UsageUs) / float64(time.Since(started).Microseconds()), err
}

// possible leaves out the variants that this kernel cannot run, and says why.
func (b *bench) possible() error {
	b.report.Variants = []string{polling.name}
	agent, err := b.startAgent(everything)
	if err != nil {
		b.report.Unavailable = firstLines(err.Error(), 6)
		fmt.Printf("ebpf cannot run here, so only tick_poll is measured: %s\n", b.report.Unavailable)
		return nil
	}
	b.report.Variants = []string{usageOnly.name, everything.name, polling.name}
	return agent.stop()
}

func (b *bench) variants() []variant {
	if len(b.report.Variants) == 1 {
		return []variant{polling}
	}
	return []variant{usageOnly, everything, polling}
}

func firstLines(text string, count int) string {
	lines := strings.SplitN(text, "\n", count+1)
	return strings.Join(lines[:min(count, len(lines))], "\n")
}

func chosen(only, name string) bool {
	for _, word := range strings.Split(only, ",") {
		if word == name {
			return true
		}
	}
	return false
}
