package stamp

import (
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestSlicesCutIntervalsAtTheirEdges(t *testing.T) {
	truth := Truth{Intervals: []Interval{
		{Thread: 0, StartNs: 5, EndNs: 25},  // 5 in the first slice, 10 in the second, 5 in the third
		{Thread: 1, StartNs: 12, EndNs: 14}, // beside it
		{Thread: 1, StartNs: 28, EndNs: 99}, // 2, the rest lies behind the last slice
	}}
	require.Equal(t, []int64{5, 12, 7}, truth.Slices(0, 10, 3))
	require.Equal(t, []int64{12, 7}, truth.Slices(10, 10, 2))
	require.Equal(t, int64(20+2+71), truth.TotalNs())
}

func TestTheKernelsWorkNeverReachesIntoTheNextInterval(t *testing.T) {
	truth := Truth{Intervals: []Interval{
		{Thread: 0, StartNs: 0, EndNs: 100, End: Switched},
		{Thread: 0, StartNs: 103, EndNs: 200, End: Stolen},
		{Thread: 0, StartNs: 300, EndNs: 400, End: Slept},
		{Thread: 1, StartNs: 401, EndNs: 500, End: Slept},
	}}.With(Edges{SleptNs: 7, SwitchedNs: 20})
	ends := []int64{}
	for _, i := range truth.Intervals {
		ends = append(ends, i.EndNs)
	}
	require.Equal(t, []int64{103, 200, 407, 507}, ends)
}

func TestHandoversCountOnlyBetweenTwoThreadsOfOneCpu(t *testing.T) {
	var truth Truth
	for k := range int64(40) {
		at := k * 1_000_000
		truth.Intervals = append(truth.Intervals,
			Interval{Thread: 0, StartNs: at, EndNs: at + 400_000, End: Switched},
			Interval{Thread: 1, StartNs: at + 418_000, EndNs: at + 990_000, End: Slept},
			// Another CPU at the same time must not be taken for a hand-over.
			Interval{Thread: 2, Cpu: 1, StartNs: at + 401_000, EndNs: at + 402_000, End: Slept})
	}
	edges, err := truth.handovers()
	require.NoError(t, err)
	require.Equal(t, Edges{SleptNs: 10_000, SwitchedNs: 18_000, Sleeps: 39, Switches: 40}, edges)
	truth.Intervals = truth.Intervals[:20]
	_, err = truth.handovers()
	require.ErrorContains(t, err, "too few")
}

func TestParseReadsWhatTheProgramWrites(t *testing.T) {
	truth, err := parse(strings.NewReader("thread,cpu,start_ns,end_ns,end\n0,1,10,20,1\n# gaps,0,1,2,3,4,5,6,7\n# gaps,1,0,2,3,4,5,6,7\n"))
	require.NoError(t, err)
	require.Equal(t, []Interval{{Thread: 0, Cpu: 1, StartNs: 10, EndNs: 20, End: Switched}}, truth.Intervals)
	require.Equal(t, Gaps{Switches: 4, SwitchedNs: 6, Stolen: 8, StolenNs: 10, Interrupts: 12, InterruptNs: 14}, truth.Gaps)
	_, err = parse(strings.NewReader("0,1,10\n"))
	require.Error(t, err)
}

// TestStampsAndGapsFillTheWall runs the real program: what a thread that never sleeps stamped, and
// the gaps it saw, are together the whole time between its first and its last stamp.
func TestStampsAndGapsFillTheWall(t *testing.T) {
	if _, err := exec.LookPath("gcc"); err != nil || testing.Short() {
		t.Skip("needs gcc and a second of real time")
	}
	program, err := Build(t.TempDir())
	require.NoError(t, err)
	spinner, err := Start(program, Load{Threads: 1, BusyMin: Forever, BusyMax: Forever}, time.Second, nil)
	require.NoError(t, err)
	start := Now() + 20_000_000
	require.NoError(t, spinner.Begin(start, start+400_000_000))
	require.NoError(t, spinner.Wait())
	truth, err := spinner.Truth()
	require.NoError(t, err)
	last := truth.Intervals[len(truth.Intervals)-1].EndNs
	wall := last - truth.Intervals[0].StartNs
	require.Equal(t, wall, truth.TotalNs()+truth.Gaps.SwitchedNs+truth.Gaps.StolenNs)
	require.GreaterOrEqual(t, last, start+400_000_000)
	require.Less(t, truth.Gaps.InterruptNs, wall/2)
}
