package kernelrun

import (
	"bufio"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestServicesOfferWhatTheyArePlannedFor(t *testing.T) {
	names := map[string]bool{}
	for _, plan := range Services(1) {
		require.False(t, names[plan.Name], "%s twice", plan.Name)
		names[plan.Name] = true
		var workUs, last int64
		for _, request := range plan.Requests {
			require.GreaterOrEqual(t, request.ArrivesUs, last)
			require.Less(t, request.ArrivesUs, plan.HorizonUs)
			last = request.ArrivesUs
			for _, us := range request.TaskUs {
				workUs += us
			}
		}
		offered := float64(workUs) / float64(plan.HorizonUs) / (float64(plan.QuotaUs) / float64(plan.PeriodUs))
		// Twelve seconds of a small service are few requests: a third more or less is chance.
		require.InEpsilon(t, plan.Utilization, offered, 0.35, plan.Name)
	}
	require.GreaterOrEqual(t, len(names), 12)
	require.Equal(t, Services(1), Services(1))
	require.NotEqual(t, Services(1), Services(2))
}

func TestAnAccountIsReadAndWritten(t *testing.T) {
	plan := Plan{Name: "two", QuotaUs: 20_000, PeriodUs: 100_000, Threads: 2, HorizonUs: 1_000_000,
		Requests: []Request{{ArrivesUs: 5, TaskUs: []int64{100, 200}}, {ArrivesUs: 9, TaskUs: []int64{300}}}}
	recording := Recording{Plan: plan, UsageUs: 500, KernelRelease: "6.1"}
	// The second request's task never began: its plan stands in.
	require.NoError(t, recording.read(plan, bufio.NewReader(strings.NewReader("6 0 400 101400 199600\n9 1 -1 0\n"))))
	require.Equal(t, [][]int64{{6, 400, 0, 101, 200}, {9, -1, 1, 300}}, recording.Rows)
	require.EqualValues(t, 500-301, recording.OverheadUs)
	var text strings.Builder
	_, err := recording.WriteTo(&text)
	require.NoError(t, err)
	require.Contains(t, text.String(), "run name=two kernel_release=6.1 ")
	require.Contains(t, text.String(), "\n6 400 0 101 200\n9 -1 1 300\n")
}

func TestAShortAccountIsAnError(t *testing.T) {
	plan := Plan{Requests: []Request{{TaskUs: []int64{100}}}}
	for _, account := range []string{"", "1 2\n", "1 0 x 5\n"} {
		require.Error(t, (&Recording{}).read(plan, bufio.NewReader(strings.NewReader(account))))
	}
}

// TestTheServerDoesItsWork runs the C program without a cgroup: every request must be answered, its
// tasks must cost about what they were planned for, and nobody may give up.
func TestTheServerDoesItsWork(t *testing.T) {
	if _, err := exec.LookPath("gcc"); err != nil {
		t.Skip("no gcc to compile the server with")
	}
	runner := Runner{program: compiled(t), stepsPerMs: 100_000}
	plan := Plan{Threads: 3, TimeoutUs: NobodyLeaves, HorizonUs: 400_000,
		Requests: []Request{{ArrivesUs: 1_000, TaskUs: []int64{500, 500, 500, 500}}, {ArrivesUs: 20_000, TaskUs: []int64{700}}}}
	server := exec.Command(runner.program)
	server.Stdin = strings.NewReader(runner.orders(plan) + "go\ntell\n")
	out, err := server.Output()
	require.NoError(t, err)
	text := strings.TrimPrefix(string(out), "ready\nover\n")
	recording := Recording{Plan: plan}
	require.NoError(t, recording.read(plan, bufio.NewReader(strings.NewReader(text))))
	for _, row := range recording.Rows {
		require.Greater(t, row[1], row[0], "answered after it was sent")
		require.Zero(t, row[2], "nobody gave up")
	}
	require.Len(t, recording.Rows[0], 3+4)
	require.Greater(t, recording.Rows[0][3], int64(10))
}

func compiled(t *testing.T) string {
	folder := t.TempDir()
	program := folder + "/server"
	compile := exec.Command("gcc", "-O2", "-std=gnu11", "-pthread", "-x", "c", "-o", program, "-")
	compile.Stdin = strings.NewReader(string(source))
	compile.Stderr = os.Stderr
	require.NoError(t, compile.Run())
	return program
}
