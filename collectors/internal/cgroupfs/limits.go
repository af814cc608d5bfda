package cgroupfs

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/quotascope/quotascope/collectors/internal/cfs"
)

// ParseCPUMax parses cpu.max of v2, which holds the quota, or the word max, and the period:
//
//	50000 100000
//	max 100000
//
// limited is false for max; the period is then still in force for descendants and is returned.
func ParseCPUMax(text []byte) (limit cfs.Bandwidth, limited bool, err error) {
	fields := bytes.Fields(text)
	if len(fields) != 2 {
		return cfs.Bandwidth{}, false, fmt.Errorf("cpu.max: %w: %q", ErrFormat, clip(text))
	}
	period, ok := decimal(fields[1])
	if !ok || period == 0 {
		return cfs.Bandwidth{}, false, fmt.Errorf("cpu.max: %w: period %q", ErrFormat, fields[1])
	}
	if string(fields[0]) == "max" {
		return cfs.Bandwidth{PeriodUs: period}, false, nil
	}
	quota, ok := decimal(fields[0])
	if !ok || quota == 0 {
		return cfs.Bandwidth{}, false, fmt.Errorf("cpu.max: %w: quota %q", ErrFormat, fields[0])
	}
	return cfs.Bandwidth{QuotaUs: quota, PeriodUs: period}, true, nil
}

// ParseCFSQuota parses cpu.cfs_quota_us and cpu.cfs_period_us of v1. A quota of -1 is unlimited.
func ParseCFSQuota(quotaText, periodText []byte) (limit cfs.Bandwidth, limited bool, err error) {
	period, err := ParseCount(periodText)
	if err != nil || period == 0 {
		return cfs.Bandwidth{}, false, fmt.Errorf("cpu.cfs_period_us: %w: %q", ErrFormat, clip(periodText))
	}
	digits := trimNewline(quotaText)
	if string(digits) == "-1" {
		return cfs.Bandwidth{PeriodUs: period}, false, nil
	}
	quota, ok := decimal(digits)
	if !ok || quota == 0 {
		return cfs.Bandwidth{}, false, fmt.Errorf("cpu.cfs_quota_us: %w: %q", ErrFormat, clip(quotaText))
	}
	return cfs.Bandwidth{QuotaUs: quota, PeriodUs: period}, true, nil
}

// SharesOfWeight converts cpu.weight (v2, default 100) to cpu.shares (v1, default 1024) as the
// kernel does: both are the same load weight, rounded to the nearest.
func SharesOfWeight(weight int64) int64 { return (weight*1024 + 50) / 100 }

// ParseCpuset parses cpuset.cpus, cpuset.effective_cpus or cpuset.cpus.effective: "0-3,8". The
// kernel's list is kept as it is; an empty one (v2 without an own set) is reported as absent.
func ParseCpuset(text []byte) (cpus string, present bool, err error) {
	cpus = strings.TrimSpace(string(text))
	if strings.Trim(cpus, "0123456789-,") != "" {
		return "", false, fmt.Errorf("cpuset: %w: %q", ErrFormat, clip(text))
	}
	return cpus, cpus != "", nil
}

// mostCpus bounds the numbers of a CPU list; Linux supports 8,192.
const mostCpus = 1 << 16

// CountCpus counts the CPUs of a list as the kernel writes it: "0-3,8" is 5. Ranges rise and do not
// overlap. The empty list is 0.
func CountCpus(list string) (int32, error) {
	var count, least int64
	for rest := list; rest != ""; {
		var group string
		group, rest, _ = strings.Cut(rest, ",")
		from, to, isRange := strings.Cut(group, "-")
		if !isRange {
			to = from
		}
		first, okFirst := decimal([]byte(from))
		last, okLast := decimal([]byte(to))
		if !okFirst || !okLast || first < least || last < first || last >= mostCpus {
			return 0, fmt.Errorf("CPU list: %w: %q", ErrFormat, clip([]byte(list)))
		}
		count += last - first + 1
		least = last + 1
	}
	return int32(count), nil
}
