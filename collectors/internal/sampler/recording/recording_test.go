package recording

import (
	"bytes"
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/quotascope/quotascope/collectors/internal/cfs"
	"github.com/quotascope/quotascope/collectors/internal/cgroupfs"
	"github.com/quotascope/quotascope/collectors/internal/identity"
	"github.com/quotascope/quotascope/collectors/internal/sampler"
	"github.com/quotascope/quotascope/collectors/internal/usagewindow"
)

const (
	windowStart = 170_000_000 * usagewindow.WindowUs
	firstSlot   = windowStart/usagewindow.SampleIntervalUs + 1
)

var agent = sampler.Agent{HostID: "größe, one", EpochUs: 9, Cluster: "lab", Origin: usagewindow.OriginMeasured, Method: usagewindow.MethodEbpf}

// draw fills every field of a struct, so that a field that a recording cannot hold fails here and not on a host.
func draw(t *rapid.T, value reflect.Value) {
	switch value.Kind() {
	case reflect.Struct:
		for i := range value.NumField() {
			draw(t, value.Field(i))
		}
	case reflect.Pointer:
		if rapid.Bool().Draw(t, "present") {
			value.Set(reflect.New(value.Type().Elem()))
			draw(t, value.Elem())
		}
	case reflect.Map:
		key, entry := reflect.New(value.Type().Key()).Elem(), reflect.New(value.Type().Elem()).Elem()
		draw(t, key)
		draw(t, entry)
		value.Set(reflect.MakeMap(value.Type()))
		value.SetMapIndex(key, entry)
	case reflect.String:
		value.SetString(string(rapid.SliceOfN(rapid.Byte(), 0, 12).Draw(t, "text")))
	case reflect.Bool:
		value.SetBool(rapid.Bool().Draw(t, "bool"))
	default:
		if value.CanInt() {
			value.SetInt(rapid.Int64().Draw(t, "int") >> (64 - value.Type().Bits()))
		} else {
			value.SetUint(rapid.Uint64().Draw(t, "uint"))
		}
	}
}

func TestEveryFieldOfEveryStructComesBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		for _, sent := range []any{&sampler.Found{}, &usagewindow.Limits{}, &sampler.HostReading{}, &sampler.Agent{}} {
			draw(t, reflect.ValueOf(sent).Elem())
			row := appendStated(nil, kindShard, 1, reflect.ValueOf(sent).Elem().Interface())
			rows := newReader(bytes.NewReader(row))
			present, err := rows.next()
			require.NoError(t, err)
			require.True(t, present)
			came := reflect.New(reflect.TypeOf(sent).Elem())
			require.NoError(t, rows.stated(2, came.Interface()))
			require.Equal(t, sent, came.Interface())
		}
	})
}

// TestNoInputOfAWindowIsForgotten holds every method of the two types that make windows against what a tape hears.
func TestNoInputOfAWindowIsForgotten(t *testing.T) {
	heard := map[string]string{ // method: what the tape calls it
		"Sample": "Sample", "Slice": "Slice", "Idle": "Slice", "Final": "Final", "Stat": "Stat", "AncestorStat": "AncestorStat", "SetLimits": "Limits",
		"SetThreads": "Threads", "AddRunnable": "Runnable", "AddThrottledWall": "ThrottledWall", "SetPeriodPhase": "PeriodPhase",
		"SetExcursionThreads": "ExcursionThreads", "AddHardware": "Hardware", "SetSlotsPerSample": "SlotsPerSample", "Retire": "Retire",
		"SetLean": "Lean", "SetSkipped": "Skipped", "RestartCounters": "RestartCounters",
		"Track": "Track", "Cut": "Cut", "Baseline": "Baseline", "Finish": "Finish",
	}
	silent := map[string]string{ // method: why a replay needs no row of it
		"Take": "Cut calls it", "Limits": "only reads", "Subject": "only reads", "Retired": "only reads", "Begun": "only reads", "LastSlot": "only reads",
		"Attach": "begins the hearing", "BeginUnsampled": "Cut calls it", "Host": "only reads", "Skipped": "only reads", "Lean": "only reads", "SlotsPerSample": "only reads",
		"Covered": "only reads", "GoOn": "a recording begins with its process, which nothing went before", "NoteClockStep": "Finish states it",
		"Protect": "every builder is told what follows from it, and Finish states it",
	}
	tape := reflect.TypeFor[sampler.Tape]()
	for _, made := range []reflect.Type{reflect.TypeFor[*usagewindow.Builder](), reflect.TypeFor[*sampler.Recorder]()} {
		for i := range made.NumMethod() {
			name := made.Method(i).Name
			if made == reflect.TypeFor[*sampler.Recorder]() && name == "SetSlotsPerSample" {
				continue // every builder is told when it takes effect
			}
			if _, reads := silent[name]; reads {
				continue
			}
			require.Contains(t, heard, name, "%s.%s changes what a window says, and no recording would hold it", made, name)
			_, exists := tape.MethodByName(heard[name])
			require.True(t, exists, name)
		}
	}
}

// drive tells a recorder a bit of everything, drawn at random, and returns what it handed over.
func drive(t *rapid.T, tape sampler.Tape) (batches []sampler.Batch) {
	r := sampler.NewRecorder(agent, func(batch sampler.Batch) { batches = append(batches, batch) })
	if tape != nil {
		r.Attach(tape)
	}
	var reading sampler.HostReading
	draw(t, reflect.ValueOf(&reading).Elem())
	r.Baseline(reading)
	builders, slot, usage := []*usagewindow.Builder{r.Host()}, firstSlot, int64(0)
	for window := range int64(3) {
		var found sampler.Found
		draw(t, reflect.ValueOf(&found).Elem())
		found.Limits.Limit = cfs.Bandwidth{QuotaUs: 50_000, PeriodUs: 100_000}
		builders = append(builders, r.Track(found))
		last := usagewindow.LastSlotOf(windowStart + window*usagewindow.WindowUs)
		for ; slot <= last; slot += rapid.Int64Range(1, 300).Draw(t, "step") {
			b := builders[rapid.IntRange(0, len(builders)-1).Draw(t, "shard")]
			usage += rapid.Int64Range(0, 30_000_000).Draw(t, "used")
			tell(t, b, slot, usage)
		}
		if rapid.Bool().Draw(t, "half rate") {
			r.SetSlotsPerSample(rapid.SampledFrom([]int64{1, 2}).Draw(t, "slots"))
		}
		batch := r.Cut(windowStart+window*usagewindow.WindowUs, last)
		if rapid.IntRange(0, 9).Draw(t, "taken") > 0 {
			draw(t, reflect.ValueOf(&reading).Elem())
			r.Finish(batch, reading)
		}
	}
	return batches
}

func tell(t *rapid.T, b *usagewindow.Builder, slot, usage int64) {
	switch rapid.IntRange(0, 16).Draw(t, "input") {
	case 0:
		b.Slice(slot, 10_000_000, usage%90_000_000)
	case 1:
		b.Final(usage)
	case 2:
		b.Stat(cgroupfs.CPUStat{Periods: slot, ThrottledPeriods: slot / 2, ThrottledNs: usage, HasBandwidth: true})
	case 3:
		b.Stat(cgroupfs.CPUStat{Bursts: slot, BurstUsedNs: usage, HasBursts: true})
	case 4:
		b.AncestorStat(cgroupfs.CPUStat{Periods: slot, HasBandwidth: true})
	case 5:
		b.SetLimits(usagewindow.Limits{AncestorPath: "/a", AncestorLimited: true, CpusAllowed: new(int32)})
	case 6:
		b.SetThreads(&usage)
	case 7:
		b.AddRunnable(slot%40, 1)
	case 8:
		b.AddThrottledWall(usage % 1_000_000)
	case 9:
		b.SetPeriodPhase(new(int32))
	case 10:
		var threads []usagewindow.ExcursionThread
		if rapid.Bool().Draw(t, "named") {
			threads = []usagewindow.ExcursionThread{{Comm: string(rapid.SliceOfN(rapid.Byte(), 0, 15).Draw(t, "comm")), UsageUs: 7}}[rapid.IntRange(0, 1).Draw(t, "none"):]
		}
		b.SetExcursionThreads(threads)
	case 11:
		b.AddHardware(usagewindow.Hardware{CyclesBelowQuota: 1, CyclesAboveQuota: 2, InstructionsBelowQuota: 3, InstructionsAboveQuota: 4})
	case 12:
		b.Retire()
	case 13:
		b.SetLean(rapid.Bool().Draw(t, "lean"))
	case 14:
		b.SetSkipped(rapid.Bool().Draw(t, "skipped"))
	case 15:
		b.RestartCounters()
	default:
		b.Sample(slot, (slot-firstSlot)*10_000_000, usage, 40)
	}
}

func TestAReplayMakesTheSameWindows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var text bytes.Buffer
		tape := NewTape(&text, Options{Agent: agent})
		live := drive(t, tape)
		require.NoError(t, tape.Close())
		var replayed []sampler.Batch
		require.NoError(t, Replay(&text, nil, func(batch sampler.Batch) { replayed = append(replayed, batch) }))
		require.Equal(t, live, replayed)
	})
}

func TestARecordingEndsAfterItsWindowsAndHoldsTheChosenOnly(t *testing.T) {
	var text bytes.Buffer
	tape := NewTape(&text, Options{Agent: agent, Windows: 2, Chosen: func(path string) bool { return path != "/b" }})
	var live []sampler.Batch
	r := sampler.NewRecorder(agent, func(batch sampler.Batch) { live = append(live, batch) })
	r.Attach(tape)
	r.Baseline(sampler.HostReading{})
	a := r.Track(sampler.Found{Path: "/a"})
	b := r.Track(sampler.Found{Path: "/b"})
	c := r.Track(sampler.Found{Path: "/c"})
	var cuts []sampler.Batch
	for window := range int64(4) {
		for i, builder := range []*usagewindow.Builder{a, b, c} {
			slot := firstSlot + window*1000
			builder.Sample(slot, slot*10_000_000, slot*int64(i+1), 0)
			builder.Sample(slot+1, (slot+1)*10_000_000, (slot+1)*int64(i+1), 0)
		}
		cuts = append(cuts, r.Cut(windowStart+window*usagewindow.WindowUs, firstSlot+999+window*1000))
	}
	for _, batch := range cuts { // the host is read long after, and nothing of the later windows is in the recording
		r.Finish(batch, sampler.HostReading{Cpus: 2})
	}
	<-tape.Done()
	require.NoError(t, tape.Close())
	var replayed []sampler.Batch
	require.NoError(t, Replay(&text, nil, func(batch sampler.Batch) { replayed = append(replayed, batch) }))
	require.Len(t, replayed, 2)
	for i, batch := range replayed {
		require.Len(t, batch.Windows, 2)
		for j, of := range []int{0, 2} {
			wanted := *live[i].Windows[of]
			wanted.Seq = batch.Windows[j].Seq // numbers count the recorded shards
			require.Equal(t, wanted, *batch.Windows[j])
		}
	}
}

func TestAnonymousRecordingsKeepNumbersAndHideNames(t *testing.T) {
	labels := "team-secret"
	found := sampler.Found{
		Path: "/kubepods/pod-secret/secret", Inode: 7, Cpuset: pointer("0-3"),
		Shard:  identity.Shard{Service: "secret", Name: "secret", Runtime: "kubernetes", ContainerID: labels, QosClass: "burstable"},
		Limits: usagewindow.Limits{AncestorPath: "/kubepods/pod-secret", AncestorLimited: true, Ancestor: cfs.Bandwidth{QuotaUs: 5, PeriodUs: 6}},
	}
	var text bytes.Buffer
	tape := NewTape(&text, Options{Agent: sampler.Agent{HostID: "host-secret", Cluster: "secret"}, Anonymous: true})
	tape.Track(1, found)
	tape.Limits(1, found.Limits)
	tape.ExcursionThreads(1, []usagewindow.ExcursionThread{{Comm: "secret-#", UsageUs: 5}})
	require.NoError(t, tape.Close())
	require.NotContains(t, text.String(), "secret")
	require.Equal(t, "secret", found.Shard.Service, "the caller's own stays")
	for _, kept := range []string{"runtime=kubernetes", "qos_class=burstable", "cpuset=0-3", "inode=7", "ancestor.quota_us=5", "# anonymous"} {
		require.Contains(t, text.String(), kept)
	}
	rows := strings.Split(text.String(), "\n")
	path := strings.Split(strings.Split(rows[3], "path=")[1], ",")[0]
	require.Equal(t, 3, strings.Count(path, "/"))
	parent := path[:strings.LastIndexByte(path, '/')]
	require.True(t, strings.HasSuffix(rows[4], "ancestor_path="+parent), "an ancestor can still be told")
	require.Contains(t, path, "/"+strings.Split(strings.Split(rows[3], "service=")[1], ",")[0], "equal names stay equal")
}

func pointer[T any](value T) *T { return &value }

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errors.New("disk full") }

func TestAFileThatCannotBeWrittenIsSaidOnceAndStopsNothing(t *testing.T) {
	tape := NewTape(failing{}, Options{Agent: agent})
	for slot := range int64(200_000) {
		tape.Sample(0, slot+1, slot, slot, 0)
	}
	require.ErrorContains(t, tape.Close(), "disk full")
	require.ErrorContains(t, tape.Close(), "disk full", "asked again")
}

type stuck struct{ release chan struct{} }

func (s stuck) Write(text []byte) (int, error) {
	<-s.release
	return len(text), nil
}

func TestTheSamplerNeverWaitsForTheFile(t *testing.T) {
	out := stuck{make(chan struct{})}
	tape := NewTape(out, Options{Agent: agent})
	for slot := int64(1); ; slot++ {
		tape.Sample(0, slot, slot, slot, 0)
		select {
		case <-tape.Done():
		default:
			continue
		}
		break
	}
	close(out.release)
	require.ErrorIs(t, tape.Close(), ErrBehind)
}

func TestSamplesAreTapedWithoutAllocating(t *testing.T) {
	tape := NewTape(&bytes.Buffer{}, Options{Agent: agent})
	slot := firstSlot
	require.Zero(t, testing.AllocsPerRun(1000, func() {
		tape.Sample(0, slot, slot, slot, 7)
		tape.Stat(0, cgroupfs.CPUStat{Periods: slot, HasBandwidth: true})
		slot++
	}))
	require.NoError(t, tape.Close())
}
