package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/quotascope/quotascope/collectors/internal/lab/machine"
)

// Goals, as the issue of the collector states them.
const (
	goalUsageNs       = 150
	goalEverythingNs  = 350
	goalEbpf100       = 0.005
	goalEbpf1000      = 0.02
	goalPolling10     = 2.0
	goalPolling100    = 1.5
	goalMemoryMiB     = 40
	goalFleetMapMiB   = 64
	goalFlatRatio     = 0.05
	fleetCpus         = 88
	fleetSwitchesPerS = 1e6
)

type report struct {
	Machine     *machine.Machine `json:"machine"`
	Quick       bool             `json:"quick"`
	Variants    []string         `json:"variants"`
	Unavailable string           `json:"ebpf_unavailable,omitempty"`
	Switches    []switchCost     `json:"switches"`
	Agents      []agentCost      `json:"agents"`
	Threads     []threadsCost    `json:"threads"`
	Verdicts    []verdict        `json:"verdicts"`
}

// verdict is one goal with what was measured.
type verdict struct {
	What     string  `json:"what"`
	Measured float64 `json:"measured"`
	Goal     float64 `json:"goal"`
	Met      bool    `json:"met"`
}

func (r *report) judge(what string, measured, goal float64) {
	r.Verdicts = append(r.Verdicts, verdict{what, measured, goal, measured <= goal})
}

// verdicts judges what was measured; a measurement that was left out is not judged.
func (r *report) verdicts() {
	for _, s := range r.Switches {
		switch s.Variant {
		case usageOnly.name:
			r.judge("ns added to a switch, usage only", s.Switch.Added, goalUsageNs)
		case everything.name:
			r.judge("ns added to a switch, all features", s.Switch.Added, goalEverythingNs)
			r.judge(fmt.Sprintf("programs at %.0e switches/s on %d CPUs, %% of the machine (no goal but the budget)", fleetSwitchesPerS, fleetCpus),
				s.SwitchRunNs*fleetSwitchesPerS/1e9/fleetCpus*100, 100)
		}
	}
	for _, a := range r.Agents {
		switch {
		case a.Variant == polling.name:
			goal := goalPolling100
			if a.Cgroups == 10 {
				goal = goalPolling10
			}
			r.judge(fmt.Sprintf("polling %d cgroups, times the lower bound in C", a.Cgroups), a.Cpu/r.bound(a.Cgroups), goal)
		case a.Variant == everything.name && a.Cgroups == 100:
			r.judge("ebpf, 100 cgroups, % of a CPU", a.Cpu*100, goalEbpf100*100)
		case a.Variant == everything.name && a.Cgroups == 1000:
			r.judge("ebpf, 1,000 cgroups, % of a CPU", a.Cpu*100, goalEbpf1000*100)
			r.judge("ebpf, 1,000 cgroups, RSS + maps, MiB", mib(a.RssBytes+a.MapBytes), goalMemoryMiB)
			r.judge(fmt.Sprintf("all maps, extrapolated to %d CPUs at most, MiB", fleetCpus), mib(r.fleetMapBytes(a)), goalFleetMapMiB)
		}
	}
	if ratio, measured := r.flatness(everything.name); measured {
		r.judge(fmt.Sprintf("ebpf, cost with %d threads over that with %d, - 1", manyThreads, fewThreads), ratio, goalFlatRatio)
	}
}

func (r *report) bound(cgroups int) float64 {
	for _, a := range r.Agents {
		if a.Variant == lowerBound && a.Cgroups == cgroups {
			return a.Cpu
		}
	}
	return 0
}

// fleetMapBytes grows only what grows with the possible CPUs.
func (r *report) fleetMapBytes(a agentCost) int64 {
	return a.MapBytes - a.PerCPUMapBytes + a.PerCPUMapBytes*fleetCpus/int64(r.Machine.PossibleCpus)
}

// flatness compares the medians of the turns.
func (r *report) flatness(variant string) (ratio float64, measured bool) {
	turns := map[int][]float64{}
	for _, t := range r.Threads {
		if t.Variant == variant {
			turns[t.Threads] = append(turns[t.Threads], t.atRate(switchesPerWake*wakesPerSecond))
		}
	}
	if len(turns[fewThreads]) == 0 || len(turns[manyThreads]) == 0 {
		return 0, false
	}
	return median(turns[manyThreads])/median(turns[fewThreads]) - 1, true
}

func (v verdict) line() string {
	word := "MISSED"
	if v.Met {
		word = "met"
	}
	return fmt.Sprintf("%-6s %-80s %8.2f  goal %6.2f\n", word, v.What, v.Measured, v.Goal)
}

func (r *report) finish(folder string) error {
	r.verdicts()
	fmt.Println(r.Machine)
	missed := 0
	for _, v := range r.Verdicts {
		fmt.Print(v.line())
		if !v.Met {
			missed++
		}
	}
	if folder != "" {
		octets, err := json.MarshalIndent(r, "", "  ")
		if err != nil {
			return err
		}
		if err := errors.Join(os.MkdirAll(folder, 0o755),
			os.WriteFile(filepath.Join(folder, "overhead.json"), append(octets, '\n'), 0o644),
			os.WriteFile(filepath.Join(folder, "overhead.md"), []byte(r.markdown()), 0o644)); err != nil {
			return err
		}
	}
	if missed > 0 {
		return fmt.Errorf("%d goals missed", missed)
	}
	return nil
}

// markdown is the run as the journal takes it.
func (r *report) markdown() string {
	var text strings.Builder
	fmt.Fprintf(&text, "%s.\n\n| variant | ns a switch, added | noise | switch without, ns | switching victim slower by | computing victim slower by | "+
		"program ns a switch, by the kernel |\n|---|---|---|---|---|---|---|\n", r.Machine)
	for _, s := range r.Switches {
		fmt.Fprintf(&text, "| %s | %+.0f | %.0f | %.0f | %+.2f %% (noise %.2f) | %+.2f %% (noise %.2f) | %.0f |\n", s.Variant, s.Switch.Added,
			s.Switch.Noise, s.Switch.Without, s.Switch.Ratio()*100, s.Switch.NoiseRatio()*100, s.Computing.Ratio()*100,
			s.Computing.NoiseRatio()*100, s.SwitchRunNs)
	}
	text.WriteString("\n| what watches | cgroups | % of a CPU | programs, % of a CPU | RSS, MiB | maps, MiB |\n|---|---|---|---|---|---|\n")
	for _, a := range r.Agents {
		fmt.Fprintf(&text, "| %s | %d | %.3f | %.3f | %.1f | %.1f |\n", a.Variant, a.Cgroups, a.Cpu*100, a.Charged*100, mib(a.RssBytes), mib(a.MapBytes))
	}
	text.WriteString("\n| what watches | threads | switches/s | % of a CPU | programs, % of a CPU | program ns a switch |\n|---|---|---|---|---|---|\n")
	for _, t := range r.Threads {
		fmt.Fprintf(&text, "| %s | %d | %.0f | %.3f | %.3f | %.0f |\n", t.Variant, t.Threads, t.SwitchesPerSecond, t.Cpu*100, t.Charged*100, t.ProgramNs())
	}
	text.WriteString("\n| goal | measured | wanted at most | |\n|---|---|---|---|\n")
	for _, v := range r.Verdicts {
		fmt.Fprintf(&text, "| %s | %.2f | %.2f | %s |\n", v.What, v.Measured, v.Goal, map[bool]string{true: "met", false: "missed"}[v.Met])
	}
	return text.String()
}
