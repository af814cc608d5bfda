package spool_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/quotascope/quotascope/collectors/internal/spool"
)

// Against a list: whatever is appended, held, released and reopened in whatever order, what comes out is in order and
// exactly as it went in, and in = out + counted + left.
func TestDiskIsABoundedFIFOAcrossRestarts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		folder, err := os.MkdirTemp("", "spool")
		require.NoError(t, err)
		defer os.RemoveAll(folder)
		told := &witness{}
		o := options(folder, told)
		o.MaxBytes = int64(rapid.SampledFrom([]int{3000, 20_000, 1 << 20}).Draw(t, "bound"))
		disk := spool.NewDisk(o)
		defer func() { disk.Close() }()
		next, last, out, held := 0, -1, 0, []spool.Record(nil)
		taken := func(records []spool.Record) {
			for _, number := range numbersOf(t, records) {
				require.Greater(t, number, last)
				last = number
				out++
			}
		}
		t.Repeat(map[string]func(*rapid.T){
			"append": func(t *rapid.T) {
				count := rapid.IntRange(1, 60).Draw(t, "records")
				disk.Append(numbered(next, count))
				next += count
			},
			"hold": func(t *rapid.T) {
				records := disk.Hold(rapid.IntRange(1, 100).Draw(t, "count"), 1<<20)
				if len(held) > 0 {
					require.Equal(t, held, records, "held ones stay")
				}
				held = records
			},
			"release": func(t *rapid.T) {
				settled := len(held) - rapid.IntRange(0, len(held)).Draw(t, "pending")
				disk.Release(held[settled:])
				taken(held[:settled])
				held = nil
			},
			"reopen": func(t *rapid.T) {
				kept, lost := disk.Close()
				require.Zero(t, lost)
				require.Equal(t, next, out+kept+told.droppedInAll())
				disk, held = spool.NewDisk(o), nil
			},
			"": func(t *rapid.T) {
				require.LessOrEqual(t, bytesIn(t, folder), o.MaxBytes)
				backlog := disk.Backlog()
				if len(held) == 0 {
					require.Equal(t, next, out+backlog.Records+told.droppedInAll())
				}
				require.True(t, backlog.Durable)
			},
		})
		if len(held) > 0 {
			disk.Release(nil)
			taken(held)
		}
		for _, number := range drain(t, disk) {
			require.Greater(t, number, last)
			last = number
			out++
		}
		require.Equal(t, next, out+told.droppedInAll())
		require.Zero(t, told.corrupt)
	})
}

// bytesIn is what the segments and spoilt segments of a folder take.
func bytesIn(t require.TestingT, folder string) (bytes int64) {
	files, err := filepath.Glob(filepath.Join(folder, "*.qsp*"))
	require.NoError(t, err)
	for _, file := range files {
		status, err := os.Stat(file)
		require.NoError(t, err)
		bytes += status.Size()
	}
	return bytes
}

func TestRecordsOfAnEarlierRunGoFirst(t *testing.T) {
	folder := t.TempDir()
	told := &witness{}
	earlier := spool.NewDisk(options(folder, told))
	earlier.Append(numbered(0, 100))
	earlier.Close()
	later := spool.NewDisk(options(folder, told))
	require.Equal(t, 100, later.Backlog().Records)
	later.Append(numbered(100, 50))
	require.Equal(t, counting(0, 150), drain(t, later))
	kept, lost := later.Close()
	require.Zero(t, kept)
	require.Zero(t, lost)
}

func TestReleasedRecordsDoNotComeBack(t *testing.T) {
	folder := t.TempDir()
	told := &witness{}
	disk := spool.NewDisk(options(folder, told))
	disk.Append(numbered(0, 100))
	require.Equal(t, counting(0, 30), numbersOf(t, disk.Hold(30, 1<<20)))
	disk.Release(nil)
	held := disk.Hold(30, 1<<20)
	disk.Release(held[10:]) // Ten were acknowledged, then the agent stopped.
	disk.Close()
	disk = spool.NewDisk(options(folder, told))
	defer disk.Close()
	require.Equal(t, counting(40, 60), drain(t, disk))
	require.Empty(t, told.drops)
}

func TestRecordsPastTheAgeBoundGoAndAreCounted(t *testing.T) {
	told := &witness{}
	o := options(t.TempDir(), told)
	clock := newClock()
	o.MaxAge, o.Upkeep, o.Now = time.Minute, 5*time.Millisecond, clock.now
	disk := spool.NewDisk(o)
	defer disk.Close()
	disk.Append(numbered(0, 20))
	clock.pass(time.Minute)
	disk.Append(numbered(20, 20))
	require.Equal(t, time.Minute, disk.Backlog().Oldest)
	clock.pass(time.Second)
	require.Eventually(t, func() bool { return told.dropped(spool.ReasonAge) == 20 }, 30*time.Second, time.Millisecond,
		"without anybody reading")
	require.Equal(t, counting(20, 20), drain(t, disk))
}

// A clock that was wrong when the agent started must not make fresh records old.
func TestAgeOfAnEarlierRunIsNeverNegative(t *testing.T) {
	told := &witness{}
	o := options(t.TempDir(), told)
	clock := newClock()
	o.MaxAge, o.Now = time.Minute, clock.now
	disk := spool.NewDisk(o)
	disk.Append(numbered(0, 5))
	disk.Close()
	clock.pass(time.Minute + time.Second)
	disk = spool.NewDisk(o)
	defer disk.Close()
	require.Empty(t, drain(t, disk), "the age goes on while no agent runs")
	require.Equal(t, 5, told.dropped(spool.ReasonAge))
}

func TestRecordLargerThanTheBoundGoesAlone(t *testing.T) {
	told := &witness{}
	o := options(t.TempDir(), told)
	o.MaxBytes = 4096
	disk := spool.NewDisk(o)
	defer disk.Close()
	large := record(1)
	for i := range 20_000 {
		large.Value = append(large.Value, byte(i*i>>3)^byte(i*7919>>5)^byte(i>>7))
	}
	disk.Append([]spool.Record{record(0), large, record(2)})
	require.Equal(t, []int{0, 2}, drain(t, disk))
	require.Equal(t, 1, told.dropped(spool.ReasonFull))
}
