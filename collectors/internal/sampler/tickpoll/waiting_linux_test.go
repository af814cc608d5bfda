package tickpoll

import (
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestParkingWakesWhenAskedAndNotBefore also with an instant that has passed, which a timer would take
// for being switched off.
func TestParkingWakesWhenAskedAndNotBefore(t *testing.T) {
	p, err := newParking(newClock())
	require.NoError(t, err)
	defer p.close()
	for _, wait := range []time.Duration{3 * time.Millisecond, 700 * time.Microsecond, 0, -time.Second} {
		due := p.mono() + int64(wait)
		p.sleepUntil(due)
		require.GreaterOrEqual(t, p.mono(), due)
		require.Less(t, p.mono(), due+int64(2*time.Second), "a busy machine is late, a lost timer for ever")
	}
}

func TestParkingAllocatesNothing(t *testing.T) {
	p, err := newParking(newClock())
	require.NoError(t, err)
	defer p.close()
	require.Zero(t, testing.AllocsPerRun(50, func() { p.sleepUntil(p.mono() + 200_000) }))
}

// TestSlackIsGivenToTheOthersOnly because the sampling thread must stay punctual.
func TestSlackIsGivenToTheOthersOnly(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("the slack of other threads needs CAP_SYS_NICE")
	}
	done := make(chan struct{})
	defer close(done)
	go func() { <-done }()
	slackBefore := slackOf(t, "self")
	require.NoError(t, slackenOthers())
	tasks, err := os.ReadDir("/proc/self/task")
	require.NoError(t, err)
	slackened := 0
	for _, task := range tasks {
		switch slack := slackOf(t, task.Name()); slack {
		case monitorSlackNs:
			slackened++
		case slackBefore:
		default:
			require.Fail(t, "odd slack", "%s has %d ns", task.Name(), slack)
		}
		require.NoError(t, os.WriteFile("/proc/"+task.Name()+"/timerslack_ns", []byte(strconv.FormatInt(slackBefore, 10)), 0))
	}
	require.GreaterOrEqual(t, slackened, len(tasks)-2, "all but the calling thread, and one that may have been created meanwhile")
}

func slackOf(t *testing.T, task string) int64 {
	text, err := os.ReadFile("/proc/" + task + "/timerslack_ns")
	require.NoError(t, err)
	slack, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64)
	require.NoError(t, err)
	return slack
}
