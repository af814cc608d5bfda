// Command recordsizes prints what a CpuUsageWindow costs on the wire, by field group, raw and in zstd batches of Kafka.
// It reads a running topic, files that each hold one framed record, such as those that -save wrote, or what a recording made.
//
//	recordsizes -brokers 127.0.0.1:19092 -records 30 -save /tmp/records
//	recordsizes /tmp/records/*.bin
//	cgroupreplay windows -avro host.csv > host.avro && recordsizes host.avro
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/quotascope/quotascope/collectors/internal/recordsize"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "recordsizes:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, arguments []string, out io.Writer) error {
	flags := flag.NewFlagSet("recordsizes", flag.ContinueOnError)
	brokers := flags.String("brokers", "", "Kafka brokers, host:port with commas; without it, records come from files")
	topic := flags.String("topic", "cpu-usage-windows.v1", "topic of CpuUsageWindow records")
	count := flags.Int("records", 30, "how many records to read from the topic")
	batch := flags.Int("batch", 30, "records per Kafka batch")
	wait := flags.Duration("wait", time.Minute, "how long to wait for the records")
	save := flags.String("save", "", "folder into which each record that was read is written as one file")
	fields := flags.Bool("fields", false, "print every field as well")
	if err := flags.Parse(arguments); err != nil {
		return err
	}
	if *batch < 1 || *count < 1 {
		return fmt.Errorf("-batch and -records must be at least 1")
	}
	messages, err := readFiles(flags.Args())
	if *brokers != "" {
		ctx, cancel := context.WithTimeout(ctx, *wait)
		defer cancel()
		messages, err = readTopic(ctx, strings.Split(*brokers, ","), *topic, *count)
	}
	if err != nil {
		return err
	}
	if *save != "" {
		if err := saveAll(*save, messages); err != nil {
			return err
		}
	}
	report, err := recordsize.Measure(messages, *batch)
	if err != nil {
		return err
	}
	return report.Print(out, *fields)
}

// readTopic reads from the topic's start and skips ticks, which have no value (schemas/README.md).
func readTopic(ctx context.Context, brokers []string, topic string, count int) ([]recordsize.Message, error) {
	client, err := kgo.NewClient(kgo.SeedBrokers(brokers...), kgo.ConsumeTopics(topic))
	if err != nil {
		return nil, err
	}
	defer client.Close()
	var messages []recordsize.Message
	for len(messages) < count {
		fetches := client.PollFetches(ctx)
		if err := fetches.Err(); err != nil {
			return nil, fmt.Errorf("%d of %d records of %s read: %w", len(messages), count, topic, err)
		}
		fetches.EachRecord(func(record *kgo.Record) {
			if record.Value != nil && len(messages) < count {
				messages = append(messages, recordsize.Message{Key: record.Key, Value: record.Value})
			}
		})
	}
	return messages, nil
}

func saveAll(folder string, messages []recordsize.Message) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	for number, message := range messages {
		path := filepath.Join(folder, fmt.Sprintf("cpu_usage_window_%04d.bin", number))
		if err := os.WriteFile(path, message.Value, 0o644); err != nil {
			return err
		}
	}
	return nil
}
