package usagewindow

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"time"

	"github.com/influxdata/telegraf"
	"github.com/influxdata/telegraf/metric"
)

// Measurement names of the three records as Telegraf metrics.
const (
	WindowMeasurement   = "cpu_usage_window"
	HostMeasurement     = "host_window"
	IdentityMeasurement = "shard_identity"
)

// ErrNotARecord is returned for a metric of another measurement: some other input's metric.
var ErrNotARecord = errors.New("metric is not a Quotascope record")

// isTag names the record fields that become Telegraf tags, by which stock outputs group and route.
func isTag(name string) bool {
	switch name {
	case "host_id", "cluster", "origin", "service", "shard":
		return true
	}
	return false
}

// ToMetric carries a record (*Window, *HostWindow or *ShardIdentity) through Telegraf, whose fields
// are scalars only: bytes travel as base64 text, lists and maps as JSON text, null as an absent
// field. FromMetric restores the record exactly.
func ToMetric(record any) (telegraf.Metric, error) {
	measurement, at, err := headingOf(record)
	if err != nil {
		return nil, err
	}
	// Without maps, which would be most of the garbage of a window.
	m := metric.New(measurement, nil, nil, at)
	value := reflect.ValueOf(record).Elem()
	for i := range value.NumField() {
		name, field := value.Type().Field(i).Tag.Get("avro"), value.Field(i)
		if isTag(name) {
			m.AddTag(name, field.String())
			continue
		}
		scalar, present, err := scalarOf(field)
		if err != nil {
			return nil, fmt.Errorf("%s.%s: %w", measurement, name, err)
		}
		if present {
			m.AddField(name, scalar)
		}
	}
	return m, nil
}

// FromMetric restores the record of a metric that ToMetric made. Fields and tags that Telegraf or
// a processor added are ignored; a field of the wrong type is an error that names it.
func FromMetric(m telegraf.Metric) (any, error) {
	var record any
	switch m.Name() {
	case WindowMeasurement:
		record = &Window{}
	case HostMeasurement:
		record = &HostWindow{}
	case IdentityMeasurement:
		record = &ShardIdentity{}
	default:
		return nil, fmt.Errorf("%w: %q", ErrNotARecord, m.Name())
	}
	value := reflect.ValueOf(record).Elem()
	for i := range value.NumField() {
		name, field := value.Type().Field(i).Tag.Get("avro"), value.Field(i)
		if isTag(name) {
			tag, _ := m.GetTag(name)
			field.SetString(tag)
			continue
		}
		scalar, present := m.GetField(name)
		if !present {
			if !nullable(field) {
				return nil, fmt.Errorf("%s.%s is missing", m.Name(), name)
			}
			continue
		}
		if err := restore(field, scalar); err != nil {
			return nil, fmt.Errorf("%s.%s: %w", m.Name(), name, err)
		}
	}
	return record, nil
}

func headingOf(record any) (string, time.Time, error) {
	switch r := record.(type) {
	case *Window:
		return WindowMeasurement, time.UnixMicro(r.WindowStartUs + WindowUs), nil
	case *HostWindow:
		return HostMeasurement, time.UnixMicro(r.WindowStartUs + WindowUs), nil
	case *ShardIdentity:
		return IdentityMeasurement, time.UnixMicro(r.ObservedAtUs), nil
	}
	return "", time.Time{}, fmt.Errorf("%w: %T", ErrNotARecord, record)
}

func nullable(field reflect.Value) bool {
	switch field.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map:
		return true
	}
	return false
}

func scalarOf(field reflect.Value) (scalar any, present bool, err error) {
	if nullable(field) && field.IsNil() {
		return nil, false, nil
	}
	if field.Kind() == reflect.Pointer {
		field = field.Elem()
	}
	switch field.Kind() {
	case reflect.String:
		return field.String(), true, nil
	case reflect.Int32, reflect.Int64:
		return field.Int(), true, nil
	case reflect.Slice:
		if field.Type().Elem().Kind() == reflect.Uint8 {
			return base64.StdEncoding.EncodeToString(field.Bytes()), true, nil
		}
	}
	text, err := json.Marshal(field.Interface())
	return string(text), true, err
}

func restore(field reflect.Value, scalar any) error {
	if field.Kind() == reflect.Pointer {
		field.Set(reflect.New(field.Type().Elem()))
		field = field.Elem()
	}
	switch v := scalar.(type) {
	case int64:
		if !field.CanInt() || field.OverflowInt(v) {
			return fmt.Errorf("%d does not fit %s", v, field.Type())
		}
		field.SetInt(v)
		return nil
	case string:
		return restoreText(field, v)
	}
	return fmt.Errorf("%T cannot be %s", scalar, field.Type())
}

func restoreText(field reflect.Value, text string) error {
	switch {
	case field.Kind() == reflect.String:
		field.SetString(text)
		return nil
	case field.Kind() == reflect.Slice && field.Type().Elem().Kind() == reflect.Uint8:
		packed, err := base64.StdEncoding.DecodeString(text)
		field.SetBytes(packed)
		return err
	case field.Kind() == reflect.Slice || field.Kind() == reflect.Map:
		return json.Unmarshal([]byte(text), field.Addr().Interface())
	}
	return fmt.Errorf("text cannot be %s", field.Type())
}
