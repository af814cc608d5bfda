package recording

import (
	"reflect"
	"strconv"

	"github.com/quotascope/quotascope/collectors/internal/cgroupfs"
	"github.com/quotascope/quotascope/collectors/internal/usagewindow"
)

// magic is the first line of a recording; its number is the version of the form that README.md describes.
const magic = "# quotascope-recording 1"

// Kinds of rows. README.md states their columns.
const (
	kindShard            = "shard"
	kindLimits           = "limits"
	kindSample           = "sample"
	kindSlice            = "slice"
	kindUsage            = "usage"
	kindStat             = "stat"
	kindAncestorStat     = "ancestor_stat"
	kindThreads          = "threads"
	kindRunnable         = "runnable"
	kindThrottledWall    = "throttled_wall"
	kindPeriodPhase      = "period_phase"
	kindExcursionThreads = "excursion_threads"
	kindHardware         = "hardware"
	kindSlotsPerSample   = "slots_per_sample"
	kindLean             = "lean"
	kindSkipped          = "skipped"
	kindRestart          = "restart_counters"
	kindRetire           = "retire"
	kindBaseline         = "baseline"
	kindCut              = "cut"
	kindFinish           = "finish"
)

// noList is the cell of a list that is absent, which is not the same as an empty one.
const noList = "absent"

func appendNumbers(dst []byte, kind string, numbers ...int64) []byte {
	dst = append(dst, kind...)
	for _, number := range numbers {
		dst = strconv.AppendInt(append(dst, ','), number, 10)
	}
	return append(dst, '\n')
}

// appendStat leaves the cells of counters empty that the kernel does not state.
func appendStat(dst []byte, kind string, shard int64, stat cgroupfs.CPUStat) []byte {
	dst = strconv.AppendInt(append(append(dst, kind...), ','), shard, 10)
	if stat.HasBandwidth {
		for _, count := range [...]int64{stat.Periods, stat.ThrottledPeriods, stat.ThrottledNs} {
			dst = strconv.AppendInt(append(dst, ','), count, 10)
		}
	} else {
		dst = append(dst, ",,,"...)
	}
	if stat.HasBursts {
		dst = strconv.AppendInt(append(dst, ','), stat.Bursts, 10)
		dst = strconv.AppendInt(append(dst, ','), stat.BurstUsedNs, 10)
	} else {
		dst = append(dst, ",,"...)
	}
	return append(dst, '\n')
}

func appendOptional[N int32 | int64](dst []byte, kind string, shard int64, number *N) []byte {
	dst = append(strconv.AppendInt(append(append(dst, kind...), ','), shard, 10), ',')
	if number != nil {
		dst = strconv.AppendInt(dst, int64(*number), 10)
	}
	return append(dst, '\n')
}

func appendThreads(dst []byte, shard int64, threads []usagewindow.ExcursionThread) []byte {
	dst = strconv.AppendInt(append(append(dst, kindExcursionThreads...), ','), shard, 10)
	if threads == nil {
		dst = append(append(dst, ','), noList...)
	}
	for _, thread := range threads {
		dst = append(appendText(append(dst, ','), thread.Comm), ',')
		dst = strconv.AppendInt(dst, thread.UsageUs, 10)
	}
	return append(dst, '\n')
}

// appendStated appends a row of a number and all fields of a struct.
func appendStated(dst []byte, kind string, number int64, value any) []byte {
	dst = strconv.AppendInt(append(append(dst, kind...), ','), number, 10)
	return append(appendFields(dst, "", reflect.ValueOf(value)), '\n')
}

// appendHeader appends what a replay must know of the agent.
func appendHeader(dst []byte, options Options) []byte {
	dst = append(append(dst, magic...), "\n# agent"...)
	dst = appendFields(dst, "", reflect.ValueOf(options.Agent))
	if options.Anonymous {
		dst = append(dst, "\n# anonymous"...)
	}
	return append(dst, '\n')
}
