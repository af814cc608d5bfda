package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/hamba/avro/v2"
	"github.com/quotascope/quotascope/collectors/internal/usagewindow"
	"github.com/quotascope/quotascope/schemas"
)

const (
	windowTopic = "cpu-usage-windows.v1"
	hostTopic   = "host-windows.v1"
	// silence is how long the topics must give nothing to be read to their end, and firstSilence before the first record: a broker
	// that has just come back, on a busy machine, takes its time.
	silence, firstSilence = 10 * time.Second, time.Minute
)

// kafka is a genuine broker of our own.
type kafka struct {
	native, state, address string
	outages                int
}

func startKafka(ctx context.Context, native, state string) (*kafka, error) {
	k := &kafka{native: native, state: state}
	if err := k.command(ctx, "up", "--only", "kafka", "--ports", "auto"); err != nil {
		k.down()
		return nil, err
	}
	var endpoints struct{ Kafka string }
	text, err := os.ReadFile(filepath.Join(state, "endpoints.json"))
	if err == nil {
		err = json.Unmarshal(text, &endpoints)
	}
	if err == nil {
		err = k.command(ctx, "create-topics", "--ports", "auto")
	}
	if err != nil {
		k.down()
		return nil, err
	}
	k.address = endpoints.Kafka
	return k, nil
}

func (k *kafka) command(ctx context.Context, arguments ...string) error {
	output, err := exec.CommandContext(ctx, k.native, append(arguments, "--state", k.state)...).CombinedOutput()
	if err != nil {
		return fmt.Errorf("%s %v: %w\n%s", k.native, arguments, err, output)
	}
	return nil
}

func (k *kafka) down() {
	if err := k.command(context.Background(), "down"); err != nil {
		fmt.Fprintln(os.Stderr, "soak:", err)
	}
}

// comeAndGo takes the broker away for a while in each stretch of time, and leaves it there at the end.
func (k *kafka) comeAndGo(ctx context.Context, every, away time.Duration) error {
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(every - away):
		}
		k.outages++
		if err := k.command(context.Background(), "down", "--only", "kafka"); err != nil {
			return err
		}
		select {
		case <-ctx.Done():
		case <-time.After(away):
		}
		if err := k.command(context.Background(), "up", "--only", "kafka", "--ports", "auto"); err != nil {
			return err
		}
	}
}

// delivered is what the topics hold: how many records, and how many numbers are missing or came again.
type delivered struct {
	windows, hosts, missing, repeated int64
}

// read reads both topics to their ends and holds the numbers of each against each other.
func (k *kafka) read(ctx context.Context) (d delivered, err error) {
	client, err := kgo.NewClient(kgo.SeedBrokers(k.address), kgo.ConsumeTopics(windowTopic, hostTopic))
	if err != nil {
		return d, err
	}
	defer client.Close()
	numbers := map[string]map[int64]int{windowTopic: {}, hostTopic: {}}
	for wait := firstSilence; ; wait = silence {
		pause, cancel := context.WithTimeout(ctx, wait)
		fetches := client.PollFetches(pause)
		cancel()
		if fetches.Empty() {
			break
		}
		fetches.EachRecord(func(record *kgo.Record) {
			seq, present, failed := seqOf(record)
			if failed != nil {
				err = failed
			} else if present {
				numbers[record.Topic][seq]++
			}
		})
	}
	for _, seen := range numbers {
		for seq := range int64(len(seen)) {
			if seen[seq] == 0 {
				d.missing++
			}
		}
		for _, times := range seen {
			d.repeated += int64(times - 1)
		}
	}
	d.windows, d.hosts = int64(len(numbers[windowTopic])), int64(len(numbers[hostTopic]))
	return d, err
}

var readers = map[string]avro.Schema{
	windowTopic: avro.MustParse(schemas.CpuUsageWindow), hostTopic: avro.MustParse(schemas.HostWindow),
}

// seqOf reads the number of a record; a tick has none.
func seqOf(record *kgo.Record) (seq int64, present bool, err error) {
	if record.Value == nil {
		return 0, false, nil
	}
	if record.Topic == windowTopic {
		var window usagewindow.Window
		err = avro.Unmarshal(readers[windowTopic], record.Value[10:], &window)
		return window.Seq, true, err
	}
	var host usagewindow.HostWindow
	err = avro.Unmarshal(readers[hostTopic], record.Value[10:], &host)
	return host.Seq, true, err
}
