package promexport

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/influxdata/telegraf"
	"github.com/prometheus/client_golang/prometheus"
)

// selfMetrics is a collector without a fixed set of metrics: plugins register theirs whenever they start.
type selfMetrics struct{ options Options }

// Describe implements prometheus.Collector; describing nothing makes it unchecked, as a changing set has to be.
func (*selfMetrics) Describe(chan<- *prometheus.Desc) {}

// Collect implements prometheus.Collector.
func (s *selfMetrics) Collect(out chan<- prometheus.Metric) {
	if s.options.Refresh != nil {
		s.options.Refresh()
	}
	for _, metric := range s.options.Gather() {
		names := slices.Sorted(maps.Keys(metric.Tags()))
		labels, values := make([]string, 0, len(names)), make([]string, 0, len(names))
		for _, name := range names {
			labels, values = append(labels, identifier(name)), append(values, strings.ToValidUTF8(metric.Tags()[name], "?"))
		}
		for _, field := range metric.FieldList() {
			value, numeric := float(field.Value)
			if !numeric {
				continue
			}
			shown, kind := s.declarationOf(metric, field)
			if shown.Scale != 0 {
				value *= shown.Scale
			}
			described := prometheus.NewDesc(shown.Name, shown.Help, labels, nil)
			one, err := prometheus.NewConstMetric(described, kind, value, values...)
			if err != nil {
				one = prometheus.NewInvalidMetric(described, err)
			}
			out <- one
		}
	}
}

func (s *selfMetrics) declarationOf(metric telegraf.Metric, field *telegraf.Field) (Metric, prometheus.ValueType) {
	measurement := strings.TrimPrefix(metric.Name(), "internal_")
	for _, declared := range s.options.Declared {
		if declared.Measurement == measurement && declared.Field == field.Key {
			if declared.Counter {
				return declared, prometheus.CounterValue
			}
			return declared, prometheus.GaugeValue
		}
	}
	return Metric{
		Name: identifier("telegraf_" + measurement + "_" + field.Key),
		Help: "Self metric of Telegraf: measurement internal_" + measurement + ", field " + field.Key + ".",
	}, prometheus.UntypedValue
}

var notAllowed = regexp.MustCompile(`[^a-zA-Z0-9_]`)

// identifier makes a name that Prometheus accepts for metrics and labels.
func identifier(name string) string {
	name = notAllowed.ReplaceAllString(name, "_")
	if name == "" || name[0] >= '0' && name[0] <= '9' {
		return "_" + name
	}
	return name
}

func float(value any) (float64, bool) {
	switch v := value.(type) {
	case int64:
		return float64(v), true
	case uint64:
		return float64(v), true
	case float64:
		return v, true
	}
	return 0, false
}
