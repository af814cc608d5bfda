package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// held is what a process holds of BPF, read from the kernel's own lines about its descriptors.
type held struct {
	links    int
	maps     []bpfMap
	programs []bpfProgram
}

type bpfMap struct {
	id, kind   int64
	memlockB   int64
	maxEntries int64
}

type bpfProgram struct {
	id, runNs, runs int64
}

// Kinds of maps whose memory grows with the number of possible CPUs (enum bpf_map_type).
var perCPUKinds = map[int64]bool{5: true, 6: true, 10: true, 21: true}

// heldBy reads /proc/PID/fdinfo. Descriptors that close meanwhile are left out.
func heldBy(pid int) (held, error) {
	var h held
	files, err := filepath.Glob(fmt.Sprintf("/proc/%d/fdinfo/*", pid))
	if err != nil {
		return h, err
	}
	maps, programs := map[int64]bool{}, map[int64]bool{}
	for _, path := range files {
		file, err := os.Open(path)
		if err != nil {
			continue
		}
		fields := fdFields(file)
		file.Close()
		// One map or program may be held by several descriptors.
		if id := fields["map_id"]; id != 0 && !maps[id] {
			maps[id] = true
			h.maps = append(h.maps, bpfMap{id, fields["map_type"], fields["memlock"], fields["max_entries"]})
		}
		_, link := fields["link_id"]
		if link {
			h.links++
		} else if id := fields["prog_id"]; id != 0 && !programs[id] {
			programs[id] = true
			h.programs = append(h.programs, bpfProgram{id, fields["run_time_ns"], fields["run_cnt"]})
		}
	}
	return h, nil
}

// fdFields reads the numbers of lines such as
//
//	map_type:	2
//	memlock:	8392704
//	run_time_ns:	9135
func fdFields(from io.Reader) map[string]int64 {
	fields := map[string]int64{}
	lines := bufio.NewScanner(from)
	for lines.Scan() {
		name, text, _ := strings.Cut(lines.Text(), ":")
		if value, err := strconv.ParseInt(strings.TrimSpace(text), 0, 64); err == nil {
			fields[name] = value
		}
	}
	return fields
}

// mapBytes is the memory of all maps.
func (h held) mapBytes() int64 {
	var total int64
	for _, m := range h.maps {
		total += m.memlockB
	}
	return total
}

// growingBytes is the part of them that grows with the machine's possible CPUs: what the kernel allocates for each of
// them, and arrays that have as many cells for every entry of another map. The virtual machine of
// infra/v2 has 88 possible CPUs and measures the whole.
func (h held) growingBytes(possibleCPUs int64) int64 {
	entries := map[int64]bool{}
	for _, m := range h.maps {
		if m.maxEntries > 1 {
			entries[m.maxEntries] = true
		}
	}
	var total int64
	for _, m := range h.maps {
		if perCPUKinds[m.kind] || possibleCPUs > 1 && m.maxEntries%possibleCPUs == 0 && entries[m.maxEntries/possibleCPUs] {
			total += m.memlockB
		}
	}
	return total
}

// runTime is the time and number of runs of all programs.
func (h held) runTime() (ns, runs int64) {
	for _, p := range h.programs {
		ns, runs = ns+p.runNs, runs+p.runs
	}
	return ns, runs
}

const statsSwitch = "/proc/sys/kernel/bpf_stats_enabled"

// withBpfStats has the kernel time every program run, which costs each run some 20 to 40 ns more, and switches it off again.
func withBpfStats(measure func() error) error {
	before, err := os.ReadFile(statsSwitch)
	if err != nil {
		return err
	}
	if err := os.WriteFile(statsSwitch, []byte("1"), 0o644); err != nil {
		return err
	}
	failed := measure()
	if err := os.WriteFile(statsSwitch, before, 0o644); failed == nil {
		failed = err
	}
	return failed
}
