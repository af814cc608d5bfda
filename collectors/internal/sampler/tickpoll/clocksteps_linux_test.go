package tickpoll

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/quotascope/quotascope/collectors/internal/cgroupfs"
	"github.com/quotascope/quotascope/collectors/internal/identity"
	"github.com/quotascope/quotascope/collectors/internal/sampler"
	"github.com/quotascope/quotascope/collectors/internal/sampler/discovery"
	"github.com/quotascope/quotascope/collectors/internal/usagewindow"
	"github.com/stretchr/testify/require"
)

// fakeClock is a time that passes only while the loop sleeps. What happens at an instant of the
// monotonic clock is done when it is reached.
type fakeClock struct {
	wallNs, monoNs, suspendedNs int64
	happens                     map[int64]func(*fakeClock)
	stop                        context.CancelFunc
	stopAt                      int64
	// heldNs is how much later than asked the thread wakes.
	heldNs int64
	// usage is a file that grows by one core's time.
	usage *os.File
}

func (c *fakeClock) now() (wallNs, monoNs int64) { return c.wallNs, c.monoNs }
func (c *fakeClock) mono() int64                 { return c.monoNs }

func (c *fakeClock) sleepUntil(monoNs int64) {
	for second := c.monoNs/1e9 + 1; second*1e9 <= monoNs; second++ {
		if what := c.happens[second]; what != nil {
			delete(c.happens, second)
			c.pass(second*1e9 - c.monoNs)
			what(c)
		}
	}
	c.pass(max(monoNs-c.monoNs, 0) + c.heldNs)
	if c.monoNs >= c.stopAt {
		c.stop()
	}
}

func (c *fakeClock) pass(ns int64) {
	c.monoNs, c.wallNs = c.monoNs+ns, c.wallNs+ns
	_, _ = c.usage.WriteAt(strconv.AppendInt(nil, c.monoNs, 10), 0) // a failure shows in the sums
}

func (c *fakeClock) seeTick(int64) (int64, bool) { return c.monoNs, true }

func (c *fakeClock) asleep() time.Duration {
	slept := time.Duration(c.suspendedNs)
	c.suspendedNs = 0
	return slept
}

// begin is a multiple of the window, nanoseconds since the Unix epoch.
const begin = int64(1_795_177_100_000_000_000)

// runWith samples one cgroup that uses one core, to half a second before an instant, while things happen.
func runWith(t *testing.T, seconds int64, happens map[int64]func(*fakeClock)) (hosts []*usagewindow.HostWindow, windows []*usagewindow.Window) {
	return runHeld(t, seconds, 0, happens)
}

// runHeld is runWith where the thread wakes that much too late each time, with a newborn cgroup.
func runHeld(t *testing.T, seconds, heldNs int64, happens map[int64]func(*fakeClock)) (hosts []*usagewindow.HostWindow, windows []*usagewindow.Window) {
	return runTo(t, seconds*1e9-5e8, heldNs, heldNs > 0, happens)
}

// runTo stops at an instant of the monotonic clock.
func runTo(t *testing.T, stopAt, heldNs int64, born bool, happens map[int64]func(*fakeClock)) (hosts []*usagewindow.HostWindow, windows []*usagewindow.Window) {
	tree := t.TempDir()
	for _, file := range []string{"cpu.stat", "a/cpu.stat", "cpuacct.usage", "a/cpuacct.usage"} {
		require.NoError(t, os.MkdirAll(filepath.Dir(tree+"/"+file), 0o755))
		require.NoError(t, os.WriteFile(tree+"/"+file, []byte("nr_periods 0\nnr_throttled 0\nthrottled_time 0\n"), 0o644))
	}
	require.NoError(t, os.WriteFile(tree+"/cpuacct.usage", []byte("0"), 0o644))
	ctx, cancel := context.WithCancel(t.Context())
	usage, err := os.OpenFile(tree+"/a/cpuacct.usage", os.O_WRONLY|os.O_TRUNC, 0)
	require.NoError(t, err)
	defer usage.Close()
	clock := &fakeClock{wallNs: begin + 1, monoNs: 1, happens: happens, stop: cancel, stopAt: stopAt, heldNs: heldNs, usage: usage}
	clock.pass(0)
	trees := cgroupfs.Trees{CPU: tree, Usage: tree}
	cuts := make(chan sampler.Batch, 1000)
	recorder := sampler.NewRecorder(sampler.Agent{HostID: "h", EpochUs: 1, Method: usagewindow.MethodTickPoll}, func(b sampler.Batch) {
		hosts = append(hosts, b.Host)
		windows = append(windows, b.Windows...)
	})
	l := newLoop(clock, recorder, testLog{t}, nil, cuts)
	l.openRoot(Options{Trees: trees, Log: testLog{t}})
	require.NotNil(t, l.root)
	files, err := discovery.OpenFiles(trees, "/a")
	require.NoError(t, err)
	l.take(discovery.Event{
		Kind: discovery.Found, Cgroup: &discovery.Cgroup{Files: files},
		Found: &sampler.Found{Path: "/a", Inode: 1, Shard: identity.Shard{Service: "s", Name: "a"}, Born: born, AtUs: begin/1000 + 1},
	})
	l.run(ctx)
	close(cuts)
	for batch := range cuts {
		recorder.Finish(batch, sampler.HostReading{})
	}
	return hosts, windows
}

// requireSound states what holds whatever the clock does: windows are aligned to 10 s of UTC and none
// comes twice, numbers have no holes, a window has at most 1000 slots, and no slice or sum claims more
// than the one core there is.
func requireSound(t *testing.T, hosts []*usagewindow.HostWindow, windows []*usagewindow.Window) {
	last := int64(0)
	for i, w := range windows {
		require.Equal(t, int64(i), w.Seq)
		require.Zero(t, w.WindowStartUs%usagewindow.WindowUs)
		require.Greater(t, w.WindowStartUs, last)
		require.Equal(t, w.WindowStartUs, hosts[i].WindowStartUs)
		require.LessOrEqual(t, w.Samples+w.MissedSamples, int32(1000))
		require.InDelta(t, float64(w.Samples)*10_000, float64(w.SampledUsageUs), 20_000, "one core, all the time")
		require.LessOrEqual(t, w.UsageUs, usagewindow.WindowUs+20_000, "window %d", i)
		last = w.WindowStartUs
	}
}

func steps(hosts []*usagewindow.HostWindow) (all int32) {
	for _, h := range hosts {
		all += h.ClockSteps
	}
	return all
}

func TestAQuietClockGivesWholeWindows(t *testing.T) {
	hosts, windows := runWith(t, 30, nil)
	requireSound(t, hosts, windows)
	require.Len(t, windows, 3)
	require.Equal(t, int32(1000), windows[1].Samples)
	require.Zero(t, steps(hosts))
}

func TestTheWallClockIsSetForwardAnHour(t *testing.T) {
	hosts, windows := runWith(t, 30, map[int64]func(*fakeClock){14: func(c *fakeClock) { c.wallNs += 3600e9 }})
	requireSound(t, hosts, windows)
	require.Equal(t, int32(1), steps(hosts))
	require.Equal(t, windows[1].WindowStartUs+3600e6, windows[2].WindowStartUs)
	require.Equal(t, int32(600), windows[1].MissedSamples)
	require.InDelta(t, 6_000_000, windows[2].UsageUs, 30_000, "what was used before the step is not carried an hour on")
}

func TestTheWallClockIsSetBackWithinTheWindow(t *testing.T) {
	hosts, windows := runWith(t, 40, map[int64]func(*fakeClock){15: func(c *fakeClock) { c.wallNs -= 3e9 }})
	requireSound(t, hosts, windows)
	require.Equal(t, int32(1), steps(hosts))
	require.Len(t, windows, 4)
	require.InDelta(t, 999, windows[1].Samples, 2, "the repeated seconds fill no second place")
	require.InDelta(t, 10_000_000, windows[1].UsageUs, 150_000)
}

func TestTheWallClockIsSetBackOverWindowsThatWereSent(t *testing.T) {
	hosts, windows := runWith(t, 80, map[int64]func(*fakeClock){25: func(c *fakeClock) { c.wallNs -= 30e9 }})
	requireSound(t, hosts, windows)
	require.Equal(t, int32(1), steps(hosts))
	require.Len(t, windows, 5, "0, 10, 20 with a pause, 30, 40")
}

// TestAClockThatIsSetBackAndRightAgain is what a wrong time server does.
func TestAClockThatIsSetBackAndRightAgain(t *testing.T) {
	hosts, windows := runWith(t, 60, map[int64]func(*fakeClock){
		15: func(c *fakeClock) { c.wallNs -= 3600e9 },
		25: func(c *fakeClock) { c.wallNs += 3600e9 },
	})
	requireSound(t, hosts, windows)
	require.Equal(t, int32(2), steps(hosts))
	require.Len(t, windows, 6)
	require.InDelta(t, 500, windows[1].Samples, 2)
	require.InDelta(t, 500, windows[2].Samples, 15)
}

func TestTheHostIsSuspended(t *testing.T) {
	hosts, windows := runWith(t, 30, map[int64]func(*fakeClock){14: func(c *fakeClock) {
		c.wallNs, c.suspendedNs = c.wallNs+125e9, 125e9
	}})
	requireSound(t, hosts, windows)
	require.Equal(t, int32(1), steps(hosts))
	require.Equal(t, int64(1), (windows[2].WindowStartUs-windows[1].WindowStartUs)/120e6)
}

// TestTheAgentIsStopped is SIGSTOP, or a host that starves it: the wall clock goes on as well.
func TestTheAgentIsStopped(t *testing.T) {
	hosts, windows := runWith(t, 90, map[int64]func(*fakeClock){14: func(c *fakeClock) { c.pass(45e9) }})
	requireSound(t, hosts, windows)
	require.Zero(t, steps(hosts))
	require.Equal(t, windows[1].WindowStartUs+40e6, windows[2].WindowStartUs)
}

// TestAShardOfWhichEverySlotWasMissedIsNotLost lets the thread be held up at every slot: nothing can be sampled, but the counters
// are read when the agent stops.
func TestAShardOfWhichEverySlotWasMissedIsNotLost(t *testing.T) {
	hosts, windows := runHeld(t, 8, sampler.TooLateNs+1, nil)
	require.Len(t, hosts, 1)
	require.Len(t, windows, 1)
	require.Zero(t, windows[0].Samples)
	require.InDelta(t, 750, windows[0].MissedSamples, 2)
	require.InDelta(t, 7_500_000, windows[0].UsageUs, 20_000, "one core, all the time")
	require.Zero(t, windows[0].SampledUsageUs)
	require.Zero(t, steps(hosts))
}

// heldUp are readings of two clocks by a thread that a hypervisor holds up between them: before, wall, after.
type heldUp struct {
	readings [][3]int64
	next     int
}

func (h *heldUp) both() (beforeNs, wallNs, afterNs int64) {
	r := h.readings[min(h.next, len(h.readings)-1)]
	h.next++
	return r[0], r[1], r[2]
}

// TestAThreadHeldUpBetweenTwoClocksSeesNoStep feeds the schedule from such readings: the wall clock is always 5 s ahead.
func TestAThreadHeldUpBetweenTwoClocksSeesNoStep(t *testing.T) {
	const ms, ahead = int64(1_000_000), int64(5_000_000_000)
	clocks := &heldUp{readings: [][3]int64{
		{0, ahead, 100},                             // undisturbed
		{10 * ms, ahead + 10*ms, 16 * ms},           // held up for 6 ms after the wall clock was read
		{17 * ms, ahead + 17*ms, 17*ms + 100},       // so it is read again
		{20 * ms, ahead + 26*ms, 26 * ms},           // held up before
		{27 * ms, ahead + 29*ms, 30 * ms},           // and again, for less
		{31 * ms, ahead + 31*ms + 50, 31*ms + 1000}, // together
		{40 * ms, ahead + 47*ms, 47 * ms},           // held up whenever it is asked: the closest pair holds
	}}
	for range togetherTries - 2 {
		clocks.readings = append(clocks.readings, [3]int64{50 * ms, ahead + 58*ms, 58 * ms})
	}
	clocks.readings = append(clocks.readings, [3]int64{60 * ms, ahead + 64*ms, 64 * ms})
	schedule := sampler.NewSchedule(0)
	for i := range 4 {
		wallNs, monoNs := together(clocks)
		turn := schedule.Next(wallNs, monoNs, 1)
		require.Zero(t, turn.SteppedNs, "reading %d: wall %d, monotonic %d", i, wallNs, monoNs)
	}
	require.Equal(t, len(clocks.readings), clocks.next)

	clocks = &heldUp{readings: [][3]int64{{100 * ms, 20*ms + ahead + 100*ms, 100*ms + 50}}}
	wallNs, monoNs := together(clocks)
	require.NotZero(t, schedule.Next(wallNs, monoNs, 1).SteppedNs, "a step that is one is seen")
}

// TestStoppingAtAWindowsEndLosesNoFirstWindow: the first window of a newborn is held back until the next cut.
func TestStoppingAtAWindowsEndLosesNoFirstWindow(t *testing.T) {
	for _, stopAt := range []int64{10e9 - 15e6, 10e9 - 5e6, 10e9 - 1, 10e9 + 1, 10e9 + 5e6} {
		_, windows := runTo(t, stopAt, 0, true, nil)
		require.NotEmpty(t, windows, "stopped at %d ns", stopAt)
		require.Equal(t, begin/1000, windows[0].WindowStartUs)
		require.Greater(t, windows[0].Samples, int32(990))
	}
}
