package recordsize

import (
	"fmt"
	"io"
)

// Goals of the wire contract for a record in zstd batches of 30: without and with the optional features. Bytes.
const (
	CoreGoal     = 150
	OptionalGoal = 250
)

// Print writes the report as a table: groups, then, if wanted, every field.
func (r Report) Print(out io.Writer, fields bool) error {
	lines := &lines{out: out}
	lines.printf("%d CpuUsageWindow records, Kafka batches of %d, zstd; bytes per record\n\n", r.Records, r.BatchSize)
	lines.costs("group", r.Groups, r.Raw)
	lines.printf("%-26s %8.1f %8s %10.1f\n\n", "record in its batch", r.Raw, "", r.KafkaBatch)
	if fields {
		lines.costs("field", r.Fields, r.Raw)
		lines.printf("\n")
	}
	lines.printf("goal: %d core, %d with every optional feature; this sample: %.1f\n", CoreGoal, OptionalGoal, r.KafkaBatch)
	lines.printf("zstd of a line: what the batch gets smaller without it. Lines help each other compress, so they need not add up.\n")
	return lines.err
}

type lines struct {
	out io.Writer
	err error
}

func (l *lines) printf(format string, arguments ...any) {
	if l.err == nil {
		_, l.err = fmt.Fprintf(l.out, format, arguments...)
	}
}

func (l *lines) costs(heading string, costs []Cost, total float64) {
	l.printf("%-26s %8s %8s %10s\n", heading, "raw", "share", "zstd")
	for _, cost := range costs {
		l.printf("%-26s %8.1f %7.1f%% %10.1f\n", cost.Name, cost.Raw, 100*cost.Raw/total, cost.Compressed)
	}
}
