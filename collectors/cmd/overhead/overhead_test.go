package main

import (
	"os"
	"strings"
	"testing"

	"github.com/quotascope/quotascope/collectors/internal/lab/machine"
	"github.com/stretchr/testify/require"
)

func TestPairsFindACostInADrift(t *testing.T) {
	// The machine gets slower by 10 every round, and the agent costs 5.
	got := judge([]float64{100, 120, 140, 160}, []float64{115, 135, 155})
	require.Equal(t, pairs{Without: 130, Added: 5, Noise: 0, Rounds: 3}, got)
	require.InDelta(t, 5.0/130, got.Ratio(), 1e-12)
}

func TestNoiseIsStatedWhenRoundsDisagree(t *testing.T) {
	got := judge([]float64{100, 100, 100, 100, 100, 100}, []float64{101, 99, 100, 104, 96})
	require.Zero(t, got.Added)
	// Deviations 0, 1, 1, 4, 4: their median of 1 becomes a standard error over five rounds.
	require.InDelta(t, 1.4826*1.2533/2.2360679, got.Noise, 1e-6)
}

func TestDescriptorsOfMapsAndProgramsAreReadFromTheKernelsLines(t *testing.T) {
	fields := fdFields(strings.NewReader("pos:\t0\nflags:\t02000002\nmap_type:\t6\nkey_size:\t4\nmax_entries:\t1\nmap_flags:\t0x400\nmemlock:\t8392704\nmap_id:\t17\nfrozen:\t0\n"))
	require.Equal(t, []int64{6, 8392704, 17, 1024}, []int64{fields["map_type"], fields["memlock"], fields["map_id"], fields["map_flags"]})
	require.True(t, perCPUKinds[fields["map_type"]])
}

func TestMapsThatGrowWithTheMachineAreToldByTheirKindAndTheirEntries(t *testing.T) {
	h := held{maps: []bpfMap{
		{kind: 2, memlockB: 1000, maxEntries: 1065}, // one cell a cgroup
		{kind: 2, memlockB: 300, maxEntries: 2130},  // one cell a cgroup and CPU
		{kind: 6, memlockB: 20, maxEntries: 1},      // allocated for each CPU
		{kind: 2, memlockB: 7, maxEntries: 2},       // twice one is no sign
	}}
	require.Equal(t, int64(320), h.growingBytes(2))
	require.Equal(t, int64(20), h.growingBytes(1), "one CPU shows nothing but the kind")
	require.Equal(t, int64(1327), h.mapBytes())
}

func TestResidentMemoryOfThisProcess(t *testing.T) {
	bytes, err := rss(os.Getpid())
	require.NoError(t, err)
	require.Greater(t, mib(bytes), 1.0)
	require.Less(t, mib(bytes), 4096.0)
}

func TestVerdictsJudgeOnlyWhatWasMeasured(t *testing.T) {
	r := report{Machine: &machine.Machine{PossibleCpus: 2}}
	r.verdicts()
	require.Empty(t, r.Verdicts)
	r.Agents = []agentCost{
		{Variant: lowerBound, Cgroups: 10, Cpu: 0.01}, {Variant: polling.name, Cgroups: 10, Cpu: 0.019},
		{Variant: lowerBound, Cgroups: 100, Cpu: 0.02}, {Variant: polling.name, Cgroups: 100, Cpu: 0.031},
		{Variant: everything.name, Cgroups: 1000, Cpu: 0.01, RssBytes: 30 << 20, MapBytes: 9 << 20, PerCPUMapBytes: 1 << 20},
	}
	r.verdicts()
	met := map[string]bool{}
	for _, v := range r.Verdicts {
		met[v.What] = v.Met
	}
	require.Equal(t, map[string]bool{
		"polling 10 cgroups, times the lower bound in C":  true,
		"polling 100 cgroups, times the lower bound in C": false,
		"ebpf, 1,000 cgroups, % of a CPU":                 true,
		"ebpf, 1,000 cgroups, RSS + maps, MiB":            true,
		// 8 MiB that do not grow and 88 / 2 times one that does.
		"all maps, extrapolated to 88 CPUs at most, MiB": true,
	}, met)
	require.Equal(t, int64(52)<<20, r.fleetMapBytes(r.Agents[4]))
}

func TestManyThreadsAreComparedAtTheSameRate(t *testing.T) {
	r := report{Threads: []threadsCost{
		{Variant: everything.name, Threads: fewThreads, SwitchesPerSecond: 8000, Cpu: 0.001, Charged: 0.0008},
		// A machine that did more besides ran the programs more often, at the same cost each.
		{Variant: everything.name, Threads: manyThreads, SwitchesPerSecond: 16000, Cpu: 0.001, Charged: 0.0016},
	}}
	ratio, measured := r.flatness(everything.name)
	require.True(t, measured)
	require.InDelta(t, 0, ratio, 1e-9)
}
