package kafka_avro

import (
	"fmt"
	"hash/fnv"
	"maps"
	"strconv"
	"time"

	"github.com/quotascope/quotascope/collectors/internal/spool"
	"github.com/quotascope/quotascope/collectors/internal/usagewindow"
)

// message encodes the record and gives it its topic and key (schemas/topics.yaml). The host is returned in any case.
func (k *KafkaAvro) message(record any) (message spool.Record, host string, err error) {
	switch r := record.(type) {
	case *usagewindow.Window:
		message, host = spool.Record{Topic: k.TopicCPUUsageWindows, Key: []byte(r.HostID)}, r.HostID
		message.Value, err = k.encoder.AppendWindow(nil, r)
	case *usagewindow.HostWindow:
		message, host = spool.Record{Topic: k.TopicHostWindows, Key: []byte(r.HostID)}, r.HostID
		k.addDelivery(r)
		message.Value, err = k.encoder.AppendHostWindow(nil, r)
	case *usagewindow.ShardIdentity:
		key := strconv.AppendInt([]byte(r.HostID+"/"), r.ShardID, 10)
		message, host = spool.Record{Topic: k.TopicShardIdentities, Key: key}, r.HostID
		message.Value, err = k.encoder.AppendShardIdentity(nil, r)
	default:
		err = fmt.Errorf("%w: %T", usagewindow.ErrNotARecord, record)
	}
	return message, host, err
}

// addDelivery states what only the output knows: how much waits here and what was dropped here. Drops that the input
// counted stay and are added to.
func (k *KafkaAvro) addDelivery(host *usagewindow.HostWindow) {
	host.SpoolBytes = k.spool.Backlog().Bytes
	drops := maps.Clone(host.Drops)
	if drops == nil {
		drops = map[string]int64{}
	}
	for reason, count := range k.tally.drops() {
		drops[reason] += count
	}
	host.Drops = drops
}

// delayOf is the host's fixed part of the jitter. The hash is finished by a mixing step, because FNV of names that
// differ in the last digit differs mostly in its low bits.
func (k *KafkaAvro) delayOf(host string) time.Duration {
	if delay, known := k.hosts[host]; known || k.Jitter == 0 {
		return delay
	}
	hash := fnv.New64a()
	hash.Write([]byte(host))                          //nolint:errcheck // hash.Hash states that Write never fails.
	part := (hash.Sum64() * 0x9e3779b97f4a7c15) >> 32 // of 2^32
	microseconds := part * uint64(time.Duration(k.Jitter).Microseconds()) >> 32
	delay := time.Duration(microseconds) * time.Microsecond
	if len(k.hosts) < maxHosts {
		k.hosts[host] = delay
	}
	return delay
}

// maxHosts bounds the memory of delays: one agent speaks for one host, a replay for a few.
const maxHosts = 10_000
