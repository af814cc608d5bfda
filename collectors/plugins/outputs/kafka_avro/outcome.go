package kafka_avro

import (
	"errors"
	"fmt"

	"github.com/twmb/franz-go/pkg/kerr"

	"github.com/quotascope/quotascope/collectors/internal/spool"
)

// outcome is what became of a chunk.
type outcome struct {
	acknowledged int
	overtaken    int            // failed although a later record of the same topic and host was accepted
	retry        []spool.Record // failed and still in order
	poison       error          // a refusal that can be the fault of a single record
	failure      error          // any other refusal
}

func (o outcome) cause() error {
	if o.poison != nil {
		return o.poison
	}
	return o.failure
}

// judge sorts the answers. It goes backwards, because what decides about a failed record is whether a later one of its
// topic and key was accepted: the intake takes only rising seq, so sending it again would be a duplicate to everybody.
func judge(records []spool.Record, failures []error) outcome {
	var result outcome
	type lane struct{ topic, key string }
	accepted := map[lane]bool{}
	for i := len(records) - 1; i >= 0; i-- {
		at := lane{records[i].Topic, string(records[i].Key)}
		err := failures[i]
		switch {
		case err == nil:
			accepted[at] = true
			result.acknowledged++
			continue
		case isPoison(err):
			result.poison = fmt.Errorf("topic %s: %w", at.topic, err)
		default:
			result.failure = fmt.Errorf("topic %s: %w", at.topic, err)
		}
		if accepted[at] {
			result.overtaken++
			continue
		}
		result.retry = append(result.retry, records[i])
	}
	for i, j := 0, len(result.retry)-1; i < j; i, j = i+1, j-1 {
		result.retry[i], result.retry[j] = result.retry[j], result.retry[i]
	}
	return result
}

// isPoison tells refusals that the content of one record can cause from those of the topic, the rights or the cluster.
func isPoison(err error) bool {
	for _, poison := range []error{
		kerr.MessageTooLarge, kerr.RecordListTooLarge, kerr.InvalidRecord, kerr.InvalidTimestamp, kerr.CorruptMessage,
	} {
		if errors.Is(err, poison) {
			return true
		}
	}
	return false
}
