package protection

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

const windowUs = 10_000_000

var budget = Budget{CPUMillis: 20, MemoryBytes: 64 << 20}

// costing is a cost in thousandths of the budget.
func costing(cpuPermille, memoryPermille int64) Cost {
	return Cost{
		CPUUs: cpuPermille * budget.CPUMillis * windowUs / 1_000_000, WallUs: windowUs,
		MemoryBytes: memoryPermille * budget.MemoryBytes / 1000,
	}
}

func after(s State, windows int, cost Cost) State {
	for range windows {
		s = Decide(s, budget, cost)
	}
	return s
}

// rank orders states by how much they do without.
func rank(s State) int64 { return int64(s.Step)*1000 + s.shed }

func TestTheStepsComeOneByOneAndSayWhy(t *testing.T) {
	s := after(State{}, 1, costing(2000, 100))
	require.Equal(t, Full, s.Step, "one window may be an accident")
	s = after(s, 1, costing(2000, 100))
	require.Equal(t, Lean, s.Step)
	require.Equal(t, "4.00 % of one CPU used, budget 2.00 %", s.Reason)
	s = after(s, 2, costing(2000, 100))
	require.Equal(t, Lean, s.Step, "the effect of a step must show before the next")
	s = after(s, 1, costing(2000, 100))
	require.Equal(t, HalfRate, s.Step)
	s = after(s, 3, costing(100, 950))
	require.Equal(t, FewerCgroups, s.Step)
	require.Equal(t, "60.8 MiB used, budget 64.0 MiB", s.Reason)
	require.Equal(t, int64(700), s.KeepPermille())
	s = after(s, 3, costing(100, 950))
	require.Equal(t, int64(490), s.KeepPermille())
	s = after(s, 300, costing(5000, 100))
	require.Equal(t, int64(100), s.KeepPermille(), "what is left over then is not the cgroups' cost")
}

func TestRecoveryGoesTheSameWayBack(t *testing.T) {
	s := after(State{}, 8, costing(2000, 100))
	require.Equal(t, FewerCgroups, s.Step)
	seen := []Step{}
	for range 40 {
		next := Decide(s, budget, costing(100, 100))
		if next.Step != s.Step {
			seen = append(seen, next.Step)
		}
		s = next
	}
	require.Equal(t, []Step{HalfRate, Lean, Full}, seen)
	require.Empty(t, s.Reason)
}

// TestARecoveryThatWasTooEarlyMakesTheNextWaitLonger: the cost here depends on the step, as a real one does.
// TestRecoveryNeedsNoMoreStepsThanTheDescent bounds how long it takes after the load is gone: a step back returns at least what
// a step down took, after the hold and the window in which it was made.
func TestRecoveryNeedsNoMoreStepsThanTheDescent(t *testing.T) {
	for overWindows := range 60 {
		s, downs := State{}, 0
		for range overWindows {
			next := Decide(s, budget, costing(2000, 100))
			if rank(next) > rank(s) {
				downs++
			}
			s = next
		}
		windows := 0
		for ; s.Step != Full; windows++ {
			s = Decide(s, budget, costing(1, 100))
		}
		require.LessOrEqual(t, windows, downs*(firstHoldWindows+1), "%d windows over the budget, %d steps down", overWindows, downs)
	}
}

func TestARecoveryThatWasTooEarlyMakesTheNextWaitLonger(t *testing.T) {
	s, changes := State{}, 0
	for range 2000 {
		cost := costing(1200, 100)
		if s.Step >= Lean {
			cost = costing(600, 100) // below the mark of Lean, although doing everything does not fit
		}
		next := Decide(s, budget, cost)
		if next.Step != s.Step {
			changes++
		}
		s = next
	}
	require.Equal(t, int64(longestHoldWindows), s.Hold())
	require.Less(t, changes, 24, "a wrong recovery must become rare")
}

func TestNoBudgetNeverDegrades(t *testing.T) {
	s := State{}
	for range 50 {
		s = Decide(s, Budget{}, costing(100_000, 100_000))
	}
	require.Equal(t, State{since: 50}, s)
}

func costs() *rapid.Generator[Cost] {
	return rapid.Custom(func(t *rapid.T) Cost {
		return costing(rapid.Int64Range(0, 3000).Draw(t, "cpu"), rapid.Int64Range(0, 1500).Draw(t, "memory"))
	})
}

// reached draws a state that some history of costs leads to.
func reached(t *rapid.T) State {
	s := State{}
	for _, cost := range rapid.SliceOfN(costs(), 0, 60).Draw(t, "history") {
		for range rapid.IntRange(1, 12).Draw(t, "repeats") {
			s = Decide(s, budget, cost)
		}
	}
	return s
}

func TestLawMoreCostNeverLeadsToDoingMore(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := reached(t)
		cheap := costs().Draw(t, "cheap")
		dear := cheap
		dear.CPUUs += rapid.Int64Range(0, 1_000_000).Draw(t, "more cpu")
		dear.MemoryBytes += rapid.Int64Range(0, 64<<20).Draw(t, "more memory")
		if rank(Decide(s, budget, dear)) < rank(Decide(s, budget, cheap)) {
			t.Fatalf("%+v: dearer leads to doing more", s)
		}
	})
}

func TestLawChangesAreNeverFasterThanTheHold(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, since, lastUp := State{}, 1000, false
		for range 400 {
			next := Decide(s, budget, costs().Draw(t, "cost"))
			since++
			if rank(next) != rank(s) {
				up := rank(next) < rank(s)
				if up && since < firstHoldWindows+1 || since < confirmWindows {
					t.Fatalf("changed after %d windows", since)
				}
				if lastUp && !up && since < confirmWindows+1 {
					t.Fatalf("a recovery was taken back after %d windows", since)
				}
				since, lastUp = 0, up
			}
			s = next
		}
	})
}

func TestLawAlwaysRecoversWhenTheCostFalls(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := reached(t)
		bound := 30 * int(longestHoldWindows+1) // 18 returns of cgroups, three steps, at the longest hold
		for range bound {
			s = Decide(s, budget, costing(rapid.Int64Range(0, lowRatePermille-1).Draw(t, "cpu"), 0))
			if s.Step == Full {
				return
			}
		}
		t.Fatalf("still at step %d", s.Step)
	})
}

func TestLawOneStepAtATimeAndAReasonWhileDegraded(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := reached(t)
		next := Decide(s, budget, costs().Draw(t, "cost"))
		if next.Step > s.Step+1 || next.Step < s.Step-1 || next.Step < Full || next.Step > FewerCgroups {
			t.Fatalf("from %d to %d", s.Step, next.Step)
		}
		if (next.Step == Full) != (next.Reason == "") || (next.Step != FewerCgroups && next.shed != 0) {
			t.Fatalf("%+v", next)
		}
		if next.KeepPermille() < 1 || next.KeepPermille() > 1000 {
			t.Fatalf("keeps %d", next.KeepPermille())
		}
	})
}
