// Package cgroupfs is the only package that knows the kernel's cgroup and /proc text formats.
// It parses bytes and readers; opening files is the sampler's business.
package cgroupfs

import (
	"bytes"
	"errors"
	"fmt"
	"math"
)

// ErrFormat is returned when a kernel file does not look as documented.
var ErrFormat = errors.New("unexpected format")

// CPUStat is cpu.stat of either hierarchy. On v1:
//
//	nr_periods 15
//	nr_throttled 14
//	throttled_time 1081245383
//	nr_bursts 2
//	burst_time 10000000
//
// On v2 the same quantities in microseconds, with the usage of the cgroup in front:
//
//	usage_usec 331022
//	user_usec 331022
//	system_usec 0
//	nr_periods 15
//	nr_throttled 14
//	throttled_usec 1081245
//	nr_bursts 2
//	burst_usec 10000
//
// Source: Documentation/scheduler/sched-bwc.rst and Documentation/admin-guide/cgroup-v2.rst.
type CPUStat struct {
	// UsageNs is the CPU time of the cgroup and its descendants. Only v2 states it here.
	UsageNs  int64
	HasUsage bool

	// Periods, ThrottledPeriods and ThrottledNs exist with the cpu controller. ThrottledNs is
	// summed over per-CPU run queues and may exceed wall time.
	Periods          int64
	ThrottledPeriods int64
	ThrottledNs      int64
	HasBandwidth     bool

	// Bursts and BurstUsedNs exist from Linux 5.14.
	Bursts      int64
	BurstUsedNs int64
	HasBursts   bool
}

// ParseCPUStat parses cpu.stat without allocating. Unknown keys are ignored, because every kernel
// adds some (core_sched.force_idle_usec, nice_usec); an empty file is a cgroup without counters.
func ParseCPUStat(text []byte) (CPUStat, error) {
	var stat CPUStat
	for len(text) > 0 {
		line := text
		if end := bytes.IndexByte(text, '\n'); end >= 0 {
			line, text = text[:end], text[end+1:]
		} else {
			text = nil
		}
		if len(line) == 0 {
			continue
		}
		space := bytes.IndexByte(line, ' ')
		if space <= 0 {
			return CPUStat{}, fmt.Errorf("cpu.stat: %w: line %q", ErrFormat, line)
		}
		if err := stat.set(line[:space], line[space+1:]); err != nil {
			return CPUStat{}, err
		}
	}
	return stat, nil
}

func (s *CPUStat) set(key, digits []byte) error {
	var field *int64
	scale := int64(1)
	switch string(key) {
	case "usage_usec":
		field, scale, s.HasUsage = &s.UsageNs, 1000, true
	case "nr_periods":
		field, s.HasBandwidth = &s.Periods, true
	case "nr_throttled":
		field = &s.ThrottledPeriods
	case "throttled_time":
		field = &s.ThrottledNs
	case "throttled_usec":
		field, scale = &s.ThrottledNs, 1000
	case "nr_bursts":
		field, s.HasBursts = &s.Bursts, true
	case "burst_time":
		field = &s.BurstUsedNs
	case "burst_usec":
		field, scale = &s.BurstUsedNs, 1000
	default:
		return nil
	}
	value, ok := decimal(digits)
	if !ok || value > math.MaxInt64/scale {
		return fmt.Errorf("cpu.stat: %w: %s is %q", ErrFormat, key, digits)
	}
	*field = value * scale
	return nil
}

// ParseCount parses a file that holds one number and a newline, without allocating:
// cpuacct.usage, pids.current, cpu.shares, cpu.weight, cpu.cfs_period_us, cpu.cfs_burst_us.
func ParseCount(text []byte) (int64, error) {
	value, ok := decimal(trimNewline(text))
	if !ok {
		return 0, fmt.Errorf("%w: %q is not a count", ErrFormat, clip(text))
	}
	return value, nil
}

// decimal parses unsigned decimal digits. strconv wants a string, which would allocate.
func decimal(digits []byte) (int64, bool) {
	if len(digits) == 0 {
		return 0, false
	}
	var value int64
	for _, digit := range digits {
		if digit < '0' || digit > '9' {
			return 0, false
		}
		step := int64(digit - '0')
		if value > (math.MaxInt64-step)/10 {
			return 0, false
		}
		value = value*10 + step
	}
	return value, true
}

func trimNewline(text []byte) []byte {
	if n := len(text); n > 0 && text[n-1] == '\n' {
		return text[:n-1]
	}
	return text
}

func clip(text []byte) []byte { return text[:min(len(text), 80)] }
