package recording_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/quotascope/quotascope/collectors/internal/identity"
	"github.com/quotascope/quotascope/collectors/internal/sampler"
	"github.com/quotascope/quotascope/collectors/internal/sampler/replay"
	"github.com/quotascope/quotascope/collectors/internal/usagewindow"
	"github.com/quotascope/quotascope/schemas"
)

// filledTable is the table of the README of this module: record, field, column -> what is promised.
func filledTable(t *testing.T) map[string]map[string]map[string]string {
	text, err := os.ReadFile("../../../README.md")
	require.NoError(t, err)
	table, record := map[string]map[string]map[string]string{}, ""
	for _, line := range strings.Split(string(text), "\n") {
		if heading, isHeading := strings.CutPrefix(line, "### "); isHeading {
			record = heading
			table[record] = map[string]map[string]string{}
		}
		cells := strings.Split(line, " | ")
		if len(cells) != 4 || !strings.HasPrefix(line, "| `") {
			continue
		}
		field := strings.Trim(cells[0], "|` ")
		table[record][field] = map[string]string{
			"tick_poll": cells[1], "ebpf": cells[2], "replay": strings.TrimSuffix(cells[3], " |"),
		}
	}
	return table
}

func TestEveryFieldOfTheSchemasIsInTheTable(t *testing.T) {
	table := filledTable(t)
	for _, text := range []string{schemas.CpuUsageWindow, schemas.HostWindow} {
		var schema struct {
			Name   string
			Fields []struct{ Name string }
		}
		require.NoError(t, json.Unmarshal([]byte(text), &schema))
		for _, field := range schema.Fields {
			require.Contains(t, table[schema.Name], field.Name, "say in collectors/README.md which back end fills it")
		}
		require.Len(t, table[schema.Name], len(schema.Fields), "the table names fields that are gone")
	}
}

// tally is how often a field was there, and how often it held something.
type tally struct{ records, present, nonZero int }

func tallyOf(records []any) map[string]*tally {
	tallies := map[string]*tally{}
	for _, record := range records {
		value := reflect.ValueOf(record).Elem()
		for i := range value.NumField() {
			name, field := value.Type().Field(i).Tag.Get("avro"), value.Field(i)
			if tallies[name] == nil {
				tallies[name] = &tally{}
			}
			seen := tallies[name]
			seen.records++
			if field.Kind() == reflect.Pointer || field.Kind() == reflect.Slice || field.Kind() == reflect.Map {
				if field.IsNil() {
					continue
				}
				if field.Kind() == reflect.Pointer {
					field = field.Elem()
				}
			}
			seen.present++
			if !field.IsZero() && (field.Kind() != reflect.Slice && field.Kind() != reflect.Map || field.Len() > 0) {
				seen.nonZero++
			}
		}
	}
	return tallies
}

// requireFilled holds every field of the records of one back end against the table. notHere names the fields whose condition
// this host cannot bring about.
func requireFilled(t *testing.T, batches []sampler.Batch, column string, notHere ...string) {
	table := filledTable(t)
	var windows, hosts []any
	for _, batch := range batches {
		for _, window := range batch.Windows {
			windows = append(windows, window)
		}
		hosts = append(hosts, batch.Host)
	}
	var faults []string
	for record, tallies := range map[string]map[string]*tally{"CpuUsageWindow": tallyOf(windows), "HostWindow": tallyOf(hosts)} {
		for field, seen := range tallies {
			promise := table[record][field][column]
			if slices.Contains(notHere, field) && strings.HasPrefix(promise, "if ") {
				continue
			}
			if !seen.keeps(promise) {
				faults = append(faults, fmt.Sprintf("%s.%s of %s is said to be %q; of %d records %d had it and %d had something in it",
					record, field, column, promise, seen.records, seen.present, seen.nonZero))
			}
		}
	}
	slices.Sort(faults)
	require.Empty(t, faults, "correct the back end or collectors/README.md")
}

// keeps reports whether what was seen is what a cell of the table promises.
func (s *tally) keeps(promise string) bool {
	switch {
	case promise == "always":
		return s.present == s.records && s.nonZero > 0
	case promise == "may be 0", promise == "may be empty":
		return s.present == s.records
	case strings.HasPrefix(promise, "null: "):
		return s.present == 0
	case strings.HasPrefix(promise, "if "), strings.HasPrefix(promise, "as "):
		return s.present > 0
	}
	return promise == "the output sets it"
}

func TestReplayedTracesFillWhatTheTableSays(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds of real time")
	}
	t.Parallel()
	traces, err := replay.Load("../../../testdata/traces")
	require.NoError(t, err)
	rule, err := identity.NewRule("/quotascope/lab/{service}/{shard}", "lab")
	require.NoError(t, err)
	var batches []sampler.Batch
	agent := sampler.Agent{HostID: "h", EpochUs: 1, Cluster: "c", Origin: usagewindow.OriginReplayed, Method: usagewindow.MethodReplay}
	recorder := sampler.NewRecorder(agent, func(batch sampler.Batch) { batches = append(batches, batch) })
	ctx, stop := context.WithTimeout(context.Background(), 12*time.Second)
	defer stop()
	player := replay.New(replay.Options{Traces: traces, Loop: true, Rules: identity.Rules{rule}, Log: testLog{t}})
	require.NoError(t, player.Run(ctx, recorder))
	requireFilled(t, batches, "replay", "usage_histogram", "usage_us", "share_millicores") // these traces hold neither the whole host nor weights
}
