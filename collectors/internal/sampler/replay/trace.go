// Package replay plays recorded readings of real cgroups through the same windowing as live ones.
package replay

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/quotascope/quotascope/collectors/internal/cfs"
	"github.com/quotascope/quotascope/collectors/internal/cgroupfs"
	"github.com/quotascope/quotascope/collectors/internal/usagewindow"
)

// ErrTrace is returned for text that is not a trace; the message names line and reason.
var ErrTrace = errors.New("not a usable trace")

const (
	magic   = "# quotascope-trace 1"
	columns = "slot,cgroup,at_ns,late_us,usage_ns,periods,throttled_periods,throttled_ns,bursts,burst_used_ns,threads"
)

// Trace is the readings of one or several cgroups of one host, one reading per cgroup and slot.
type Trace struct {
	Kernel  string
	Version cgroupfs.Version
	TickHz  int32
	Cpus    int
	// About says in words what was recorded and where it comes from.
	About   string
	Cgroups []Cgroup
	// Slots is the number of the last slot; slot 0 is the reading before the first slice.
	Slots int64
}

// Cgroup is one recorded cgroup.
type Cgroup struct {
	Path   string
	Limits usagewindow.Limits
	// Readings are indexed by slot. One that was missed is nil.
	Readings []*Reading
}

// Reading is what was read at the end of one slot. Counters are cumulative, as the kernel states
// them, from any start.
type Reading struct {
	AtNs    int64
	LateUs  int64
	UsageNs int64
	Stat    cgroupfs.CPUStat
	// Threads is nil where pids.current was not read.
	Threads *int64
}

// Parse reads the text form of a trace, described in README.md of this folder.
func Parse(r io.Reader) (*Trace, error) {
	scanner := bufio.NewScanner(r)
	trace, ids := &Trace{}, map[string]int{}
	line, inRows := 0, false
	for scanner.Scan() {
		line++
		text := scanner.Text()
		var err error
		switch {
		case line == 1:
			if text != magic {
				err = fmt.Errorf("first line must be %q", magic)
			}
		case !inRows && strings.HasPrefix(text, "# "):
			err = trace.header(text[2:], ids)
		case !inRows:
			inRows = true
			if text != columns {
				err = fmt.Errorf("columns must be %q", columns)
			}
		default:
			err = trace.row(strings.Split(text, ","), ids)
		}
		if err != nil {
			return nil, fmt.Errorf("%w: line %d: %w", ErrTrace, line, err)
		}
	}
	if err := scanner.Err(); err != nil {
		return nil, fmt.Errorf("%w: line %d: %w", ErrTrace, line, err)
	}
	return trace, trace.check()
}

func (t *Trace) header(text string, ids map[string]int) (err error) {
	key, value, _ := strings.Cut(text, " ")
	switch key {
	case "kernel":
		t.Kernel = value
	case "cgroup_version":
		t.Version = cgroupfs.Version(value)
	case "tick_hz":
		var hz int64
		hz, err = strconv.ParseInt(value, 10, 32)
		t.TickHz = int32(hz)
	case "cpus":
		t.Cpus, err = strconv.Atoi(value)
	case "about":
		t.About = strings.TrimSpace(t.About + " " + value)
	case "cgroup":
		return t.cgroup(strings.Fields(value), ids)
	default:
		return fmt.Errorf("unknown heading %q", key)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", key, err)
	}
	return nil
}

// cgroup parses "1 /path quota_us=50000 period_us=100000 burst_us=0 cpu_shares=1024"; a cgroup
// without quota_us is unlimited.
func (t *Trace) cgroup(words []string, ids map[string]int) error {
	if len(words) < 2 || !strings.HasPrefix(words[1], "/") {
		return errors.New("cgroup needs a number and a path")
	}
	if _, twice := ids[words[0]]; twice {
		return fmt.Errorf("cgroup %s is stated twice", words[0])
	}
	made := Cgroup{Path: words[1]}
	for _, word := range words[2:] {
		key, text, _ := strings.Cut(word, "=")
		value, err := strconv.ParseInt(text, 10, 64)
		if err != nil || value < 0 {
			return fmt.Errorf("cgroup %s: %q is not a count", words[0], word)
		}
		switch key {
		case "quota_us":
			made.Limits.Limit.QuotaUs, made.Limits.Limited = value, true
		case "period_us":
			made.Limits.Limit.PeriodUs, made.Limits.PeriodUs = value, &value
		case "burst_us":
			made.Limits.BurstUs = &value
		case "cpu_shares":
			made.Limits.CPUShares = &value
		default:
			return fmt.Errorf("cgroup %s: unknown setting %q", words[0], key)
		}
	}
	if l := made.Limits; l.Limited && (l.Limit == cfs.Bandwidth{QuotaUs: l.Limit.QuotaUs} || l.Limit.QuotaUs == 0) {
		return fmt.Errorf("cgroup %s: a quota needs a period, and is not 0", words[0])
	}
	ids[words[0]] = len(t.Cgroups)
	t.Cgroups = append(t.Cgroups, made)
	return nil
}

func (t *Trace) row(cells []string, ids map[string]int) error {
	const width = 11
	if len(cells) != width {
		return fmt.Errorf("%d columns, not %d", len(cells), width)
	}
	var numbers [width]int64
	for i, cell := range cells {
		if i == 1 || cell == "" && i > 4 {
			continue
		}
		value, err := strconv.ParseInt(cell, 10, 64)
		if err != nil || value < 0 {
			return fmt.Errorf("column %d: %q is not a count", i+1, cell)
		}
		numbers[i] = value
	}
	at, known := ids[cells[1]]
	if !known {
		return fmt.Errorf("cgroup %q was not stated", cells[1])
	}
	cgroup, slot := &t.Cgroups[at], numbers[0]
	if slot < int64(len(cgroup.Readings)) || slot > 1<<24 {
		return fmt.Errorf("slot %d is out of order or out of range", slot)
	}
	for int64(len(cgroup.Readings)) < slot {
		cgroup.Readings = append(cgroup.Readings, nil)
	}
	reading := &Reading{AtNs: numbers[2], LateUs: numbers[3], UsageNs: numbers[4], Stat: cgroupfs.CPUStat{
		Periods: numbers[5], ThrottledPeriods: numbers[6], ThrottledNs: numbers[7], HasBandwidth: cells[5] != "",
		Bursts: numbers[8], BurstUsedNs: numbers[9], HasBursts: cells[8] != "",
	}}
	if cells[10] != "" {
		reading.Threads = &numbers[10]
	}
	cgroup.Readings = append(cgroup.Readings, reading)
	t.Slots = max(t.Slots, slot)
	return nil
}

func (t *Trace) check() error {
	switch {
	case t.Kernel == "" || t.Cpus <= 0:
		return fmt.Errorf("%w: kernel and cpus must be stated", ErrTrace)
	case t.Version != cgroupfs.V1 && t.Version != cgroupfs.V2 && t.Version != cgroupfs.Hybrid:
		return fmt.Errorf("%w: cgroup_version %q", ErrTrace, t.Version)
	case t.Slots < 1:
		return fmt.Errorf("%w: fewer than two slots", ErrTrace)
	}
	for _, cgroup := range t.Cgroups {
		if len(cgroup.Readings) == 0 || cgroup.Readings[0] == nil {
			return fmt.Errorf("%w: %s has no reading at slot 0", ErrTrace, cgroup.Path)
		}
		if cgroup.Readings[len(cgroup.Readings)-1].UsageNs < cgroup.Readings[0].UsageNs {
			return fmt.Errorf("%w: %s: usage goes backwards", ErrTrace, cgroup.Path)
		}
	}
	return nil
}
