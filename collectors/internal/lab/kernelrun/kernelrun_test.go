package kernelrun

import (
	"bufio"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

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
	plan := Plan{Name: "two", Shards: 1, QuotaUs: 20_000, PeriodUs: 100_000, Threads: 2, HorizonUs: 1_000_000,
		Requests: []Request{{ArrivesUs: 5, TaskUs: []int64{100, 200}}, {ArrivesUs: 9, TaskUs: []int64{300}}}}
	recording := Recording{Plan: plan, Accounts: []Account{{UsageUs: 500}}, KernelRelease: "6.1"}
	// The second request's task never began: its plan stands in.
	require.NoError(t, recording.read(plan, bufio.NewReader(strings.NewReader("-1\n301000\n6 0 400 101400 199600\n9 1 -1 0\n"))))
	require.Equal(t, [][]int64{{6, 400, 0, 101, 200}, {9, -1, 1, 300}}, recording.Rows)
	require.EqualValues(t, 500-301, recording.Accounts[0].OverheadUs)
	var text strings.Builder
	_, err := recording.WriteTo(&text)
	require.NoError(t, err)
	require.Contains(t, text.String(), "run name=two shard=0 shards=1 kernel_release=6.1 ")
	require.Contains(t, text.String(), "\n6 400 0 101 200\n9 -1 1 300\n")
}

func TestAShortAccountIsAnError(t *testing.T) {
	plan := Plan{Requests: []Request{{TaskUs: []int64{100}}}}
	for _, account := range []string{"", "-1\n", "-1\n5\n1 2\n", "-1\n5\n1 0 x 5\n", "-1 -1\n5 5\n1 0 5 5\n", "-1\n5 5\n1 0 5 5\n"} {
		require.Error(t, (&Recording{Accounts: make([]Account, 1)}).read(plan, bufio.NewReader(strings.NewReader(account))))
	}
}

// TestTheServerDoesItsWork runs the C program without a cgroup: every request must be answered, its
// tasks must cost about what they were planned for, and nobody may give up.
func TestTheServerDoesItsWork(t *testing.T) {
	if _, err := exec.LookPath("gcc"); err != nil {
		t.Skip("no gcc to compile the server with")
	}
	runner := Runner{program: compiled(t), stepsPerMs: 100_000, host: Recording{Cpus: 2}}
	plan := Plan{QuotaUs: periodUs, PeriodUs: periodUs, Threads: 3, Shards: 1, TimeoutUs: NobodyLeaves, HorizonUs: 400_000,
		Requests: []Request{{ArrivesUs: 1_000, TaskUs: []int64{500, 500, 500, 500}}, {ArrivesUs: 20_000, TaskUs: []int64{700}}}}
	server := exec.Command(runner.program)
	server.Stdin = strings.NewReader(runner.orders(plan) + "go\ntell\n")
	out, err := server.Output()
	require.NoError(t, err)
	text := strings.TrimPrefix(string(out), "ready\nover\n")
	recording := Recording{Plan: plan, Accounts: make([]Account, 1)}
	require.NoError(t, recording.read(plan, bufio.NewReader(strings.NewReader(text))))
	for _, row := range recording.Rows {
		require.Greater(t, row[1], row[0], "answered after it was sent")
		require.Zero(t, row[2], "nobody gave up")
	}
	require.Len(t, recording.Rows[0], 3+4)
	require.Greater(t, recording.Rows[0][3], int64(10))
}

// TestDearWorkIsBurntAndSaid has one task at a time at twice its price: a task's work is said to be half of the CPU time
// that it took.
func TestDearWorkIsBurntAndSaid(t *testing.T) {
	if _, err := exec.LookPath("gcc"); err != nil {
		t.Skip("no gcc to compile the server with")
	}
	runner := Runner{program: compiled(t), stepsPerMs: 100_000, host: Recording{Cpus: 2}}
	plan := Plan{QuotaUs: 50_000, PeriodUs: 100_000, Kappa: 1, Threads: 1, Shards: 1, TimeoutUs: NobodyLeaves, HorizonUs: 400_000,
		Requests: []Request{{ArrivesUs: 1_000, TaskUs: []int64{2_000, 3_050}}}}
	server := exec.Command(runner.program)
	server.Stdin = strings.NewReader(runner.orders(plan) + "go\ntell\n")
	out, err := server.Output()
	require.NoError(t, err)
	recording := Recording{Plan: plan, Accounts: make([]Account, 1)}
	require.NoError(t, recording.read(plan, bufio.NewReader(strings.NewReader(strings.TrimPrefix(string(out), "ready\nover\n")))))
	insideUs := -recording.Accounts[0].OverheadUs
	require.Greater(t, insideUs, int64(100))
	require.InDelta(t, insideUs, 2*(recording.Rows[0][3]+recording.Rows[0][4]), 4)
}

// TestClientsLeaveADeadShard overloads one of three shards so far that half of its requests fail in every
// second; with no cgroup, work that never ends in time stands in for a throttled shard.
func TestClientsLeaveADeadShard(t *testing.T) {
	if _, err := exec.LookPath("gcc"); err != nil {
		t.Skip("no gcc to compile the server with")
	}
	runner := Runner{program: compiled(t), stepsPerMs: 100_000, host: Recording{Cpus: 2}}
	plan := Plan{QuotaUs: periodUs, PeriodUs: periodUs, Threads: 1, Shards: 3, TimeoutUs: 150_000, Retries: 1, HorizonUs: 3_400_000}
	for at := int64(1_000); at < 3_300_000; at += 20_000 {
		plan.Requests = append(plan.Requests, Request{ArrivesUs: at, Home: int(at/20_000) % 3, TaskUs: []int64{50}})
	}
	// What holds shard 1 for the first seconds is one request of two seconds of work at its door.
	plan.Requests[0] = Request{ArrivesUs: 1_000, Home: 1, TaskUs: []int64{30_000_000}}
	server := exec.Command(runner.program)
	server.Stdin = strings.NewReader(runner.orders(plan) + "go\ntell\n")
	out, err := server.Output()
	require.NoError(t, err)
	recording := Recording{Plan: plan, Accounts: make([]Account, 3)}
	require.NoError(t, recording.read(plan, bufio.NewReader(strings.NewReader(strings.TrimPrefix(string(out), "ready\nover\n")))))
	require.EqualValues(t, -1, recording.Accounts[0].LeftUs)
	require.Greater(t, recording.Accounts[1].LeftUs, int64(900_000), "nobody is judged before a second is over")
	require.EqualValues(t, -1, recording.Accounts[2].LeftUs)
	for number, row := range recording.Rows {
		if row[0] > recording.Accounts[1].LeftUs+10_000 {
			require.NotEqualValues(t, -1, row[1], "request %d was meant for a shard that clients had left", number)
		}
	}
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

func TestASearchHalvesTheIntervalAndWatchesBelow(t *testing.T) {
	for _, service := range DrivenServices(1) {
		const edge = 0.52
		tries := service.span().tries
		var tried []float64
		require.NoError(t, service.Search(func(plan Plan, sampled bool) (bool, error) {
			require.Equal(t, len(tried) == tries, sampled)
			tried = append(tried, plan.Utilization)
			return plan.Utilization > edge, nil
		}))
		require.Len(t, tried, tries+1)
		require.InEpsilon(t, watchedAt*edge, tried[tries], 0.035, "half of the last interval of 7 %%")
	}
}

// TestWorkIsAsDearAsTheSimulatorHasIt pins the law at the values of CpuCost's own tests, by hand: a quota of 0.5
// cores is outrun by 1.5 cores, three times itself, when two CPUs run.
func TestWorkIsAsDearAsTheSimulatorHasIt(t *testing.T) {
	plan := Plan{QuotaUs: 50_000, PeriodUs: 100_000, Kappa: 0.3}
	require.InDelta(t, 1, plan.Price(0), 1e-12)
	require.InDelta(t, 1+0.3*1, plan.Price(1), 1e-12)
	require.InDelta(t, 1+0.3*3, plan.Price(2), 1e-12)
	plan.QuotaUs = 200_000
	require.InDelta(t, 1, plan.Price(2), 1e-12)
	plan.Kappa, plan.QuotaUs = 0, 50_000
	require.InDelta(t, 1, plan.Price(2), 1e-12)
}

func TestEveryPartFitsItsTime(t *testing.T) {
	var us int64
	for number, plan := range Services(1) {
		us += plan.HorizonUs
		if number%3 == 0 {
			us += plan.HorizonUs
		}
	}
	for _, service := range Changes(1) {
		us += int64(1+len(service.Changed)) * service.Observed.HorizonUs
		require.LessOrEqual(t, float64(service.Observed.QuotaUs), 1.5*float64(service.Observed.PeriodUs))
	}
	for _, service := range DrivenServices(1) {
		us += service.SearchUs()
		plan := service.At(0.5, triedUs)
		require.Less(t, float64(plan.Shards)*float64(plan.QuotaUs)/float64(plan.PeriodUs), 1.5, "%s must fit two CPUs", service.Name)
	}
	require.GreaterOrEqual(t, len(Changes(1)), 12)
	require.LessOrEqual(t, us, int64(33*60*1_000_000))
}

func TestWhatOthersTookOfTheMachine(t *testing.T) {
	start := time.Unix(0, 0)
	before, err := parseMachine("cpu  100 0 50 1000 10 0 5 2 0 0\ncpu0 1\n", 2, start)
	require.NoError(t, err)
	after, err := parseMachine("cpu  900 0 150 1900 30 0 5 102 0 0\ncpu0 1\n", 2, start.Add(10*time.Second))
	require.NoError(t, err)
	// Of 20 s of two CPUs 9.2 were idle and 5 the service's: 5.8 are left.
	cores, stolen := after.others(before, 5_000_000)
	require.InDelta(t, 0.58, cores, 1e-9)
	require.InDelta(t, 0.1, stolen, 1e-9)
	require.True(t, Recording{OtherCores: cores}.Disturbed())
	_, err = parseMachine("cpu0 1 2 3\n", 2, start)
	require.Error(t, err)
}
