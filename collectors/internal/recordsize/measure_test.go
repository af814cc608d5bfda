package recordsize_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/quotascope/quotascope/collectors/internal/avro"
	"github.com/quotascope/quotascope/collectors/internal/recordsize"
)

func goldenMessages(t *testing.T) []recordsize.Message {
	t.Helper()
	paths, err := filepath.Glob("../../../schemas/golden/avro/go/cpu_usage_window_*.bin")
	require.NoError(t, err)
	require.Len(t, paths, 3)
	var messages []recordsize.Message
	for _, path := range paths {
		value, err := os.ReadFile(path)
		require.NoError(t, err)
		messages = append(messages, recordsize.Message{Key: []byte("host"), Value: value})
	}
	return messages
}

func TestGroupsAndFieldsAddUpToTheRecord(t *testing.T) {
	messages := goldenMessages(t)
	report, err := recordsize.Measure(messages, 2)
	require.NoError(t, err)
	var value float64
	for _, message := range messages {
		value += float64(len(message.Value)) / 3
	}
	require.InDelta(t, value, report.Raw, 1e-9)
	for _, costs := range [][]recordsize.Cost{report.Groups, report.Fields} {
		sum := 0.0
		for _, cost := range costs {
			sum += cost.Raw
			require.GreaterOrEqual(t, cost.Raw, 0.0)
			require.Less(t, cost.Compressed, report.KafkaBatch)
		}
		require.InDelta(t, report.Raw, sum, 1e-9)
	}
	require.Less(t, report.KafkaBatch, report.Raw+61+10)
	var text strings.Builder
	require.NoError(t, report.Print(&text, true))
	require.Contains(t, text.String(), "usage_histogram")
}

// A group's raw bytes worked by hand: the frame has 10, and "all-nulls" holds one byte for each of six null options.
func TestKnownGroups(t *testing.T) {
	value, err := os.ReadFile("../../../schemas/golden/avro/go/cpu_usage_window_all-nulls.bin")
	require.NoError(t, err)
	report, err := recordsize.Measure([]recordsize.Message{{Value: value}}, 30)
	require.NoError(t, err)
	raw := map[string]float64{}
	for _, group := range report.Groups {
		raw[group.Name] = group.Raw
	}
	require.Equal(t, float64(avro.HeaderSize), raw["frame"])
	require.Equal(t, 6.0, raw["optional"])
	require.Equal(t, 9.0, raw["bandwidth"])
	require.Equal(t, 11.0, raw["counters"])
	require.Equal(t, 2.0, raw["threads"])
}

func TestEveryFieldOfTheSchemaHasAGroup(t *testing.T) {
	text, err := os.ReadFile("../../../schemas/cpu_usage_window.avsc")
	require.NoError(t, err)
	var schema struct{ Fields []struct{ Name string } }
	require.NoError(t, json.Unmarshal(text, &schema))
	report, err := recordsize.Measure(goldenMessages(t), 30)
	require.NoError(t, err)
	require.Len(t, report.Fields, 1+len(schema.Fields))
}

func TestNothingOrForeignBytesAreErrors(t *testing.T) {
	_, err := recordsize.Measure(nil, 30)
	require.ErrorIs(t, err, recordsize.ErrNoRecords)
	_, err = recordsize.Measure([]recordsize.Message{{Value: []byte("poison")}}, 30)
	require.ErrorIs(t, err, avro.ErrBinary)
	truncated := goldenMessages(t)[0]
	truncated.Value = truncated.Value[:len(truncated.Value)-1]
	_, err = recordsize.Measure([]recordsize.Message{truncated}, 30)
	require.ErrorIs(t, err, avro.ErrBinary)
	longer := goldenMessages(t)[0]
	longer.Value = append(longer.Value, 0)
	_, err = recordsize.Measure([]recordsize.Message{longer}, 30)
	require.ErrorContains(t, err, "1 bytes follow it")
}
