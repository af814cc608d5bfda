package stamp

import (
	"bufio"
	"fmt"
	"io"
	"strings"
)

// End is how an interval ended.
type End int

const (
	// Slept means that the thread went to sleep.
	Slept End = iota
	// Switched means that something else got the CPU, or that the quota was spent.
	Switched
	// Stolen means a long gap without a switch: the hypervisor ran somebody else.
	Stolen
)

// Interval is a stretch of time that a thread spent on a CPU, in nanoseconds of CLOCK_MONOTONIC.
type Interval struct {
	Thread, Cpu    int
	StartNs, EndNs int64
	End            End
}

// Gaps counts what lay between stamps of all threads. Interrupts are part of the intervals.
type Gaps struct {
	Switches, SwitchedNs, Stolen, StolenNs, Interrupts, InterruptNs int64
	// Rseq is false where the kernel or C library has no restartable sequences; then a switch shorter
	// than a long gap passes for an interrupt.
	Rseq bool
}

// Truth is what the threads of one run stamped, in order of time for each thread.
type Truth struct {
	Intervals []Interval
	Gaps      Gaps
}

// parse reads the program's file:
//
//	thread,cpu,start_ns,end_ns,end
//	0,1,874115273641,874119281234,0
//	# gaps,0,1,129,11241009,0,0,3053,55751193
func parse(file io.Reader) (Truth, error) {
	truth := Truth{Gaps: Gaps{Rseq: true}}
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		text := lines.Text()
		switch {
		case strings.HasPrefix(text, "thread,"):
		case strings.HasPrefix(text, "# gaps,"):
			var thread, rseq int
			var g Gaps
			_, err := fmt.Sscanf(text, "# gaps,%d,%d,%d,%d,%d,%d,%d,%d", &thread, &rseq, &g.Switches, &g.SwitchedNs,
				&g.Stolen, &g.StolenNs, &g.Interrupts, &g.InterruptNs)
			if err != nil {
				return Truth{}, fmt.Errorf("stamps: %q: %w", text, err)
			}
			g.Rseq = rseq == 1
			truth.Gaps = truth.Gaps.plus(g)
		default:
			var i Interval
			if _, err := fmt.Sscanf(text, "%d,%d,%d,%d,%d", &i.Thread, &i.Cpu, &i.StartNs, &i.EndNs, &i.End); err != nil {
				return Truth{}, fmt.Errorf("stamps: %q: %w", text, err)
			}
			truth.Intervals = append(truth.Intervals, i)
		}
	}
	return truth, lines.Err()
}

func (g Gaps) plus(o Gaps) Gaps {
	return Gaps{g.Switches + o.Switches, g.SwitchedNs + o.SwitchedNs, g.Stolen + o.Stolen, g.StolenNs + o.StolenNs,
		g.Interrupts + o.Interrupts, g.InterruptNs + o.InterruptNs, g.Rseq && o.Rseq}
}

// With returns the truth with the kernel's unseen work added to the end of every interval, never past
// the thread's next one.
func (t Truth) With(edges Edges) Truth {
	longer := Truth{Intervals: make([]Interval, len(t.Intervals)), Gaps: t.Gaps}
	for k, i := range t.Intervals {
		switch i.End {
		case Slept:
			i.EndNs += edges.SleptNs
		case Switched:
			i.EndNs += edges.SwitchedNs
		case Stolen:
		}
		if k+1 < len(t.Intervals) && t.Intervals[k+1].Thread == i.Thread {
			i.EndNs = min(i.EndNs, t.Intervals[k+1].StartNs)
		}
		longer.Intervals[k] = i
	}
	return longer
}

// TotalNs is the CPU time of all threads.
func (t Truth) TotalNs() int64 {
	var total int64
	for _, i := range t.Intervals {
		total += i.EndNs - i.StartNs
	}
	return total
}

// Slices returns the CPU time, in nanoseconds, of all threads in each of count slices of lengthNs, of
// which the first begins at firstNs. Time outside of them is left out.
func (t Truth) Slices(firstNs, lengthNs int64, count int) []int64 {
	slices := make([]int64, count)
	lastNs := firstNs + int64(count)*lengthNs
	for _, i := range t.Intervals {
		from, to := max(i.StartNs, firstNs), min(i.EndNs, lastNs)
		for from < to {
			k := (from - firstNs) / lengthNs
			edge := min(to, firstNs+(k+1)*lengthNs)
			slices[k] += edge - from
			from = edge
		}
	}
	return slices
}
