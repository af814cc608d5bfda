// Command overhead measures what a sampler costs the machine that it watches, in ratios of one run.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"time"

	"github.com/quotascope/quotascope/collectors/internal/lab/cgroup"
	"github.com/quotascope/quotascope/collectors/internal/lab/interrupt"
	"github.com/quotascope/quotascope/collectors/internal/lab/machine"
	"github.com/quotascope/quotascope/collectors/internal/lab/victim"
)

const usage = `overhead [--quick] --agent PROGRAM [--out FOLDER] [--only switches,agent,threads]

  switches   ns added to a context switch, and what is taken from a switching and a computing victim, in paired runs
  agent      CPU of the whole agent for 10, 100 and 1,000 cgroups at 100 Hz beside a lower bound in C, and its memory
  threads    the same switch rate made by 100 and by 20,000 threads`

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "overhead:", err)
		os.Exit(1)
	}
}

// bench is what all measurements share.
type bench struct {
	agent   string
	quick   bool
	program victim.Program
	folder  *cgroup.Folder
	report  report
}

func run(args []string) error {
	flags := flag.NewFlagSet("overhead", flag.ContinueOnError)
	flags.Usage = func() { fmt.Fprintln(os.Stderr, usage) }
	quick := flags.Bool("quick", false, "fewer and shorter rounds")
	agent := flags.String("agent", "", "the bench agent's program")
	out := flags.String("out", "", "folder for overhead.json and overhead.md; empty writes neither")
	only := flags.String("only", "switches,agent,threads", "which measurements")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *agent == "" {
		return errors.New("--agent is missing")
	}
	programs, err := os.MkdirTemp("", "quotascope-overhead")
	if err != nil {
		return err
	}
	defer os.RemoveAll(programs)
	b := &bench{agent: *agent, quick: *quick, report: report{Machine: machine.Describe(), Quick: *quick}}
	if b.program, err = victim.Build(programs); err != nil {
		return err
	}
	if b.folder, err = cgroup.Acquire("bench-overhead"); err != nil {
		return err
	}
	if _, err = b.folder.Clear(); err != nil { // of a run that was killed
		return errors.Join(err, b.folder.Release())
	}
	interrupt.Clear(func() error {
		_, err := b.folder.Clear()
		return errors.Join(err, b.folder.Release(), os.RemoveAll(programs))
	})
	err = b.all(*only)
	_, cleared := b.folder.Clear()
	if err = errors.Join(err, cleared, b.folder.Release()); err != nil {
		return err
	}
	b.report.Machine.End()
	return b.report.finish(*out)
}

func (b *bench) all(only string) error {
	if err := b.possible(); err != nil {
		return err
	}
	for _, measurement := range []struct {
		name string
		run  func() error
	}{{"switches", b.switches}, {"agent", b.agents}, {"threads", b.threads}} {
		if !chosen(only, measurement.name) {
			continue
		}
		if err := measurement.run(); err != nil {
			return fmt.Errorf("%s: %w", measurement.name, err)
		}
		if _, err := b.folder.Clear(); err != nil {
			return err
		}
	}
	return nil
}

// choose returns the length of a round.
func (b *bench) choose(quick, full time.Duration) time.Duration {
	if b.quick {
		return quick
	}
	return full
}

func (b *bench) create(service, shard string, limits cgroup.Limits) (*cgroup.Group, error) {
	if limits.CpuShares == 0 {
		limits.CpuShares = 1024
	}
	return b.folder.Create(service, shard, limits)
}
