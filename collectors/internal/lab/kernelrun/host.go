package kernelrun

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// tickHzDefault is what distributions build for servers; the kernel does not tell user space.
const tickHzDefault = 250

func describeHost() (Recording, error) {
	release, err := os.ReadFile("/proc/sys/kernel/osrelease")
	if err != nil {
		return Recording{}, err
	}
	return Recording{KernelRelease: strings.TrimSpace(string(release)), Cpus: runtime.NumCPU(), TickHz: tickHzDefault}, nil
}

func loadAverage() (float64, error) {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return 0, err
	}
	first, _, _ := strings.Cut(string(text), " ")
	load, err := strconv.ParseFloat(first, 64)
	if err != nil {
		return 0, fmt.Errorf("/proc/loadavg: %w", err)
	}
	return load, nil
}

// clockTicks a second is the unit of /proc/stat on every Linux that we run on.
const clockTicks = 100

// Columns of the line "cpu" of /proc/stat.
const (
	statIdle, statIowait, statSteal = 3, 4, 7
	statColumns                     = 8
)

// machineTime is what all CPUs together have done since the start of the machine.
type machineTime struct {
	at                     time.Time
	cpus                   int
	idleTicks, stolenTicks int64
}

func readMachine() (machineTime, error) {
	text, err := os.ReadFile("/proc/stat")
	if err != nil {
		return machineTime{}, err
	}
	return parseMachine(string(text), runtime.NumCPU(), time.Now())
}

func parseMachine(stat string, cpus int, at time.Time) (machineTime, error) {
	line, _, _ := strings.Cut(stat, "\n")
	name, rest, _ := strings.Cut(line, " ")
	ticks, err := integers(rest)
	if err != nil || name != "cpu" || len(ticks) < statColumns {
		return machineTime{}, errors.Join(fmt.Errorf("/proc/stat begins with %q", line), err)
	}
	return machineTime{at: at, cpus: cpus, idleTicks: ticks[statIdle] + ticks[statIowait], stolenTicks: ticks[statSteal]}, nil
}

// others says how many cores were busy since an earlier reading beside who used usedUs of CPU time, and how
// many of them the host of the virtual machine had taken.
func (m machineTime) others(earlier machineTime, usedUs int64) (cores, stolen float64) {
	seconds := m.at.Sub(earlier.at).Seconds()
	idle := float64(m.idleTicks-earlier.idleTicks) / clockTicks / seconds
	stolen = float64(m.stolenTicks-earlier.stolenTicks) / clockTicks / seconds
	return max(0, float64(m.cpus)-idle-float64(usedUs)/1e6/seconds), stolen
}
