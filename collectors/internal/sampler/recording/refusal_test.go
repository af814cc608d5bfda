package recording

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/quotascope/quotascope/collectors/internal/sampler"
	"github.com/quotascope/quotascope/collectors/internal/usagewindow"
)

// small is every kind of row once, as README.md shows them.
const small = `# quotascope-recording 1
# agent,host_id=host-1,epoch_us=9,cluster=lab,origin=measured,method=tick_poll
baseline,0,kernel_release=6.18.44,version=v1,cpus=2,agent_cpu_us=100
shard,1,path=/lab/web/1,inode=7,shard.service=web,shard.name=1,limits.limit.quota_us=50000,limits.limit.period_us=100000,limits.limited=true,limits.period_us=100000
sample,0,170000000001,1000000,500,12
sample,1,170000000001,1000000,5000000,12
slots_per_sample,1,1
sample,1,170000000002,11000000,9000000,15
slice,1,170000000003,10000000,4000000
usage,1,13000000
stat,1,100,40,1999,,
ancestor_stat,1,,,,3,700
limits,1,period_us=100000
threads,1,8
runnable,1,3,1
throttled_wall,1,1500000
period_phase,1,70123
excursion_threads,1,gc%20#,1500
hardware,1,1,2,3,4
lean,1,0
skipped,1,0
restart_counters,1
retire,1
cut,1700000000000000,170000001000
finish,1700000000000000,kernel_release=6.18.44,version=v1,cpus=2,agent_cpu_us=150,proc=,proc.irq_us=4,proc.cpus=2,load=,load.threads=90
`

func TestEveryKindOfRowPlays(t *testing.T) {
	var batches []sampler.Batch
	require.NoError(t, Replay(strings.NewReader(small), func(agent *sampler.Agent) { agent.Origin = usagewindow.OriginReplayed },
		func(batch sampler.Batch) { batches = append(batches, batch) }))
	require.Len(t, batches, 1)
	w := batches[0].Windows[0]
	require.Equal(t, usagewindow.OriginReplayed, w.Origin)
	require.Equal(t, []int64{8_000, 8_000, 1_500}, []int64{w.UsageUs, w.SampledUsageUs, *w.ThrottledWallUs})
	require.Equal(t, []usagewindow.ExcursionThread{{Comm: "gc #", UsageUs: 1500}}, w.ExcursionThreads)
	require.Equal(t, []int32{70_123, 2}, []int32{*w.PeriodPhaseUs, w.Samples})
	require.Equal(t, []int64{8, 4, 100_000}, []int64{*w.Threads, *w.InstructionsAboveQuota, *w.PeriodUs})
	require.Nil(t, w.QuotaUs, "lifted by the row of limits")
	h := batches[0].Host
	require.Equal(t, []int64{50, 90}, []int64{h.AgentCPUUs, *h.Threads})
	for _, kind := range []string{
		kindShard, kindLimits, kindSample, kindSlice, kindUsage, kindStat, kindAncestorStat, kindThreads, kindRunnable, kindThrottledWall,
		kindPeriodPhase, kindExcursionThreads, kindHardware, kindSlotsPerSample, kindLean,
		kindSkipped, kindRestart, kindRetire, kindBaseline, kindCut, kindFinish,
	} {
		require.Contains(t, small, "\n"+kind+",", "the example shows every kind")
	}
}

func TestTheDocumentedExampleIsTheTestedOne(t *testing.T) {
	text, err := os.ReadFile("README.md")
	require.NoError(t, err)
	require.Contains(t, string(text), "```\n"+small+"```\n")
}

func TestForeignTextIsRefusedAtItsPlace(t *testing.T) {
	for _, tc := range []struct{ name, from, to, reason string }{
		{"another form", "recording 1", "recording 2", "line 1, column 1: the first line must be"},
		{"a spreadsheet", small, "time,usage\n1,2\n", "line 1, column 1: the first line must be"},
		{"nothing", small, "", "line 1, column 1"},
		{"a binary file", "# agent,", "\x00\xff", "line 2, column 1"},
		{"no agent", "# agent,host_id=host-1,epoch_us=9,cluster=lab,origin=measured,method=tick_poll\n", "", "no heading says # agent"},
		{"two agents", "baseline,0", "# agent,host_id=x\nbaseline,0", "line 3, column 1"},
		{"unknown field", "epoch_us=9", "epoch_ms=9", `line 2, column 24: unusable cell: "epoch_ms" names nothing`},
		{"number of a name", "epoch_us=9", "epoch_us=now", `line 2, column 24: unusable cell: "now" is not a whole number`},
		{"unknown kind", "retire,1", "retired,1", `line 23, column 1: "retired" is no kind of row`},
		{"missing cell", "usage,1,13000000", "usage,1", `line 10, column 1: a row of kind "usage" has 3 columns, not 2`},
		{"cell too many", "usage,1,13000000", "usage,1,1,3", "has 3 columns, not 4"},
		{"empty number", "usage,1,13000000", "usage,1,", `line 10, column 9: unusable cell: ""`},
		{"leading zero", "usage,1,13000000", "usage,1,013000000", "line 10, column 9"},
		{"beyond 64 bits", "usage,1,13000000", "usage,1,99999999999999999999", "line 10, column 9"},
		{"unstated shard", "usage,1,", "usage,2,", "line 10, column 7: shard 2 was not stated"},
		{"negative shard", "usage,1,", "usage,-1,", "line 10, column 7"},
		{"shard out of turn", "shard,1,", "shard,5,", "line 4, column 7: shard 5 follows shard 0"},
		{"slot before the first", "slice,1,170000000003", "slice,1,0", "line 9, column 9: slot 0"},
		{"quota without period", "limits.limit.period_us=100000,", "", "line 4, column 1: a quota of 50000 us in 0 us is none"},
		{"half of a pair", "gc%20#,1500", "gc%20#", "line 18, column 1: thread names"},
		{"raw text", "gc%20#", `gc"#`, "line 18, column 21: unusable cell"},
		{"broken escape", "gc%20#", "gc-%2", "line 18, column 21: unusable cell"},
		{"odd escape", "gc%20#", "gc-%zz", "line 18, column 21: unusable cell"},
		{"negative threads", "runnable,1,3,1", "runnable,1,-3,1", "line 15, column 12"},
		{"phase of hours", "70123", "7012300000", "line 17, column 16"},
		{"slots that do not divide", "slots_per_sample,1,1", "slots_per_sample,1,3", "line 7, column 20: 3 slots do not divide"},
		{"half lean", "lean,1,0", "lean,1,2", "line 20, column 8: 2 is neither 0 nor 1"},
		{"some counters", "stat,1,100,40,1999,,", "stat,1,100,,1999,,", "line 11, column 12"},
		{"counters beside absent ones", "ancestor_stat,1,,,,3", "ancestor_stat,1,,5,,3", "line 12, column 18"},
		{"no start of a window", "cut,1700000000000000,", "cut,1700000000000001,", "line 24, column 5"},
		{"slot after the window", "170000001000\nfinish", "170000001001\nfinish", "line 24, column 22: slot 170000001001 is after"},
		{"finished twice", "finish,1700000000000000", "finish,1700000010000000", "line 25, column 8: no window that begins at"},
		{"nested before its owner", "proc=,", "", `line 25, column`},
		{"no map", "cpus=2,agent_cpu_us=100", "cpus[a]=2", "names nothing that is known"},
		{"torn tail", ",load.threads=90\n", ",load.thr", "line 25: the last row"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			require.Contains(t, small, tc.from)
			err := Replay(strings.NewReader(strings.Replace(small, tc.from, tc.to, 1)), nil, func(sampler.Batch) {})
			require.ErrorIs(t, err, ErrRecording)
			require.ErrorContains(t, err, tc.reason)
		})
	}
}

// FuzzReplay holds two promises: no text makes the replay fail in another way than by its error, and what plays can be
// recorded while it plays, and the copy plays alike.
func FuzzReplay(f *testing.F) {
	f.Add(small)
	f.Add(magic + "\n# agent\nslice,0,1,1,1\ncut,0,1000\nfinish,0\n")
	f.Add(magic + "\n# agent,method=ebpf\n# anonymous\nsample,0,9223372036854775807,-9223372036854775808,9223372036854775807,-1\ncut,0,-5\n")
	f.Fuzz(func(t *testing.T, text string) {
		first := played(text)
		if first == nil {
			return
		}
		var copied bytes.Buffer
		require.NoError(t, recopy(text, &copied))
		require.Equal(t, first, played(copied.String()))
	})
}

func played(text string) []sampler.Batch {
	batches := []sampler.Batch{}
	if err := Replay(strings.NewReader(text), nil, func(batch sampler.Batch) { batches = append(batches, batch) }); err != nil {
		return nil
	}
	return batches
}

// recopy plays a recording while it is recorded again.
func recopy(text string, out *bytes.Buffer) error {
	rows := newReader(strings.NewReader(text))
	agent, present, err := rows.header()
	if err != nil {
		return err
	}
	p := newPlayer(rows, agent, func(sampler.Batch) {})
	tape := NewTape(out, Options{Agent: agent})
	p.recorder.Attach(tape)
	if err := p.playAll(present); err != nil {
		return err
	}
	return tape.Close()
}
