package main

import (
	"fmt"
	"io"
	"slices"
)

// course is everything that was seen of one back end.
type course struct {
	before, during, after []look
	created, outages      int
	delivered             delivered
}

// What may change. A process is flat when its last third of the churn is where its first third was, and when the calm after
// the churn is where the calm before it was.
const (
	// rssGrowth is the part by which resident memory may rise from the first to the last third, for noise.
	rssGrowth = 0.05
	// rssSlackKiB is what it may rise by in any case: the garbage collector's steps.
	rssSlackKiB = 4096
	// descriptorSlack, watchSlack and goroutineSlack are for connections that come and go.
	descriptorSlack = 4
	goroutineSlack  = 8
)

type verdict struct {
	faults []string
	lines  []string
}

func median(looks []look, of func(look) int64) int64 {
	values := make([]int64, 0, len(looks))
	for _, each := range looks {
		values = append(values, of(each))
	}
	slices.Sort(values)
	if len(values) == 0 {
		return 0
	}
	return values[len(values)/2]
}

// judge compares thirds of the churn, and the calm after it with the calm before it.
func judge(c course) (v verdict) {
	third := len(c.during) / 3
	if third == 0 || len(c.before) == 0 || len(c.after) == 0 {
		return verdict{faults: []string{"the run was too short to compare anything"}}
	}
	first, last := c.during[:third], c.during[len(c.during)-third:]
	for _, what := range []struct {
		name            string
		of              func(look) int64
		growth          float64
		slack           int64
		returnsToBefore bool
	}{
		{"resident KiB", func(l look) int64 { return l.rssKiB }, rssGrowth, rssSlackKiB, false},
		{"descriptors", func(l look) int64 { return l.descriptors }, 0.25, descriptorSlack, true},
		{"inotify watches", func(l look) int64 { return l.watches }, 0.25, descriptorSlack, true},
		{"goroutines", func(l look) int64 { return l.goroutines }, 0, goroutineSlack, true},
		{"threads", func(l look) int64 { return l.threads }, 0, goroutineSlack, false},
	} {
		was, is := median(first, what.of), median(last, what.of)
		before, after := median(c.before, what.of), median(c.after, what.of)
		v.lines = append(v.lines, fmt.Sprintf("| %s | %d | %d | %d | %d |", what.name, before, was, is, after))
		if limit := was + int64(what.growth*float64(was)) + what.slack; is > limit {
			v.faults = append(v.faults, fmt.Sprintf("%s rose from %d to %d during the churn (at most %d is flat)", what.name, was, is, limit))
		}
		if what.returnsToBefore && after > before+what.slack {
			v.faults = append(v.faults, fmt.Sprintf("%s were %d before the churn and %d after it", what.name, before, after))
		}
	}
	if c.delivered.missing > 0 {
		v.faults = append(v.faults, fmt.Sprintf("%d records are missing on the topics", c.delivered.missing))
	}
	if c.delivered.windows == 0 || c.delivered.hosts == 0 {
		v.faults = append(v.faults, "no record arrived")
	}
	return v
}

func (v verdict) write(to io.Writer, backend string, c course) {
	fmt.Fprintf(to, "\n## %s\n\n", backend)
	fmt.Fprintf(to, "%d cgroups created and removed, Kafka away %d times; %d shard and %d host records arrived, %d missing, %d repeated.\n\n",
		c.created, c.outages, c.delivered.windows, c.delivered.hosts, c.delivered.missing, c.delivered.repeated)
	fmt.Fprint(to, "| median of | before | first third of the churn | last third | after |\n|---|---|---|---|---|\n")
	for _, line := range v.lines {
		fmt.Fprintln(to, line)
	}
	if len(v.faults) == 0 {
		fmt.Fprint(to, "\nFlat.\n")
	}
	for _, fault := range v.faults {
		fmt.Fprintf(to, "\n**Fault:** %s.\n", fault)
	}
}
