// Package machine says on what a bench ran, and how busy it was with other things.
package machine

import (
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// Machine is what a reader needs to know before believing a figure.
type Machine struct {
	Model string `json:"model"`
	Cpus  int    `json:"cpus"`
	// PossibleCpus is how many the kernel allocates for.
	PossibleCpus int    `json:"possible_cpus"`
	Kernel       string `json:"kernel"`
	// At is when the bench began.
	At string `json:"at"`
	// LoadBefore and LoadAfter are the three averages of /proc/loadavg.
	LoadBefore string `json:"load_before"`
	LoadAfter  string `json:"load_after"`
	// StealRatio is the share of CPU time that the hypervisor took during the bench.
	StealRatio float64 `json:"steal_ratio"`

	steal, all int64
}

// Cpus is how many CPUs this process may use.
func Cpus() int { return runtime.NumCPU() }

// PossibleCpus is how many CPUs the kernel is prepared for, from a list such as "0-87".
func PossibleCpus() int { return possible(firstLine("/sys/devices/system/cpu/possible")) }

func possible(list string) int {
	_, last, isRange := strings.Cut(list, "-")
	highest, err := strconv.Atoi(last)
	if !isRange || err != nil {
		return Cpus()
	}
	return highest + 1
}

// Describe looks at the machine before a bench.
func Describe() *Machine {
	m := &Machine{Model: model(), Cpus: Cpus(), PossibleCpus: PossibleCpus(), Kernel: firstLine("/proc/sys/kernel/osrelease"),
		At: time.Now().UTC().Format("2006-01-02 15:04 UTC"), LoadBefore: load()}
	m.steal, m.all = cpuTimes(firstLine("/proc/stat"))
	return m
}

// End looks again after it.
func (m *Machine) End() {
	m.LoadAfter = load()
	steal, all := cpuTimes(firstLine("/proc/stat"))
	if all > m.all {
		m.StealRatio = float64(steal-m.steal) / float64(all-m.all)
	}
}

// String is the machine in one sentence.
func (m *Machine) String() string {
	return fmt.Sprintf("%d CPUs %s, kernel %s, %s, load average %s before and %s after, %.1f %% stolen by the hypervisor",
		m.Cpus, m.Model, m.Kernel, m.At, m.LoadBefore, m.LoadAfter, m.StealRatio*100)
}

func load() string {
	words := strings.Fields(firstLine("/proc/loadavg"))
	return strings.Join(words[:min(3, len(words))], " ")
}

func model() string {
	text, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return "of unknown model"
	}
	for line := range strings.Lines(string(text)) {
		if key, value, found := strings.Cut(line, ":"); found && strings.TrimSpace(key) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return "of unknown model"
}

func firstLine(path string) string {
	text, err := os.ReadFile(path)
	if err != nil {
		return ""
	}
	line, _, _ := strings.Cut(string(text), "\n")
	return line
}

// cpuTimes reads the first line of /proc/stat, in ticks:
//
//	cpu  57705 1180 9595 91003 1417 0 292 75 0 0
//
// of which the eighth number is steal; the guest's times that follow are part of the first two.
func cpuTimes(line string) (steal, all int64) {
	for k, word := range strings.Fields(line) {
		var ticks int64
		if _, err := fmt.Sscan(word, &ticks); err != nil || k > 8 {
			continue
		}
		all += ticks
		if k == 8 {
			steal = ticks
		}
	}
	return steal, all
}
