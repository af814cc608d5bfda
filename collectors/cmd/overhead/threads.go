package main

import (
	"errors"
	"fmt"
	"time"

	"github.com/quotascope/quotascope/collectors/internal/lab/cgroup"
	"github.com/quotascope/quotascope/collectors/internal/lab/victim"
	"github.com/quotascope/quotascope/collectors/internal/usagewindow"
)

// threadsCost is the cost of one number of threads at the same rate of switches.
type threadsCost struct {
	Variant string `json:"variant"`
	Threads int    `json:"threads"`
	// SwitchesPerSecond is measured, so that a rate that was not held shows.
	SwitchesPerSecond float64 `json:"switches_per_second"`
	Cpu               float64 `json:"cpu_ratio"`
	Charged           float64 `json:"bpf_cpu_ratio,omitempty"`
}

// ProgramNs is the time in programs a switch.
func (c threadsCost) ProgramNs() float64 { return c.Charged / c.SwitchesPerSecond * 1e9 }

// atRate is the whole cost, a share of one CPU, at the rate that was asked for: the rates that were
// measured hold what else the machine does.
func (c threadsCost) atRate(switchesPerSecond float64) float64 {
	return c.Cpu + c.ProgramNs()*switchesPerSecond/1e9
}

const (
	fewThreads     = 100
	manyThreads    = 20_000
	threadGroups   = 25
	wakesPerSecond = 4000
	// switchesPerWake is one to the thread and one away from it.
	switchesPerWake = 2
)

// threads lets few and many threads make the same number of switches, in the same number of cgroups, in turns.
func (b *bench) threads() error {
	var groups []*cgroup.Group
	for k := range threadGroups {
		group, err := b.create("watched-sleepers", fmt.Sprintf("a%d", k), cgroup.Limits{})
		if err != nil {
			return err
		}
		groups = append(groups, group)
	}
	turns := 7
	if b.quick {
		turns = 1
	}
	for _, v := range b.variants() {
		if v.name == usageOnly.name {
			continue
		}
		agent, err := b.startAgent(v)
		if err != nil {
			return err
		}
		time.Sleep(agentWarmUp)
		if !v.bpf {
			turns = 1 // nothing is judged, it is only shown beside
		}
		for range turns {
			for _, count := range []int{fewThreads, manyThreads} {
				var cost threadsCost
				if cost, err = b.threadsAgainst(agent, v, groups, count); err != nil {
					return errors.Join(err, agent.stop())
				}
				b.report.Threads = append(b.report.Threads, cost)
				fmt.Printf("%-20s %5d threads: %6.3f %% of a CPU and %.3f %% in programs at %.0f switches/s\n", v.name, count, cost.Cpu*100,
					cost.Charged*100, cost.SwitchesPerSecond)
			}
		}
		if err := agent.stop(); err != nil {
			return err
		}
	}
	return nil
}

func (b *bench) threadsAgainst(agent *runningAgent, v variant, groups []*cgroup.Group, count int) (threadsCost, error) {
	cost := threadsCost{Variant: v.name, Threads: count}
	var sleeping []*victim.Resident
	stop := func() (failed error) {
		for _, s := range sleeping {
			failed = errors.Join(failed, s.Stop())
		}
		return failed
	}
	period := time.Duration(count) * time.Second / wakesPerSecond
	for _, group := range groups {
		s, err := b.program.Sleepers(count/len(groups), period, group)
		if err != nil {
			return cost, errors.Join(fmt.Errorf("%d threads: %w (is the limit of processes below that?)", count, err), stop())
		}
		sleeping = append(sleeping, s)
	}
	time.Sleep(time.Second)
	err := withBpfStats(func() error {
		before, err := heldBy(agent.pid())
		if err != nil {
			return err
		}
		switches, started := contextSwitches(), time.Now()
		// A whole window: what an agent does at the end of one is a good part of what it takes, and once in each of these.
		if cost.Cpu, err = agent.usedRatio(b.choose(3*time.Second, time.Duration(usagewindow.WindowUs)*time.Microsecond)); err != nil {
			return err
		}
		elapsed := time.Since(started)
		after, err := heldBy(agent.pid())
		nsBefore, _ := before.runTime()
		nsAfter, _ := after.runTime()
		cost.SwitchesPerSecond = float64(contextSwitches()-switches) / elapsed.Seconds()
		cost.Charged = float64(nsAfter-nsBefore) / float64(elapsed)
		return err
	})
	return cost, errors.Join(err, stop())
}
