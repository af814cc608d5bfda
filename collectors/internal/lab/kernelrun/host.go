package kernelrun

import (
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
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
