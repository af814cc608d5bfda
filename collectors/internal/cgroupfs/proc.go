package cgroupfs

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"strings"
)

// userHzUs is the length of one tick of /proc/stat, USER_HZ, which is 100 on every architecture
// that Linux runs on today, whatever CONFIG_HZ is.
const userHzUs = 10_000

// ProcStat is what HostWindow needs of /proc/stat:
//
//	cpu  12813 14027 6385 277466 850 0 223 89 0 0
//	cpu0 3546 6630 2461 143074 118 0 27 41 0 0
//	ctxt 995996
//
// The columns of cpu are user, nice, system, idle, iowait, irq, softirq, steal, guest, guest_nice.
type ProcStat struct {
	IrqUs           int64
	StealUs         int64
	ContextSwitches int64
	// Cpus counts the cpuN lines: CPUs online.
	Cpus int
}

// ParseProcStat parses /proc/stat. The intr line can be longer than a scanner's buffer, so lines are
// read in pieces and only the wanted ones are kept.
func ParseProcStat(r io.Reader) (ProcStat, error) {
	var stat ProcStat
	var sawCPU, sawSwitches bool
	reader := bufio.NewReaderSize(r, 4096)
	for {
		line, isPrefix, err := reader.ReadLine()
		if err == io.EOF {
			break
		}
		if err != nil {
			return ProcStat{}, fmt.Errorf("/proc/stat: %w", err)
		}
		fields := bytes.Fields(line)
		switch {
		case len(fields) == 0:
		case string(fields[0]) == "cpu":
			if err := stat.setTimes(fields); err != nil {
				return ProcStat{}, err
			}
			sawCPU = true
		case bytes.HasPrefix(fields[0], []byte("cpu")):
			stat.Cpus++
		case string(fields[0]) == "ctxt" && len(fields) == 2:
			value, ok := decimal(fields[1])
			if !ok {
				return ProcStat{}, fmt.Errorf("/proc/stat: %w: ctxt %q", ErrFormat, fields[1])
			}
			stat.ContextSwitches, sawSwitches = value, true
		}
		for isPrefix && err == nil {
			_, isPrefix, err = reader.ReadLine()
		}
	}
	if !sawCPU || !sawSwitches || stat.Cpus == 0 {
		return ProcStat{}, fmt.Errorf("/proc/stat: %w: no cpu or ctxt line", ErrFormat)
	}
	return stat, nil
}

func (s *ProcStat) setTimes(fields [][]byte) error {
	const irq, softirq, steal = 6, 7, 8
	if len(fields) <= steal {
		return fmt.Errorf("/proc/stat: %w: cpu line of %d columns", ErrFormat, len(fields))
	}
	var ticks [3]int64
	for i, column := range []int{irq, softirq, steal} {
		value, ok := decimal(fields[column])
		if !ok || value > 1<<62/userHzUs {
			return fmt.Errorf("/proc/stat: %w: cpu column %d is %q", ErrFormat, column, fields[column])
		}
		ticks[i] = value
	}
	s.IrqUs, s.StealUs = (ticks[0]+ticks[1])*userHzUs, ticks[2]*userHzUs
	return nil
}

// Loadavg is the task count of /proc/loadavg: "1.61 0.87 0.45 3/110 15336" is 3 runnable of 110.
type Loadavg struct {
	RunnableThreads int64
	Threads         int64
}

// ParseLoadavg parses /proc/loadavg.
func ParseLoadavg(text []byte) (Loadavg, error) {
	fields := bytes.Fields(text)
	if len(fields) != 5 {
		return Loadavg{}, fmt.Errorf("/proc/loadavg: %w: %q", ErrFormat, clip(text))
	}
	runnable, total, _ := bytes.Cut(fields[3], []byte("/"))
	runnableCount, okRunnable := decimal(runnable)
	totalCount, okTotal := decimal(total)
	if !okRunnable || !okTotal {
		return Loadavg{}, fmt.Errorf("/proc/loadavg: %w: %q", ErrFormat, clip(text))
	}
	return Loadavg{RunnableThreads: runnableCount, Threads: totalCount}, nil
}

// ResidentPages parses /proc/self/statm ("5213 1604 1022 ..."): its second column is resident pages.
func ResidentPages(text []byte) (int64, error) {
	fields := strings.Fields(string(text))
	if len(fields) < 2 {
		return 0, fmt.Errorf("/proc/self/statm: %w: %q", ErrFormat, clip(text))
	}
	return ParseCount([]byte(fields[1]))
}
