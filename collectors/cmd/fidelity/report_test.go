package main

import (
	"testing"

	"github.com/quotascope/quotascope/collectors/internal/lab/machine"
	"github.com/stretchr/testify/require"
)

func reportOf(truthError float64, c comparison) *fidelityReport {
	return &fidelityReport{Machine: machine.Describe(), methods: []string{methodEbpf}, Results: []result{
		{Pattern: "bursts", UsedCores: 0.5, TruthError: truthError, Methods: map[string]comparison{methodEbpf: c}}}}
}

func TestGoalsAreJudgedOneByOne(t *testing.T) {
	good := comparison{Slices: 100, Expected: 100, MeanError: -0.004, Distance: 0.009, SumError: 0.001}
	require.NoError(t, reportOf(0.001, good).finish(""))
	for name, bad := range map[string]comparison{
		"mean error": {Slices: 100, Expected: 100, MeanError: -0.006},
		"distance":   {Slices: 100, Expected: 100, Distance: 0.011},
		"sums":       {Slices: 100, Expected: 100, SumError: -0.006},
		"slices":     {Slices: 98, Expected: 100},
	} {
		r := reportOf(0.001, bad)
		require.ErrorContains(t, r.finish(""), "1 goals missed", name)
		require.Contains(t, r.Missed[0], name)
	}
}

func TestAJudgeThatIsOffItselfJudgesNoMean(t *testing.T) {
	r := reportOf(0.007, comparison{Slices: 100, Expected: 100, MeanError: -0.007, Distance: 0.02})
	require.ErrorContains(t, r.finish(""), "quieter machine")
	require.Len(t, r.Unjudged, 1)
	require.Len(t, r.Missed, 1, "the distance is judged all the same")
}

func TestWithoutTheExactBackEndNothingIsJudged(t *testing.T) {
	r := reportOf(0, comparison{})
	r.Results[0].Methods = map[string]comparison{methodPoll: {MeanError: 0.5}}
	require.NoError(t, r.finish(""))
}

func TestTheTableForTheJournalHasARowForEveryMethodAndOneForTheStamps(t *testing.T) {
	text := reportOf(0.001, comparison{Slices: 99, Expected: 100}).markdown()
	require.Contains(t, text, "| bursts | idle | 0.500 | ebpf | 99 of 100 |")
	require.Contains(t, text, "*the stamps themselves* | | | | | +0.10 % |")
}

func TestStockSlicesAreTheDerivativeOfItsLines(t *testing.T) {
	text := "cgroup,path=/a cpuacct.usage=1000i 5000000\ncgroup,path=/a cpuacct.usage=4000i 15000000\n"
	said, err := stockSlices(text, "cpuacct.usage", 1_000_000)
	require.NoError(t, err)
	require.Equal(t, []slice{{4_000_000, 14_000_000, 3000}}, said)
	said, err = stockSlices("cgroup,path=/a cpu.stat.usage_usec=1i,x=2i 1\ncgroup,path=/a x=2i,cpu.stat.usage_usec=3i 9\n", "cpu.stat", 0)
	require.NoError(t, err)
	require.Equal(t, []slice{{1, 9, 2000}}, said)
	_, err = stockSlices("cgroup,path=/a other=1i 5\n", "cpuacct.usage", 0)
	require.ErrorContains(t, err, "no cpuacct.usage")
}
