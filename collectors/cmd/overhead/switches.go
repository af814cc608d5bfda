package main

import (
	"errors"
	"fmt"
	"time"

	"github.com/quotascope/quotascope/collectors/internal/lab/cgroup"
	"github.com/quotascope/quotascope/collectors/internal/lab/machine"
	"github.com/quotascope/quotascope/collectors/internal/lab/victim"
)

// switchCost is what one variant adds to the two victims.
type switchCost struct {
	Variant string `json:"variant"`
	// Switch is in nanoseconds a switch across cgroups; Computing in seconds per 10,000 steps of arithmetic.
	Switch    pairs `json:"switch_ns"`
	Computing pairs `json:"computing_ns"`
	// RunNs and RunsPerSwitch are the kernel's own statistics of the programs; absent when polling.
	RunNs         float64 `json:"run_ns,omitempty"`
	RunsPerSwitch float64 `json:"runs_per_switch,omitempty"`
	// SwitchRunNs is their product: program time a switch, with the kernel's timing of it included.
	SwitchRunNs float64 `json:"run_ns_per_switch,omitempty"`
}

// switches races two victims at once, one on either CPU, with and without the agent.
func (b *bench) switches() error {
	var ends [2]*cgroup.Group
	for k, shard := range []string{"ping", "pong"} {
		var err error
		if ends[k], err = b.create("watched-victim", shard, cgroup.Limits{}); err != nil {
			return err
		}
	}
	pingpong, err := b.program.Pingpong(0, ends[0], ends[1])
	if err != nil {
		return err
	}
	defer pingpong.Stop()
	spin, err := b.program.Spin(machine.Cpus() - 1)
	if err != nil {
		return err
	}
	defer spin.Stop()
	for _, v := range b.variants() {
		cost, err := b.raceAgainst(v, pingpong, spin)
		if err != nil {
			return fmt.Errorf("%s: %w", v.name, err)
		}
		b.report.Switches = append(b.report.Switches, cost)
		fmt.Print(cost.line())
	}
	return nil
}

func (b *bench) raceAgainst(v variant, pingpong, spin *victim.Racer) (switchCost, error) {
	cost := switchCost{Variant: v.name}
	rounds, each := 9, b.choose(300*time.Millisecond, 900*time.Millisecond)
	if b.quick {
		rounds = 5
	}
	var switching, computing [2][]float64
	for round := range 2*rounds + 1 {
		with := round % 2
		err := b.oneRound(v, with == 1, func() error {
			switchNs, computeNs, err := race(pingpong, spin, each)
			switching[with] = append(switching[with], switchNs)
			computing[with] = append(computing[with], computeNs)
			return err
		})
		if err != nil {
			return cost, err
		}
	}
	cost.Switch, cost.Computing = judge(switching[0], switching[1]), judge(computing[0], computing[1])
	if !v.bpf {
		return cost, nil
	}
	return cost, b.timedByKernel(v, pingpong, &cost)
}

// oneRound measures beside a freshly started agent, or beside none.
func (b *bench) oneRound(v variant, with bool, measure func() error) error {
	if !with {
		return measure()
	}
	agent, err := b.startAgent(v)
	if err != nil {
		return err
	}
	time.Sleep(300 * time.Millisecond) // what it does once is over
	return errors.Join(measure(), agent.stop())
}

// race runs both victims at once and returns nanoseconds per switch and per round of arithmetic.
func race(pingpong, spin *victim.Racer, each time.Duration) (switchNs, computeNs float64, err error) {
	type answer struct {
		rate float64
		err  error
	}
	computed := make(chan answer, 1)
	go func() {
		rate, err := spin.Race(each)
		computed <- answer{rate, err}
	}()
	rate, err := pingpong.Race(each)
	other := <-computed
	if err = errors.Join(err, other.err); err != nil {
		return 0, 0, err
	}
	return 1e9 / rate / 2, 1e9 / other.rate, nil
}

// timedByKernel reads the kernel's run-time statistics of the programs while the victim switches.
func (b *bench) timedByKernel(v variant, pingpong *victim.Racer, cost *switchCost) error {
	agent, err := b.startAgent(v)
	if err != nil {
		return err
	}
	err = withBpfStats(func() error {
		before, err := heldBy(agent.pid())
		if err != nil {
			return err
		}
		each := b.choose(500*time.Millisecond, 2*time.Second)
		rate, err := pingpong.Race(each)
		if err != nil {
			return err
		}
		after, err := heldBy(agent.pid())
		if err != nil {
			return err
		}
		nsBefore, runsBefore := before.runTime()
		nsAfter, runsAfter := after.runTime()
		ns, runs := float64(nsAfter-nsBefore), float64(runsAfter-runsBefore)
		switches := rate * 2 * each.Seconds()
		cost.RunNs, cost.RunsPerSwitch, cost.SwitchRunNs = ns/runs, runs/switches, ns/switches
		return nil
	})
	return errors.Join(err, agent.stop())
}

func (c switchCost) line() string {
	text := fmt.Sprintf("%-20s %+7.0f ns a switch (noise %.0f; %.0f without), switching victim %+.2f %% (noise %.2f), computing victim %+.2f %% (noise %.2f)\n",
		c.Variant, c.Switch.Added, c.Switch.Noise, c.Switch.Without, c.Switch.Ratio()*100, c.Switch.NoiseRatio()*100,
		c.Computing.Ratio()*100, c.Computing.NoiseRatio()*100)
	if c.RunNs > 0 {
		text += fmt.Sprintf("%-20s %7.0f ns a switch in programs by the kernel's statistics: %.2f runs of %.0f ns, the timing included\n",
			"", c.SwitchRunNs, c.RunsPerSwitch, c.RunNs)
	}
	return text
}
