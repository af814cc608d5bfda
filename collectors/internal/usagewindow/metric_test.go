package usagewindow

import (
	"encoding/json"
	"reflect"
	"testing"
	"time"

	"github.com/influxdata/telegraf/metric"
	"github.com/quotascope/quotascope/schemas"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// TestStructsFollowTheSchemas keeps the one name per quantity: same fields, same order, same null.
func TestStructsFollowTheSchemas(t *testing.T) {
	for _, tc := range []struct {
		schema string
		record any
	}{{schemas.CpuUsageWindow, Window{}}, {schemas.HostWindow, HostWindow{}}, {schemas.ShardIdentity, ShardIdentity{}}} {
		var schema struct {
			Name   string
			Fields []struct {
				Name string
				Type json.RawMessage
			}
		}
		require.NoError(t, json.Unmarshal([]byte(tc.schema), &schema))
		record := reflect.TypeOf(tc.record)
		require.Equal(t, len(schema.Fields), record.NumField(), schema.Name)
		for i, field := range schema.Fields {
			require.Equal(t, field.Name, record.Field(i).Tag.Get("avro"), schema.Name)
			if field.Type[0] == '[' {
				require.Contains(t, []reflect.Kind{reflect.Pointer, reflect.Slice}, record.Field(i).Type.Kind(), field.Name)
			} else {
				require.NotEqual(t, reflect.Pointer, record.Field(i).Type.Kind(), field.Name)
			}
		}
	}
}

// fill draws every field of a record; slices and maps are never empty, because Avro's null is the
// nil slice and an empty list comes back as one.
func fill(t *rapid.T, value reflect.Value) {
	switch value.Kind() {
	case reflect.Struct:
		for i := range value.NumField() {
			fill(t, value.Field(i))
		}
	case reflect.Pointer:
		if rapid.Bool().Draw(t, "present") {
			value.Set(reflect.New(value.Type().Elem()))
			fill(t, value.Elem())
		}
	case reflect.String:
		value.SetString(rapid.StringMatching(`[a-z/\\" ,=]{1,9}`).Draw(t, "text"))
	case reflect.Int32:
		value.SetInt(int64(rapid.Int32().Draw(t, "int")))
	case reflect.Int64:
		value.SetInt(rapid.Int64Range(-1<<40, 1<<52).Draw(t, "long"))
	case reflect.Uint8:
		value.SetUint(uint64(rapid.Byte().Draw(t, "byte")))
	case reflect.Slice:
		value.Set(reflect.MakeSlice(value.Type(), 1, 1))
		fill(t, value.Index(0))
	case reflect.Map:
		element := reflect.New(value.Type().Elem()).Elem()
		fill(t, element)
		value.Set(reflect.MakeMap(value.Type()))
		value.SetMapIndex(reflect.ValueOf("key"), element)
	}
}

func TestMetricCarriesEveryField(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		for _, record := range []any{&Window{}, &HostWindow{}, &ShardIdentity{}} {
			fill(t, reflect.ValueOf(record).Elem())
			m, err := ToMetric(record)
			require.NoError(t, err)
			m.AddTag("host", "added by Telegraf")
			back, err := FromMetric(m)
			require.NoError(t, err)
			require.Equal(t, record, back)
		}
	})
}

func TestMetricRefusesWhatItCannotRestore(t *testing.T) {
	_, err := FromMetric(metric.New("cpu", nil, map[string]any{"usage_idle": 1.0}, time.Unix(0, 0)))
	require.ErrorIs(t, err, ErrNotARecord)
	m, err := ToMetric(&Window{})
	require.NoError(t, err)
	m.RemoveField("samples")
	_, err = FromMetric(m)
	require.ErrorContains(t, err, "cpu_usage_window.samples is missing")
	m.AddField("samples", "many")
	_, err = FromMetric(m)
	require.ErrorContains(t, err, "cpu_usage_window.samples")
	m.AddField("samples", int64(1)<<40)
	_, err = FromMetric(m)
	require.ErrorContains(t, err, "does not fit")
	_, err = ToMetric(42)
	require.ErrorIs(t, err, ErrNotARecord)
}
