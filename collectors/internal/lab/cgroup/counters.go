package cgroup

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// Counters are the kernel's own cumulative counters of one cgroup. The unit of time differs
// between v1 (nanoseconds) and v2 (microseconds), so the raw figures are kept beside ours.
type Counters struct {
	ReadAtUs         int64 `json:"read_at_us"`
	UsageUs          int64 `json:"usage_us"`
	Periods          int64 `json:"periods"`
	ThrottledPeriods int64 `json:"throttled_periods"`
	ThrottledUs      int64 `json:"throttled_us"`
	// Raw maps "file:key" (or the file's name, if it holds one number) to what the kernel wrote.
	Raw map[string]int64 `json:"raw"`
}

// Deltas are what happened between two readings.
type Deltas struct {
	UsageUs          int64 `json:"usage_us"`
	Periods          int64 `json:"periods"`
	ThrottledPeriods int64 `json:"throttled_periods"`
	ThrottledUs      int64 `json:"throttled_us"`
}

// Since returns what happened since an earlier reading. Cumulative figures are floored to
// microseconds before they are subtracted, so that sums over any cutting of time telescope.
func (c Counters) Since(earlier Counters) Deltas {
	return Deltas{
		UsageUs:          c.UsageUs - earlier.UsageUs,
		Periods:          c.Periods - earlier.Periods,
		ThrottledPeriods: c.ThrottledPeriods - earlier.ThrottledPeriods,
		ThrottledUs:      c.ThrottledUs - earlier.ThrottledUs,
	}
}

// ThrottledPeriodRatio is throttled periods / periods; false when no period elapsed.
func (d Deltas) ThrottledPeriodRatio() (float64, bool) {
	if d.Periods == 0 {
		return 0, false
	}
	return float64(d.ThrottledPeriods) / float64(d.Periods), true
}

// countersV1 makes counters of cpu.stat and cpuacct.usage:
//
//	nr_periods 12
//	nr_throttled 3
//	throttled_time 41234567     (ns)
func countersV1(cpuStat, cpuacctUsage string) (Counters, error) {
	usageNs, err := strconv.ParseInt(strings.TrimSpace(cpuacctUsage), 10, 64)
	if err != nil {
		return Counters{}, fmt.Errorf("cpuacct.usage: %w", err)
	}
	stat, err := statKeys(cpuStat, "nr_periods", "nr_throttled", "throttled_time")
	if err != nil {
		return Counters{}, err
	}
	return Counters{
		UsageUs: usageNs / 1000, Periods: stat["nr_periods"], ThrottledPeriods: stat["nr_throttled"],
		ThrottledUs: stat["throttled_time"] / 1000,
		Raw: map[string]int64{"cpuacct.usage": usageNs, "cpu.stat:nr_periods": stat["nr_periods"],
			"cpu.stat:nr_throttled": stat["nr_throttled"], "cpu.stat:throttled_time": stat["throttled_time"]},
	}, nil
}

// countersV2 makes counters of cpu.stat, where all times are microseconds. The bandwidth keys
// are there only while the cpu controller is enabled for the cgroup.
func countersV2(cpuStat string) (Counters, error) {
	stat, err := statKeys(cpuStat, "usage_usec", "nr_periods", "nr_throttled", "throttled_usec")
	if err != nil {
		return Counters{}, err
	}
	return Counters{
		UsageUs: stat["usage_usec"], Periods: stat["nr_periods"], ThrottledPeriods: stat["nr_throttled"],
		ThrottledUs: stat["throttled_usec"],
		Raw: map[string]int64{"cpu.stat:usage_usec": stat["usage_usec"], "cpu.stat:nr_periods": stat["nr_periods"],
			"cpu.stat:nr_throttled": stat["nr_throttled"], "cpu.stat:throttled_usec": stat["throttled_usec"]},
	}, nil
}

// statKeys reads "key number" lines and insists on the wanted keys; newer kernels add others.
func statKeys(text string, wanted ...string) (map[string]int64, error) {
	values := map[string]int64{}
	for _, line := range strings.Split(text, "\n") {
		fields := strings.Fields(line)
		if len(fields) != 2 {
			continue
		}
		value, err := strconv.ParseInt(fields[1], 10, 64)
		if err != nil {
			return nil, fmt.Errorf("cpu.stat: key %s: %w", fields[0], err)
		}
		values[fields[0]] = value
	}
	for _, key := range wanted {
		if _, there := values[key]; !there {
			return nil, fmt.Errorf("cpu.stat has no key %s", key)
		}
	}
	return values, nil
}

// Read reads the counters now.
func (g *Group) Read() (Counters, error) {
	cpuStat, err := os.ReadFile(filepath.Join(g.cpuDir, "cpu.stat"))
	if err != nil {
		return Counters{}, err
	}
	var counters Counters
	if g.version == 2 {
		counters, err = countersV2(string(cpuStat))
	} else {
		var usage []byte
		if usage, err = os.ReadFile(filepath.Join(g.cpuacctDir, "cpuacct.usage")); err != nil {
			return Counters{}, err
		}
		counters, err = countersV1(string(cpuStat), string(usage))
	}
	if err != nil {
		return Counters{}, fmt.Errorf("%s: %w", g.cpuDir, err)
	}
	counters.ReadAtUs = time.Now().UnixMicro()
	return counters, nil
}

// Tasks returns how many tasks (threads) the cgroup holds now.
func (g *Group) Tasks() (int64, error) {
	text, err := os.ReadFile(filepath.Join(g.pidsDir, "pids.current"))
	if err != nil {
		return 0, err
	}
	return strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64)
}
