package main

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/quotascope/quotascope/collectors/internal/cfs"
	"github.com/quotascope/quotascope/collectors/internal/lab/cgroup"
	"github.com/quotascope/quotascope/collectors/internal/lab/machine"
	"github.com/quotascope/quotascope/collectors/internal/lab/victim"
)

const (
	sampleEvery = 10 * time.Millisecond
	// statEvery is how many samples pass between two readings of cpu.stat by a sampler that must tell
	// periods of 100 ms apart.
	statEvery = 5
	// crowdPeriod is how often each watched cgroup does something.
	crowdPeriod = time.Second
	// agentWarmUp is discovery, the first cut of a window, and the runtime's first collections.
	agentWarmUp = 4 * time.Second
)

// agentCost is the cost of one way of watching so many cgroups.
type agentCost struct {
	Variant string `json:"variant"`
	Cgroups int    `json:"cgroups"`
	// Cpu is a share of one CPU.
	Cpu float64 `json:"cpu_ratio"`
	// Charged is what the programs cost others beyond that, as far as the kernel's statistics say: a share of one CPU.
	Charged float64 `json:"bpf_cpu_ratio,omitempty"`
	// SwitchesPerSecond is the rate of the whole machine meanwhile.
	SwitchesPerSecond float64 `json:"switches_per_second"`
	// RssBytes is without the maps' pages that the agent has mapped: they are in MapBytes.
	RssBytes int64 `json:"rss_bytes,omitempty"`
	MapBytes int64 `json:"map_bytes,omitempty"`
	// PerCPUMapBytes is the part of the maps that grows with the machine's possible CPUs.
	PerCPUMapBytes int64 `json:"per_cpu_map_bytes,omitempty"`
}

const lowerBound = "preads in C"

// agents measures every variant and the lower bound at 10, 100 and 1,000 cgroups.
func (b *bench) agents() error {
	var groups []*cgroup.Group
	for _, count := range []int{10, 100, 1000} {
		for len(groups) < count {
			// Containers have quotas; a sampler that polls must read their cpu.stat too.
			group, err := b.create("watched-crowd", fmt.Sprintf("a%d", len(groups)), cgroup.Limits{
				Bandwidth: &cfs.Bandwidth{QuotaUs: 100_000, PeriodUs: 100_000}})
			if err != nil {
				return err
			}
			groups = append(groups, group)
		}
		if err := b.watched(groups); err != nil {
			return fmt.Errorf("%d cgroups: %w", count, err)
		}
	}
	return nil
}

func (b *bench) watched(groups []*cgroup.Group) error {
	crowd, err := b.program.Crowd(crowdPeriod, groups)
	if err != nil {
		return err
	}
	bound, err := b.boundOf(groups)
	if err != nil {
		return errors.Join(err, crowd.Stop())
	}
	b.report.Agents = append(b.report.Agents, bound)
	fmt.Print(bound.line())
	for _, v := range b.variants() {
		if v.name == usageOnly.name {
			continue
		}
		cost, err := b.costOf(v, len(groups))
		if err != nil {
			return errors.Join(err, crowd.Stop())
		}
		b.report.Agents = append(b.report.Agents, cost)
		fmt.Print(cost.line())
	}
	return crowd.Stop()
}

// boundOf is the least that reading the same files at the same rate costs.
func (b *bench) boundOf(groups []*cgroup.Group) (agentCost, error) {
	own, err := b.create("agent", fmt.Sprintf("preads-%d", len(groups)), cgroup.Limits{})
	if err != nil {
		return agentCost{}, err
	}
	readers, err := b.program.Preads(sampleEvery, statEvery, victim.WholeFile(groups[0]), groups)
	if err != nil {
		return agentCost{}, err
	}
	cost := agentCost{Variant: lowerBound, Cgroups: len(groups)}
	if err = own.Admit(readers.Pid()); err == nil {
		time.Sleep(500 * time.Millisecond)
		cost.Cpu, err = usedRatio(own, b.choose(2*time.Second, 5*time.Second))
	}
	return cost, errors.Join(err, readers.Stop())
}

func (b *bench) costOf(v variant, count int) (agentCost, error) {
	cost := agentCost{Variant: v.name, Cgroups: count}
	agent, err := b.startAgent(v)
	if err != nil {
		return cost, err
	}
	time.Sleep(agentWarmUp)
	switchesBefore, started := contextSwitches(), time.Now()
	cost.Cpu, err = agent.usedRatio(b.choose(5*time.Second, 10*time.Second))
	cost.SwitchesPerSecond = float64(contextSwitches()-switchesBefore) / time.Since(started).Seconds()
	if err == nil && v.bpf {
		err = agent.charged(&cost)
	}
	if err == nil {
		cost.RssBytes, err = rss(agent.pid())
	}
	return cost, errors.Join(err, agent.stop())
}

// charged adds what the programs use and what their maps hold.
func (a *runningAgent) charged(cost *agentCost) error {
	return withBpfStats(func() error {
		before, err := heldBy(a.pid())
		if err != nil {
			return err
		}
		started := time.Now()
		time.Sleep(2 * time.Second)
		after, err := heldBy(a.pid())
		if err != nil {
			return err
		}
		nsBefore, _ := before.runTime()
		nsAfter, _ := after.runTime()
		cost.Charged = float64(nsAfter-nsBefore) / float64(time.Since(started))
		cost.MapBytes, cost.PerCPUMapBytes = after.mapBytes(), after.growingBytes(int64(machine.PossibleCpus()))
		return nil
	})
}

// rss adds up the resident pages of /proc/PID/smaps, in kB there, but not those of BPF maps:
//
//	7fb421d7b000-7fb421e86000 rw-s 00000000 00:10 1038     anon_inode:bpf-map
//	Rss:                1068 kB
func rss(pid int) (int64, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/smaps", pid))
	if err != nil {
		return 0, err
	}
	var kB int64
	ofMap := false
	for line := range strings.Lines(string(text)) {
		words := strings.Fields(line)
		switch {
		case len(words) > 1 && words[0] == "Rss:" && !ofMap:
			size, err := strconv.ParseInt(words[1], 10, 64)
			if err != nil {
				return 0, err
			}
			kB += size
		case len(words) > 4 && strings.Contains(words[0], "-"):
			ofMap = strings.HasSuffix(strings.TrimSpace(line), "bpf-map")
		}
	}
	return kB * 1024, nil
}

// contextSwitches reads the machine's count; 0 where it cannot.
func contextSwitches() int64 {
	text, err := os.ReadFile("/proc/stat")
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(text)) {
		if value, found := strings.CutPrefix(line, "ctxt "); found {
			count, _ := strconv.ParseInt(strings.TrimSpace(value), 10, 64)
			return count
		}
	}
	return 0
}

func (c agentCost) line() string {
	text := fmt.Sprintf("%-20s %5d cgroups: %6.3f %% of a CPU", c.Variant, c.Cgroups, c.Cpu*100)
	if c.RssBytes > 0 {
		text += fmt.Sprintf(", RSS %.1f MiB", mib(c.RssBytes))
	}
	if c.MapBytes > 0 {
		text += fmt.Sprintf(", maps %.1f MiB, programs %.3f %% of a CPU at %.0f switches/s", mib(c.MapBytes), c.Charged*100, c.SwitchesPerSecond)
	}
	return text + "\n"
}

func mib(bytes int64) float64 { return float64(bytes) / (1 << 20) }
