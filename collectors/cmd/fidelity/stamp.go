package main

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"os"
	"time"

	"github.com/quotascope/quotascope/collectors/internal/cfs"
	"github.com/quotascope/quotascope/collectors/internal/lab/cgroup"
	"github.com/quotascope/quotascope/collectors/internal/lab/interrupt"
	"github.com/quotascope/quotascope/collectors/internal/lab/stamp"
)

const sliceNs = 10_000_000

// stampCommand runs one pattern and writes its truth, for whoever debugs a sampler.
func stampCommand(args []string) error {
	flags := flag.NewFlagSet("stamp", flag.ContinueOnError)
	name := flags.String("pattern", "bursts", "constant, bursts, threads or quota")
	duration := flags.Duration("duration", 10*time.Second, "how long the threads run")
	quotaUs := flags.Int64("quota-us", 0, "another quota per 100 ms; 0 leaves the pattern's own")
	out := flags.String("out", "slices.csv", "where to write the slices")
	intervals := flags.String("intervals", "", "where to write the intervals; empty means nowhere")
	grid := flags.String("grid", "utc", "slices end at multiples of 10 ms of this clock: utc or monotonic")
	root := flags.String("root", "bench-stamp", "the folder quotascope/<root> in the cgroup trees")
	if err := flags.Parse(args); err != nil {
		return err
	}
	chosen, err := patternNamed(*name)
	if err != nil {
		return err
	}
	if *quotaUs > 0 {
		chosen.quota = &cfs.Bandwidth{QuotaUs: *quotaUs, PeriodUs: 100_000}
	}
	var edges stamp.Edges
	var trial stamp.Trial
	err = inFolder(*root, func(program string, folder *cgroup.Folder) error {
		if edges, err = stamp.Calibrate(program, folder); err != nil {
			return err
		}
		group, err := folder.Create("spinner", chosen.name, cgroup.Limits{Bandwidth: chosen.quota, CpuShares: 1024})
		if err != nil {
			return err
		}
		fmt.Printf("cgroup %s, %s for %v\n", group.Path, chosen.lesson, *duration)
		trial, err = stamp.Run(program, chosen.load, *duration, group, nil)
		return err
	})
	if err != nil {
		return err
	}
	report(trial, edges)
	if *intervals != "" {
		if err := writeIntervals(*intervals, trial); err != nil {
			return err
		}
	}
	return writeSlices(*out, trial, edges, *grid)
}

func patternNamed(name string) (pattern, error) {
	for _, p := range patterns() {
		if p.name == name {
			return p, nil
		}
	}
	return pattern{}, fmt.Errorf("no pattern %q", name)
}

// inFolder compiles the spinner, makes a folder of cgroups, and removes both afterwards.
func inFolder(root string, run func(program string, folder *cgroup.Folder) error) error {
	programs, err := os.MkdirTemp("", "quotascope-fidelity")
	if err != nil {
		return err
	}
	defer os.RemoveAll(programs)
	program, err := stamp.Build(programs)
	if err != nil {
		return err
	}
	folder, err := cgroup.Acquire(root)
	if err != nil {
		return err
	}
	interrupt.Clear(func() error {
		_, err := folder.Clear()
		return errors.Join(err, folder.Release(), os.RemoveAll(programs))
	})
	err = run(program, folder)
	_, cleared := folder.Clear()
	return errors.Join(err, cleared, folder.Release())
}

func report(trial stamp.Trial, edges stamp.Edges) {
	g := trial.Truth.Gaps
	raw, whole := trial.Truth.TotalNs(), trial.Truth.With(edges).TotalNs()
	fmt.Printf("stamped %.3f ms in %d intervals; switched out %d times for %.1f ms, stolen %d times for %.1f ms, interrupts %.1f ms (counted as busy), rseq %v\n",
		float64(raw)/1e6, len(trial.Truth.Intervals), g.Switches, float64(g.SwitchedNs)/1e6, g.Stolen, float64(g.StolenNs)/1e6,
		float64(g.InterruptNs)/1e6, g.Rseq)
	fmt.Printf("with the kernel's own work, %.1f us a sleep and %.1f us a switch: %.3f ms\n", float64(edges.SleptNs)/1e3,
		float64(edges.SwitchedNs)/1e3, float64(whole)/1e6)
	counted := float64(trial.Counted.UsageUs) / 1e3
	fmt.Printf("the kernel counted %.3f ms at rest; the truth is %+.3f %% of it, %d of %d periods throttled\n", counted,
		(float64(whole)/1e6/counted-1)*100, trial.Counted.ThrottledPeriods, trial.Counted.Periods)
}

func writeSlices(path string, trial stamp.Trial, edges stamp.Edges, grid string) error {
	utc := time.Now().UnixNano() - stamp.Now()
	offset := int64(0)
	if grid == "utc" {
		offset = utc
	}
	// The first slice is the one in which the run begins.
	first := (trial.StartNs+offset)/sliceNs*sliceNs - offset
	count := int((trial.EndNs-first)/sliceNs) + 1
	return writeLines(path, "end_monotonic_ns,end_utc_ns,cpu_ns", func(out *bufio.Writer) {
		for k, ns := range trial.Truth.With(edges).Slices(first, sliceNs, count) {
			end := first + int64(k+1)*sliceNs
			fmt.Fprintf(out, "%d,%d,%d\n", end, end+utc, ns)
		}
	})
}

func writeIntervals(path string, trial stamp.Trial) error {
	return writeLines(path, "thread,cpu,start_ns,end_ns,end", func(out *bufio.Writer) {
		for _, i := range trial.Truth.Intervals {
			fmt.Fprintf(out, "%d,%d,%d,%d,%d\n", i.Thread, i.Cpu, i.StartNs, i.EndNs, i.End)
		}
	})
}

func writeLines(path, head string, body func(*bufio.Writer)) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(file)
	fmt.Fprintln(out, head)
	body(out)
	return errors.Join(out.Flush(), file.Close())
}
