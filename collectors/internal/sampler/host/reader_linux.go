// Package host reads what is stated once per window about the host and about the agent itself, the same for every back end.
package host

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime"

	"github.com/quotascope/quotascope/collectors/internal/cgroupfs"
	"github.com/quotascope/quotascope/collectors/internal/sampler"
	"golang.org/x/sys/unix"
)

// Reader reads below one /proc.
type Reader struct {
	procRoot string
	release  string
	version  cgroupfs.Version
}

// NewReader asks for what stays the same while the agent runs.
func NewReader(procRoot string, version cgroupfs.Version) (*Reader, error) {
	var name unix.Utsname
	if err := unix.Uname(&name); err != nil {
		return nil, fmt.Errorf("uname: %w", err)
	}
	return &Reader{procRoot: procRoot, release: unix.ByteSliceToString(name.Release[:]), version: version}, nil
}

// Release is the kernel's.
func (r *Reader) Release() string { return r.release }

// Read returns what is stated now. What cannot be read is absent.
func (r *Reader) Read() sampler.HostReading {
	reading := sampler.HostReading{KernelRelease: r.release, Version: r.version, Cpus: runtime.NumCPU()}
	if stat, err := r.procStat(); err == nil {
		reading.Proc, reading.Cpus = &stat, stat.Cpus
	}
	if text, err := os.ReadFile(filepath.Join(r.procRoot, "loadavg")); err == nil {
		if load, err := cgroupfs.ParseLoadavg(text); err == nil {
			reading.Load = &load
		}
	}
	var now unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_MONOTONIC, &now); err == nil {
		reading.AtNs = now.Nano()
	}
	var usage unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &usage); err == nil {
		reading.AgentCPUUs = (usage.Utime.Nano() + usage.Stime.Nano()) / 1000
	}
	if text, err := os.ReadFile("/proc/self/statm"); err == nil {
		if pages, err := cgroupfs.ResidentPages(text); err == nil {
			reading.AgentRSSBytes = pages * int64(os.Getpagesize())
		}
	}
	return reading
}

func (r *Reader) procStat() (cgroupfs.ProcStat, error) {
	text, err := os.ReadFile(filepath.Join(r.procRoot, "stat"))
	if err != nil {
		return cgroupfs.ProcStat{}, err
	}
	return cgroupfs.ParseProcStat(bytes.NewReader(text))
}
