package main

// Every plugin of this binary; one line adds one of Telegraf's. README.md says what each costs.
import (
	_ "github.com/influxdata/telegraf/plugins/inputs/cpu"
	_ "github.com/influxdata/telegraf/plugins/inputs/kernel"
	_ "github.com/influxdata/telegraf/plugins/inputs/mem"
	_ "github.com/influxdata/telegraf/plugins/outputs/discard"
	_ "github.com/influxdata/telegraf/plugins/outputs/file"
	_ "github.com/influxdata/telegraf/plugins/outputs/prometheus_client"

	_ "github.com/quotascope/quotascope/collectors/plugins/inputs/cgroup_cpu"
	_ "github.com/quotascope/quotascope/collectors/plugins/outputs/kafka_avro"
)
