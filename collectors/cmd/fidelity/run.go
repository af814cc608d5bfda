package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"time"

	"github.com/quotascope/quotascope/collectors/internal/lab/cgroup"
	"github.com/quotascope/quotascope/collectors/internal/lab/machine"
	"github.com/quotascope/quotascope/collectors/internal/lab/stamp"
)

// result is one pattern on an idle or a busy host, with every method side by side.
type result struct {
	Pattern string `json:"pattern"`
	Busy    bool   `json:"busy_host"`
	// Truth is the stamped CPU time over the kernel's counter at rest - 1: how good the judge is.
	TruthError float64               `json:"truth_against_counter_ratio"`
	UsedCores  float64               `json:"used_cores"`
	Throttled  int64                 `json:"throttled_periods"`
	Gaps       stamp.Gaps            `json:"gaps"`
	Methods    map[string]comparison `json:"methods"`
}

// bench is a whole run.
type bench struct {
	program, agent string
	edges          stamp.Edges
	duration       time.Duration
	methods        []string
}

// startUp is how long every method watches before the load begins, and neighbourAfter how much longer than the
// load its neighbours go on.
const (
	startUp        = 500 * time.Millisecond
	neighbourAfter = time.Second
)

// runCommand compares all methods over all patterns.
func runCommand(args []string) error {
	flags := flag.NewFlagSet("run", flag.ContinueOnError)
	quick := flags.Bool("quick", false, "3 s a pattern instead of 12")
	agent := flags.String("agent", "", "the bench agent's program; empty leaves inputs.cgroup out")
	folder := flags.String("out", "", "folder for fidelity.json and fidelity.md; empty writes neither")
	only := flags.String("pattern", "", "only this pattern")
	if err := flags.Parse(args); err != nil {
		return err
	}
	b := bench{agent: *agent, duration: 12 * time.Second}
	if *quick {
		b.duration = 3 * time.Second
	}
	rep := fidelityReport{Machine: machine.Describe(), SecondsEach: b.duration.Seconds(), Quick: *quick}
	err := inFolder(fmt.Sprintf("bench-fidelity-%d", os.Getpid()), func(program string, folder *cgroup.Folder) error {
		var err error
		b.program, b.methods = program, b.possible()
		if b.edges, err = stamp.Calibrate(program, folder); err != nil {
			return err
		}
		rep.Edges, rep.methods = b.edges, b.methods
		return b.all(folder, *only, &rep)
	})
	if err != nil {
		return err
	}
	rep.Machine.End()
	return rep.finish(*folder)
}

func (b *bench) all(folder *cgroup.Folder, only string, rep *fidelityReport) error {
	for _, busy := range []bool{false, true} {
		for _, p := range patterns() {
			if only != "" && p.name != only {
				continue
			}
			got, err := b.one(folder, p, busy)
			_, cleared := folder.Clear()
			if err = errors.Join(err, cleared); err != nil {
				return fmt.Errorf("pattern %s: %w", p.name, err)
			}
			rep.Results = append(rep.Results, got)
			fmt.Print(rep.lines(got))
		}
	}
	return nil
}

// possible leaves out what cannot run here, and says why.
func (b *bench) possible() []string {
	methods := ourMethods()
	if b.agent != "" {
		methods = append(methods, methodStock)
	}
	return methods
}

// one runs a pattern with every method watching.
func (b *bench) one(folder *cgroup.Folder, p pattern, busy bool) (result, error) {
	group, err := folder.Create("spinner", p.name, cgroup.Limits{Bandwidth: p.quota, CpuShares: 1024})
	if err != nil {
		return result{}, err
	}
	beside, err := startNeighbours(folder, b.program, p, busy, b.duration)
	defer beside.stop()
	if err != nil {
		return result{}, err
	}
	watchers := map[string]watcher{}
	for _, method := range b.methods {
		if watchers[method], err = b.watch(method, group); err != nil {
			return result{}, err
		}
	}
	for method, w := range watchers {
		if err := w.ready(); err != nil {
			return result{}, fmt.Errorf("%s: %w", method, err)
		}
	}
	time.Sleep(startUp)
	trial, err := stamp.Run(b.program, p.load, b.duration, group, beside.begin)
	said := map[string][]slice{}
	for method, w := range watchers {
		var stopped error
		said[method], stopped = w.stop()
		err = errors.Join(err, stopped)
	}
	if err != nil {
		return result{}, err
	}
	return b.judge(p, busy, trial, said), nil
}

func (b *bench) watch(method string, group *cgroup.Group) (watcher, error) {
	if method != methodStock {
		return startOurs(method, group.Path)
	}
	for _, dir := range group.Dirs {
		if slices.Contains(dir.Controllers, "cpuacct") {
			return startStock(b.agent, dir.Path, "cpuacct.usage")
		}
	}
	return startStock(b.agent, group.Dirs[0].Path, "cpu.stat")
}

func (b *bench) judge(p pattern, busy bool, trial stamp.Trial, said map[string][]slice) result {
	truth := trial.Truth.With(b.edges)
	got := result{Pattern: p.name, Busy: busy, Gaps: truth.Gaps, Methods: map[string]comparison{},
		TruthError: float64(truth.TotalNs())/float64(trial.Counted.UsageUs*1000) - 1,
		UsedCores:  float64(truth.TotalNs()) / float64(trial.EndNs-trial.StartNs), Throttled: trial.Counted.ThrottledPeriods}
	grid := -monotonicOffsetNs() % sliceNs
	for method, slices := range said {
		got.Methods[method] = compare(slices, truth, trial, grid, trial.Counted.UsageUs*1000)
	}
	return got
}

// monotonicOffsetNs is wall time minus CLOCK_MONOTONIC.
func monotonicOffsetNs() int64 { return time.Now().UnixNano() - stamp.Now() }

// neighbours are what else uses the host's CPUs, each in a cgroup of its own that weighs as much as the load's.
type neighbours struct {
	spinner  *stamp.Spinner
	forker   *exec.Cmd
	duration time.Duration
}

// busyLoad is a busy host: as many threads as there are CPUs, each of them busy for two thirds of the time.
func busyLoad(cpus int) stamp.Load {
	return stamp.Load{Threads: cpus, BusyMin: 500 * time.Microsecond, BusyMax: 8 * ms, IdleMin: 500 * time.Microsecond, IdleMax: 4 * ms, Seed: 99}
}

func startNeighbours(folder *cgroup.Folder, program string, p pattern, busy bool, duration time.Duration) (*neighbours, error) {
	n := &neighbours{duration: duration + neighbourAfter}
	if busy {
		group, err := folder.Create("neighbour", "busy", cgroup.Limits{CpuShares: 1024})
		if err != nil {
			return n, err
		}
		if n.spinner, err = stamp.Start(program, busyLoad(machine.Cpus()), n.duration, group.ProcsFiles()); err != nil {
			return n, err
		}
	}
	if p.forks {
		group, err := folder.Create("neighbour", "forks", cgroup.Limits{CpuShares: 1024})
		if err != nil {
			return n, err
		}
		enter := ""
		for _, file := range group.ProcsFiles() {
			enter += "echo $$ > " + file + " && "
		}
		n.forker = exec.Command("sh", "-c", enter+"while :; do /bin/true; done")
		if err := n.forker.Start(); err != nil {
			return n, err
		}
	}
	return n, nil
}

// begin lets the busy neighbours run until after the load.
func (n *neighbours) begin() {
	if n.spinner != nil {
		now := stamp.Now()
		if err := n.spinner.Begin(now, now+int64(n.duration)); err != nil {
			fmt.Fprintln(os.Stderr, "fidelity: the neighbours did not begin:", err)
		}
	}
}

func (n *neighbours) stop() {
	if n.spinner != nil {
		_ = n.spinner.Kill() // a spinner that is gone cannot disturb
	}
	if n.forker != nil && n.forker.Process != nil {
		_ = n.forker.Process.Kill()
		_ = n.forker.Wait()
	}
}
