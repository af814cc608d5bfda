package usagewindow_test

import (
	"fmt"
	"testing"

	"github.com/hamba/avro/v2"
	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/quotascope/quotascope/collectors/internal/usagewindow"
	"github.com/quotascope/quotascope/schemas"
)

// Any record that our encoder writes, hamba reads back as the same struct: all integers, any UTF-8 text, any null.
func TestEncodedWindowDecodesToItself(t *testing.T) {
	encoder, err := usagewindow.NewEncoder()
	require.NoError(t, err)
	schema := avro.MustParse(schemas.CpuUsageWindow)
	rapid.Check(t, func(t *rapid.T) {
		window := rapid.Make[usagewindow.Window]().Draw(t, "window")
		window.Origin = rapid.SampledFrom([]usagewindow.Origin{"measured", "replayed", "simulated"}).Draw(t, "origin")
		window.Method = rapid.SampledFrom([]usagewindow.Method{"ebpf", "tick_poll", "replay", "simulation"}).Draw(t, "method")
		encoded, err := encoder.AppendWindow(nil, &window)
		require.NoError(t, err)
		var decoded usagewindow.Window
		require.NoError(t, avro.Unmarshal(schema, encoded[10:], &decoded))
		reference, err := avro.Marshal(schema, window)
		require.NoError(t, err)
		var wanted usagewindow.Window
		require.NoError(t, avro.Unmarshal(schema, reference, &wanted))
		require.Equal(t, wanted, decoded)
		if window.ExcursionThreads == nil { // Of an array, hamba states the block's length as well, which we leave out.
			require.Equal(t, reference, encoded[10:])
		}
		again, err := encoder.AppendWindow(nil, &decoded)
		require.NoError(t, err)
		require.Equal(t, encoded, again)
	})
}

func TestUnencodableRecordNamesItsField(t *testing.T) {
	encoder, err := usagewindow.NewEncoder()
	require.NoError(t, err)
	name := "broken\xff"
	for field, record := range map[string]any{
		"origin":                  &usagewindow.Window{Origin: "guessed", Method: usagewindow.MethodTickPoll},
		"method":                  &usagewindow.Window{Origin: usagewindow.OriginMeasured, Method: "magic"},
		"service":                 &usagewindow.Window{Origin: usagewindow.OriginMeasured, Method: usagewindow.MethodTickPoll, Service: name},
		"excursion_threads.comm":  &usagewindow.Window{Origin: usagewindow.OriginMeasured, Method: usagewindow.MethodTickPoll, ExcursionThreads: []usagewindow.ExcursionThread{{Comm: name}}},
		"cgroup_version":          &usagewindow.HostWindow{Origin: usagewindow.OriginMeasured, CgroupVersion: "v3"},
		"service_records.service": &usagewindow.HostWindow{Origin: usagewindow.OriginMeasured, CgroupVersion: "v1", ServiceRecords: []usagewindow.ServiceRecords{{Service: name}}},
		"drops":                   &usagewindow.HostWindow{Origin: usagewindow.OriginMeasured, CgroupVersion: "v1", Drops: map[string]int64{name: 1}},
		"cpuset_cpus":             &usagewindow.ShardIdentity{Origin: usagewindow.OriginMeasured, CpusetCpus: &name},
		"labels.team":             &usagewindow.ShardIdentity{Origin: usagewindow.OriginMeasured, Labels: map[string]string{"team": name}},
	} {
		before := []byte("kept")
		after, err := encoder.Append(before, record)
		require.ErrorIs(t, err, usagewindow.ErrUnencodable)
		require.ErrorContains(t, err, "field "+field+":")
		require.Equal(t, before, after)
	}
	_, err = encoder.Append(nil, "a metric")
	require.ErrorIs(t, err, usagewindow.ErrNotARecord)
}

func TestEncodingAllocatesNothing(t *testing.T) {
	encoder, err := usagewindow.NewEncoder()
	require.NoError(t, err)
	window, buffer := pooledWindow(0), make([]byte, 0, 4096)
	require.Zero(t, testing.AllocsPerRun(100, func() {
		if _, err := encoder.AppendWindow(buffer, window); err != nil {
			t.Fatal(err)
		}
	}))
}

func BenchmarkAppendWindow(b *testing.B) {
	encoder, err := usagewindow.NewEncoder()
	require.NoError(b, err)
	window, buffer := pooledWindow(0), make([]byte, 0, 4096)
	b.ReportAllocs()
	for b.Loop() {
		if buffer, err = encoder.AppendWindow(buffer[:0], window); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(len(buffer)), "B/record")
}

// BenchmarkHambaWindow is the alternative of docs/decisions/0002-avro-in-go.md, kept so that the choice can be measured again.
func BenchmarkHambaWindow(b *testing.B) {
	schema := avro.MustParse(schemas.CpuUsageWindow)
	window := pooledWindow(0)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := avro.Marshal(schema, window); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkZstdBatchOf30 compresses what one host with thirty shards sends at the end of a window.
func BenchmarkZstdBatchOf30(b *testing.B) {
	encoder, err := usagewindow.NewEncoder()
	require.NoError(b, err)
	compressor, err := zstd.NewWriter(nil)
	require.NoError(b, err)
	var batch, packed []byte
	for i := range 30 {
		batch, err = encoder.AppendWindow(batch, pooledWindow(i))
		require.NoError(b, err)
	}
	b.ReportAllocs()
	for b.Loop() {
		packed = compressor.EncodeAll(batch, packed[:0])
	}
	b.ReportMetric(float64(len(batch))/30, "B/record")
	b.ReportMetric(float64(len(packed))/30, "zstd-B/record")
}

// pooledWindow is a window of a thread pool that outruns two cores: 63 buckets in use, as in the measurements that the
// decision record quotes.
func pooledWindow(shard int) *usagewindow.Window {
	number := func(value int64) *int64 { return &value }
	samples := int32(12 + shard)
	packed := []byte{0, 40}
	for bucket := range 62 {
		packed = append(packed, byte(1+bucket*7%3), byte(1+(bucket*(shard+5))%31))
	}
	secondOrder := []byte{0xe8, 0x07, 0x9f, 0xd0, 0x1e, byte(shard), 0xb4, 0x91, 0x7c}
	for range 8 {
		secondOrder = append(secondOrder, 0xe0, 0x07, 0x91, byte(0x80|shard*3), 0x99, 0x7c)
	}
	return &usagewindow.Window{
		HostID: "host-0017", AgentEpoch: 1795160000000000, Seq: 104200 + int64(shard), Cluster: "lab",
		Origin: usagewindow.OriginMeasured, WindowStartUs: 1795164130000000, ShardID: 3721340012345678901 * int64(shard+1),
		Service: "well-tuned", Shard: fmt.Sprintf("shard-%d", shard), SampleIntervalUs: 10000, Samples: 998, MissedSamples: 2,
		LatenessUsMax: 113, Method: usagewindow.MethodTickPoll, UsageUs: 1987654 + int64(shard)*977, SampledUsageUs: 1987001,
		LayoutVersion: 1, UsageHistogram: packed, ExcursionSamples: &samples, ExcursionUs: number(40123), SecondOrder: secondOrder,
		QuotaUs: number(200000), PeriodUs: number(100000), BurstUs: number(0), Periods: number(100),
		ThrottledPeriods: number(7), ThrottledUs: number(412345), Bursts: number(0), BurstUsedUs: number(0), Threads: number(24),
	}
}
