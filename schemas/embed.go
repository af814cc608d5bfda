// Package schemas carries the wire contract into Go programs, so that no Avro text exists outside this folder.
package schemas

import _ "embed"

// CpuUsageWindow is the schema of topic cpu-usage-windows.v1.
//
//go:embed cpu_usage_window.avsc
var CpuUsageWindow string

// HostWindow is the schema of topic host-windows.v1.
//
//go:embed host_window.avsc
var HostWindow string

// ShardIdentity is the schema of topic shard-identities.v1.
//
//go:embed shard_identity.avsc
var ShardIdentity string
