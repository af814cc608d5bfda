package replay

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/quotascope/quotascope/collectors/internal/identity"
	"github.com/quotascope/quotascope/collectors/internal/sampler"
	"github.com/quotascope/quotascope/collectors/internal/usagewindow"
	"github.com/stretchr/testify/require"
)

const folder = "../../../testdata/traces"

type silent struct{}

func (silent) Infof(string, ...any)  {}
func (silent) Warnf(string, ...any)  {}
func (silent) Errorf(string, ...any) {}

func labRules(t *testing.T) identity.Rules {
	rule, err := identity.NewRule("/quotascope/lab/{service}/{shard}", "lab")
	require.NoError(t, err)
	return identity.Rules{rule}
}

// TestRecordedTotals checks the conversion against what the recordings' own notes say.
func TestRecordedTotals(t *testing.T) {
	traces, err := Load(folder)
	require.NoError(t, err)
	// The notes round to whole milliseconds.
	type totals struct{ periods, throttled, throttledMs, bursts, burstMs int64 }
	got := map[string]totals{}
	for _, trace := range traces {
		require.Equal(t, int64(600), trace.Slots)
		cgroup := trace.Cgroups[0]
		end := cgroup.Readings[len(cgroup.Readings)-1].Stat
		got[cgroup.Path] = totals{end.Periods, end.ThrottledPeriods, (end.ThrottledNs + 5e5) / 1e6, end.Bursts, (end.BurstUsedNs + 5e5) / 1e6}
	}
	require.Equal(t, map[string]totals{
		"/quotascope/lab/busy-loop/q20":       {60, 60, 4680, 0, 0},
		"/quotascope/lab/short-work/q50":      {60, 60, 4886, 0, 0},
		"/quotascope/lab/short-work/q100":     {60, 2, 9, 0, 0},
		"/quotascope/lab/bursty-work/q50-b50": {60, 0, 0, 13, 126},
		"/quotascope/lab/unlimited-work/u1":   {0, 0, 0, 0, 0},
	}, got)
}

func TestTracesAreWrittenAsTheyAreRead(t *testing.T) {
	names, err := filepath.Glob(folder + "/*.csv")
	require.NoError(t, err)
	require.NotEmpty(t, names)
	for _, name := range names {
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		trace, err := Parse(bytes.NewReader(text))
		require.NoError(t, err)
		var again bytes.Buffer
		require.NoError(t, trace.Write(&again))
		require.Equal(t, string(text), again.String(), name)
	}
}

const small = magic + `
# kernel 6.1
# cgroup_version v2
# cpus 4
# cgroup a / 
# cgroup b /quotascope/lab/web/1 quota_us=50000 period_us=100000
` + columns + `
0,a,1000,0,500,,,,,,
0,b,2000,0,100,0,0,0,,,
1,a,10001000,1,600,,,,,,
3,b,30002000,0,9100,1,1,70,,,3
`

func TestSmallTrace(t *testing.T) {
	trace, err := Parse(strings.NewReader(small))
	require.NoError(t, err)
	require.Equal(t, int64(3), trace.Slots)
	require.Len(t, trace.Cgroups[0].Readings, 2)
	web := trace.Cgroups[1]
	require.Nil(t, web.Readings[1], "missed")
	require.True(t, web.Limits.Limited)
	require.Nil(t, web.Limits.BurstUs)
	require.False(t, web.Readings[3].Stat.HasBursts)
	require.Equal(t, int64(3), *web.Readings[3].Threads)
}

func TestTracesAreRefusedWithAReason(t *testing.T) {
	for _, tc := range []struct{ name, from, to, reason string }{
		{"another form", "trace 1", "trace 2", "line 1: first line must be"},
		{"unknown heading", "# cpus 4", "# cpu 4", `line 4: unknown heading "cpu"`},
		{"no kernel", "# kernel 6.1\n", "", "kernel and cpus must be stated"},
		{"no version", "# cgroup_version v2\n", "", `cgroup_version ""`},
		{"other columns", "late_us", "lateness", "line 7: columns must be"},
		{"twice", "# cgroup b", "# cgroup a", "stated twice"},
		{"quota without period", " period_us=100000", "", "a quota needs a period"},
		{"unknown setting", "quota_us", "quota_ms", `unknown setting "quota_ms"`},
		{"unknown cgroup", "3,b,", "3,c,", `line 11: cgroup "c" was not stated`},
		{"slot out of order", "3,b,", "0,b,", "out of order"},
		{"negative", "9100", "-1", "is not a count"},
		{"missing cell", ",,,3\n", ",,3\n", "10 columns, not 11"},
		{"usage must be there", "0,b,2000,0,100,", "0,b,2000,0,,", "is not a count"},
		{"no baseline", "0,b,2000,0,100,0,0,0,,,\n", "", "no reading at slot 0"},
		{"usage goes back", "9100", "99", "usage goes backwards"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			require.Contains(t, small, tc.from)
			_, err := Parse(strings.NewReader(strings.Replace(small, tc.from, tc.to, 1)))
			require.ErrorIs(t, err, ErrTrace)
			require.ErrorContains(t, err, tc.reason)
		})
	}
}

// TestALoopLooksLikeOneLongLivedCgroup plays two and a half rounds without waiting.
func TestALoopLooksLikeOneLongLivedCgroup(t *testing.T) {
	traces, err := Load(folder)
	require.NoError(t, err)
	p := New(Options{Traces: traces, Loop: true, Rules: labRules(t), Log: silent{}})
	recorder := sampler.NewRecorder(sampler.Agent{HostID: "h", Method: usagewindow.MethodReplay}, nil)
	for _, trace := range traces {
		p.track(recorder, trace)
	}
	const begin, rounds = 1_700_000_000_001, 1500
	usage, periods, samples := map[string]int64{}, map[string]int64{}, map[string]int32{}
	window := usagewindow.WindowOf(begin)
	for offset := range int64(rounds + 1) {
		slot := begin + offset
		for _, s := range p.shards {
			s.play(slot, offset, true)
		}
		if slot == usagewindow.LastSlotOf(window) || offset == rounds {
			for _, w := range recorder.Cut(window, slot).Windows {
				usage[w.Shard] += w.UsageUs
				periods[w.Shard] += *w.Periods
				samples[w.Shard] += w.Samples
				require.Zero(t, w.MissedSamples)
			}
			window += usagewindow.WindowUs
		}
	}
	for _, trace := range traces {
		cgroup := trace.Cgroups[0]
		shard := cgroup.Path[strings.LastIndex(cgroup.Path, "/")+1:]
		whole, half := cgroup.Readings[600], cgroup.Readings[300]
		require.Equal(t, (2*whole.UsageNs+half.UsageNs)/1000, usage[shard], shard)
		require.Equal(t, 2*whole.Stat.Periods+half.Stat.Periods, periods[shard], shard)
		require.Equal(t, int32(rounds), samples[shard], shard)
	}
}

func TestRunHandsOverThePartialWindowOnStop(t *testing.T) {
	trace, err := Parse(strings.NewReader(small))
	require.NoError(t, err)
	var batches []sampler.Batch
	agent := sampler.Agent{HostID: "h", Method: usagewindow.MethodReplay, Origin: usagewindow.OriginReplayed}
	recorder := sampler.NewRecorder(agent, func(batch sampler.Batch) { batches = append(batches, batch) })
	ctx, cancel := context.WithTimeout(context.Background(), 400*time.Millisecond)
	defer cancel()
	require.NoError(t, New(Options{Traces: []*Trace{trace}, Rules: labRules(t), Log: silent{}}).Run(ctx, recorder))
	var usageUs, hostUs int64
	for _, batch := range batches {
		require.Equal(t, usagewindow.OriginReplayed, batch.Host.Origin)
		hostUs += *batch.Host.UsageUs
		for _, w := range batch.Windows {
			usageUs += w.UsageUs
		}
	}
	require.Equal(t, []int64{9, 0}, []int64{usageUs, hostUs})
}

func TestConversionRefusesOtherRecordings(t *testing.T) {
	_, err := ConvertPoll(strings.NewReader("slice,ns\n1,2\n"), nil)
	require.ErrorIs(t, err, ErrTrace)
}

func FuzzParse(f *testing.F) {
	f.Add(small)
	f.Add(magic + "\n" + columns + "\n0,1,1,1,1,,,,,,\n")
	f.Fuzz(func(t *testing.T, text string) {
		trace, err := Parse(strings.NewReader(text))
		if err != nil {
			return
		}
		var written bytes.Buffer
		require.NoError(t, trace.Write(&written))
		_, err = Parse(&written)
		require.NoError(t, err)
	})
}
