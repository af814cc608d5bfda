// Package protection decides what the agent does without, so that its whole cost stays inside a
// budget. It is pure: a state and a measured cost in, the next state out.
package protection

import "fmt"

// Step is what the agent does without. Each step includes the ones below it.
type Step int32

// The steps in the order in which they are taken. What costs the reader least goes first.
const (
	Full         Step = iota // nothing
	Lean                     // optional features: exemplars, runs of throttled periods, thread names
	HalfRate                 // every second sample: slices of 20 ms
	FewerCgroups             // and some cgroups
)

// String names the step as log lines do.
func (s Step) String() string {
	switch s {
	case Full:
		return "everything"
	case Lean:
		return "optional features off"
	case HalfRate:
		return "sampling every 20 ms"
	case FewerCgroups:
		return "fewer cgroups"
	}
	return fmt.Sprintf("step %d", int32(s))
}

// Budget bounds the agent's whole cost. A bound of 0 is none.
type Budget struct {
	// CPUMillis is CPU time per wall time in thousandths of one CPU: 15 is 1.5 % of one CPU.
	CPUMillis int64
	// MemoryBytes bounds resident memory and map memory together.
	MemoryBytes int64
}

// Cost is what the agent cost since it was last asked.
type Cost struct {
	// CPUUs is the agent's own CPU time and the run time of its BPF programs, which the kernel charges
	// to whoever switches, microseconds.
	CPUUs int64
	// WallUs is the time in which that was spent; at 0 the processor is not judged.
	WallUs int64
	// MemoryBytes is resident memory and map memory.
	MemoryBytes int64
}

// everyPermille is all cgroups.
const everyPermille = 1000

// Marks are in thousandths of the budget. A step down is taken before the budget is passed, a step
// back only where the cost expected after it stays below that: sampling twice as often at most
// doubles the processor's cost, and half as many cgroups more is the most that returns at a time. A tenth
// of the cgroups is kept whatever it costs: nine tenths of what they cost are saved then, so the rest is
// the price of something else, such as finding cgroups that come and go, which blindness does not lower.
const (
	highPermille         = 900
	lowFullPermille      = 700
	lowRatePermille      = 400
	lowCgroupsPermille   = 550
	lowMemoryPermille    = 750
	shedPermille         = 700
	leastKeepPermille    = 100
	returnPermille       = 1500
	confirmWindows       = 2
	firstHoldWindows     = 6
	longestHoldWindows   = 360
	relapseWithinWindows = 60
)

// State is where the decision stands. The zero value does everything and has seen nothing.
type State struct {
	Step Step
	// Reason says why Step is not Full; empty while it is.
	Reason string

	// shed is how many thousandths of the cgroups are left out.
	shed int64
	// since counts windows since the last change, over and under those in a row beyond a mark.
	since, over, under int64
	// hold is how many windows below the mark a recovery needs; 0 stands for the first hold.
	hold int64
	// recovered tells that the last change was a recovery.
	recovered bool
}

// KeepPermille is how many thousandths of the cgroups are measured: a tenth at least.
func (s State) KeepPermille() int64 { return everyPermille - s.shed }

// Hold is how many windows below the mark must pass before the next recovery.
func (s State) Hold() int64 { return max(s.hold, firstHoldWindows) }

// Decide takes the cost of one window and returns the state for the next. One call changes the
// state by at most one step. A higher cost never leads to a lower step.
func Decide(s State, budget Budget, cost Cost) State {
	cpu, memory := permilles(budget, cost)
	s.since++
	if s.since >= longestHoldWindows && s.Step == Full {
		s.hold = 0
	}
	switch {
	case s.since == 1 && (s.Step != Full || s.recovered):
		// The window in which a change was made tells nothing about its effect.
		s.over, s.under = 0, 0
		return s
	case cpu > highPermille || memory > highPermille:
		s.over, s.under = s.over+1, 0
		if s.over >= confirmWindows {
			return s.degrade(sentence(budget, cost, cpu >= memory))
		}
	case s.Step != Full && cpu < s.lowPermille() && memory < lowMemoryPermille:
		s.over, s.under = 0, s.under+1
		if s.under >= s.Hold() {
			return s.recover(sentence(budget, cost, true))
		}
	default:
		s.over, s.under = 0, 0
	}
	return s
}

// permilles returns the cost in thousandths of the budget.
func permilles(budget Budget, cost Cost) (cpu, memory int64) {
	if budget.CPUMillis > 0 && cost.WallUs > 0 {
		cpu = cost.CPUUs * 1_000_000 / (cost.WallUs * budget.CPUMillis)
	}
	if budget.MemoryBytes > 0 {
		memory = cost.MemoryBytes * 1000 / budget.MemoryBytes
	}
	return cpu, memory
}

// lowPermille is the processor's cost below which one step back is expected to fit.
func (s State) lowPermille() int64 {
	switch s.Step {
	case FewerCgroups:
		return lowCgroupsPermille
	case HalfRate:
		return lowRatePermille
	case Full, Lean:
	}
	return lowFullPermille
}

func (s State) degrade(reason string) State {
	if s.recovered && s.since <= relapseWithinWindows {
		// The recovery was too early: wait twice as long before the next.
		s.hold = min(2*s.Hold(), longestHoldWindows)
	}
	s.Step = min(s.Step+1, FewerCgroups)
	if s.Step == FewerCgroups {
		s.shed = everyPermille - max(s.KeepPermille()*shedPermille/1000, leastKeepPermille)
	}
	return s.changed(reason, false)
}

func (s State) recover(reason string) State {
	if s.Step == FewerCgroups {
		if keep := s.KeepPermille()*returnPermille/1000 + 1; keep < everyPermille {
			s.shed = everyPermille - keep
			return s.changed(reason, true)
		}
		s.shed = 0
	}
	s.Step--
	if s.Step == Full {
		reason = ""
	}
	return s.changed(reason, true)
}

func (s State) changed(reason string, recovered bool) State {
	s.Reason, s.recovered = reason, recovered
	s.since, s.over, s.under = 0, 0, 0
	return s
}

// sentence states the cost against the budget.
func sentence(budget Budget, cost Cost, ofCPU bool) string {
	if ofCPU && budget.CPUMillis > 0 && cost.WallUs > 0 {
		return fmt.Sprintf("%.2f %% of one CPU used, budget %.2f %%",
			float64(cost.CPUUs)*100/float64(cost.WallUs), float64(budget.CPUMillis)/10)
	}
	return fmt.Sprintf("%.1f MiB used, budget %.1f MiB",
		float64(cost.MemoryBytes)/(1<<20), float64(budget.MemoryBytes)/(1<<20))
}
