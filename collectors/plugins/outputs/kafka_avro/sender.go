package kafka_avro

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/quotascope/quotascope/collectors/internal/spool"
)

// sender moves records from the spool to Kafka in one goroutine: one chunk at a time, and the next only when every
// record of the last is acknowledged or given up. So no record is ever overtaken by a later one of its host.
type sender struct {
	client  *kgo.Client
	spool   spool.Spool
	tally   *tally
	trouble *trouble
	dial    *lastDial

	wakes   chan time.Duration
	closing chan struct{}
	done    chan struct{}
	ctx     context.Context
	cancel  context.CancelFunc

	// stamp gives the time that the client puts on a record; topics with LogAppendTime replace it.
	stamp func(spool.Record) time.Time
}

func newSender(client *kgo.Client, records spool.Spool, tally *tally, trouble *trouble, dial *lastDial) *sender {
	ctx, cancel := context.WithCancel(context.Background())
	return &sender{
		client: client, spool: records, tally: tally, trouble: trouble, dial: dial,
		wakes: make(chan time.Duration, 1), closing: make(chan struct{}), done: make(chan struct{}),
		ctx: ctx, cancel: cancel, stamp: func(spool.Record) time.Time { return time.Now() },
	}
}

// wake asks for delivery after the delay. A sender that is already awake finds the new records by itself.
func (s *sender) wake(delay time.Duration) {
	select {
	case s.wakes <- delay:
	default:
	}
}

// stop delivers what is left until ctx ends; what it could not deliver is in the spool again.
func (s *sender) stop(ctx context.Context) {
	close(s.closing)
	select {
	case <-s.done:
	case <-ctx.Done():
		s.cancel()
		<-s.done
	}
	s.cancel()
	s.client.Close()
}

func (s *sender) run() {
	defer close(s.done)
	for {
		select {
		case delay := <-s.wakes:
			if !s.pause(delay) {
				s.drain()
				return
			}
			s.drain()
		case <-s.closing:
			s.drain()
			return
		}
	}
}

// pause waits for the host's turn; closing ends it early and makes it false.
func (s *sender) pause(delay time.Duration) bool {
	timer := time.NewTimer(delay)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-s.closing:
		return false
	}
}

// drain delivers until the spool is empty or the sender is cancelled.
func (s *sender) drain() {
	for s.ctx.Err() == nil {
		records := s.spool.Hold(chunkRecords, chunkBytes)
		if len(records) == 0 {
			return
		}
		s.spool.Release(s.deliver(records))
		s.tally.waits(s.spool.Backlog())
	}
}

// Waiting between attempts after an error that is not the record's own, such as a topic that does not exist.
const (
	firstBackoff = 250 * time.Millisecond
	lastBackoff  = 10 * time.Second
)

// deliver sends the records in order until each is acknowledged or given up. Only a cancelled sender returns some.
func (s *sender) deliver(records []spool.Record) (pending []spool.Record) {
	pending = records
	for backoff := firstBackoff; len(pending) > 0 && s.ctx.Err() == nil; backoff = min(2*backoff, lastBackoff) {
		outcome := judge(pending, s.produce(pending))
		s.settle(outcome)
		switch {
		case outcome.poison != nil && len(pending) == 1:
			s.giveUp(dropRejected, 1, outcome.poison)
			return nil
		case outcome.poison != nil:
			half := (len(outcome.retry) + 1) / 2
			left := s.deliver(outcome.retry[:half])
			if len(left) > 0 {
				return append(left, outcome.retry[half:]...)
			}
			pending, backoff = outcome.retry[half:], firstBackoff/2
		case len(outcome.retry) > 0:
			pending = outcome.retry
			s.waitAfter(outcome.failure, len(pending), backoff)
		default:
			return nil
		}
	}
	return pending
}

func (s *sender) settle(outcome outcome) {
	s.tally.acked.Incr(int64(outcome.acknowledged))
	if outcome.overtaken > 0 {
		s.giveUp(dropOvertaken, outcome.overtaken, outcome.cause())
	}
}

func (s *sender) giveUp(reason string, records int, cause error) {
	s.tally.drop(reason, records)
	s.trouble.report(reason, "dropped %d record(s) (%s, %d so far): Kafka: %v", records, reason, s.tally.dropped(reason), cause)
}

func (s *sender) waitAfter(failure error, records int, backoff time.Duration) {
	if s.ctx.Err() != nil {
		return
	}
	s.trouble.report("kafka_refusal", "Kafka refuses %d record(s), which wait: %v", records, failure)
	select {
	case <-time.After(backoff):
	case <-s.ctx.Done():
	}
}

// produce sends the records and waits for every answer; the errors are in the order of the records. The client retries
// by itself while brokers are away. A cancelled sender closes the client, which then fails what is still open.
func (s *sender) produce(records []spool.Record) []error {
	failures := make([]error, len(records))
	var answers sync.WaitGroup
	answers.Add(len(records))
	for i, record := range records {
		message := &kgo.Record{Topic: record.Topic, Key: record.Key, Value: record.Value, Timestamp: s.stamp(record)}
		s.client.Produce(s.ctx, message, func(_ *kgo.Record, err error) {
			failures[i] = err
			answers.Done()
		})
	}
	s.tally.sent.Incr(int64(len(records)))
	started := time.Now()
	for {
		patience, cancel := context.WithTimeout(s.ctx, min(10*time.Second, s.trouble.interval))
		err := s.client.Flush(patience)
		cancel()
		if !errors.Is(err, context.DeadlineExceeded) || s.ctx.Err() != nil {
			break
		}
		backlog := s.spool.Backlog()
		s.tally.waits(backlog)
		s.trouble.report("kafka_away", "no answer from Kafka for %s, %d records (%d bytes) wait: %s",
			time.Since(started).Round(time.Second), backlog.Records, backlog.Bytes, s.dial.reason())
	}
	if s.ctx.Err() != nil {
		s.client.Close()
	}
	answers.Wait()
	return failures
}
