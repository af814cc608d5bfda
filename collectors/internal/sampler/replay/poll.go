package replay

import (
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"strconv"

	"github.com/quotascope/quotascope/collectors/internal/cgroupfs"
	"github.com/quotascope/quotascope/collectors/internal/usagewindow"
)

// pollColumns are the columns of a poll recording, whose counters are deltas per reading.
var pollColumns = []string{"i", "sched_ns", "read_ns", "late_us", "dt_us", "usage_ns", "cpus_raw", "cpus",
	"nr_periods", "nr_throttled", "throttled_ns", "nr_bursts", "burst_ns"}

// ConvertPoll turns a poll recording of one cgroup into readings of cumulative counters that begin at
// 0. threads may be nil.
func ConvertPoll(r io.Reader, threads *int64) ([]*Reading, error) {
	rows, err := csv.NewReader(r).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrTrace, err)
	}
	if len(rows) < 2 || fmt.Sprint(rows[0]) != fmt.Sprint(pollColumns) {
		return nil, fmt.Errorf("%w: a poll recording has the columns %v", ErrTrace, pollColumns)
	}
	stat := cgroupfs.CPUStat{HasBandwidth: true, HasBursts: true}
	var readings []*Reading
	var usageNs, firstSchedNs int64
	for i, row := range rows[1:] {
		numbers := make([]int64, len(row))
		for j, cell := range row {
			value, err := strconv.ParseFloat(cell, 64)
			if err != nil || value < 0 {
				return nil, fmt.Errorf("%w: line %d: %q is not a count", ErrTrace, i+2, cell)
			}
			numbers[j] = int64(math.Round(value))
		}
		if i == 0 {
			firstSchedNs = numbers[1]
			elapsedUs, err := strconv.ParseFloat(row[4], 64)
			if err != nil {
				return nil, fmt.Errorf("%w: line 2: dt_us: %w", ErrTrace, err)
			}
			readings = append(readings, &Reading{AtNs: numbers[2] - int64(elapsedUs*1000), Stat: stat, Threads: threads})
		}
		usageNs += numbers[5]
		stat.Periods += numbers[8]
		stat.ThrottledPeriods += numbers[9]
		stat.ThrottledNs += numbers[10]
		stat.Bursts += numbers[11]
		stat.BurstUsedNs += numbers[12]
		const slotNs = usagewindow.SampleIntervalUs * 1000
		for slot := (numbers[1]-firstSchedNs+slotNs/2)/slotNs + 1; int64(len(readings)) < slot; {
			readings = append(readings, nil)
		}
		readings = append(readings, &Reading{AtNs: numbers[2], LateUs: numbers[3], UsageNs: usageNs, Stat: stat, Threads: threads})
	}
	return readings, nil
}
