package kafka_avro

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kerr"

	"github.com/quotascope/quotascope/collectors/internal/spool"
)

func TestJudgeRetriesOnlyWhatNobodyOvertook(t *testing.T) {
	at := func(topic, key, value string) spool.Record {
		return spool.Record{Topic: topic, Key: []byte(key), Value: []byte(value)}
	}
	denied := errors.New("TOPIC_AUTHORIZATION_FAILED")
	records := []spool.Record{
		at("windows", "a", "0"), at("windows", "b", "0"), at("windows", "a", "1"), at("hosts", "a", "0"), at("windows", "a", "2"),
	}
	result := judge(records, []error{denied, fmt.Errorf("%w (compressed)", kerr.MessageTooLarge), nil, denied, denied})
	require.Equal(t, 1, result.acknowledged)
	require.Equal(t, 1, result.overtaken, "a/0 failed while a/1 was accepted")
	require.Equal(t, []spool.Record{records[1], records[3], records[4]}, result.retry)
	require.ErrorIs(t, result.poison, kerr.MessageTooLarge)
	require.ErrorIs(t, result.failure, denied)
	require.ErrorIs(t, result.cause(), kerr.MessageTooLarge)

	clean := judge(records, make([]error, len(records)))
	require.Equal(t, outcome{acknowledged: 5}, clean)
	require.NoError(t, clean.cause())
}
