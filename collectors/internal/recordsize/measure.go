package recordsize

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

	"github.com/klauspost/compress/zstd"
	"github.com/twmb/franz-go/pkg/kmsg"

	"github.com/quotascope/quotascope/collectors/internal/avro"
	"github.com/quotascope/quotascope/schemas"
)

// ErrNoRecords is returned when there is nothing to measure.
var ErrNoRecords = errors.New("no CpuUsageWindow record to measure")

// Message is one record as it travels: the Kafka key and the framed Avro value.
type Message struct {
	Key   []byte
	Value []byte
}

// Cost is what one field or group takes. All figures are bytes per record, averaged over the sample.
type Cost struct {
	Name string
	// Raw is the size in Avro binary.
	Raw float64
	// Compressed is what a zstd batch gets smaller when these bytes are left out of it.
	Compressed float64
}

// Report is the cost of a sample of records.
type Report struct {
	Records   int
	BatchSize int
	// Raw is the framed value; KafkaBatch is the whole zstd batch, keys and Kafka's own overhead included.
	Raw, KafkaBatch float64
	Groups, Fields  []Cost
}

// split is a message cut at the borders of its fields; piece 0 is the frame.
type split struct {
	key    []byte
	pieces [][]byte
}

// Measure cuts the messages into batches of batchSize, the last one possibly smaller, and measures each group and field.
func Measure(messages []Message, batchSize int) (Report, error) {
	if len(messages) == 0 {
		return Report{}, ErrNoRecords
	}
	splits, names, err := splitAll(messages)
	if err != nil {
		return Report{}, err
	}
	report := Report{Records: len(messages), BatchSize: batchSize}
	keepAll := func(int) bool { return true }
	whole := compressed(splits, batchSize, keepAll)
	report.KafkaBatch = whole / float64(len(messages))
	costOf := func(name string, within func(piece int) bool) Cost {
		raw := 0
		for _, message := range splits {
			for piece := range message.pieces {
				if within(piece) {
					raw += len(message.pieces[piece])
				}
			}
		}
		without := compressed(splits, batchSize, func(piece int) bool { return !within(piece) })
		return Cost{Name: name, Raw: float64(raw) / float64(len(messages)), Compressed: (whole - without) / float64(len(messages))}
	}
	for _, group := range groups {
		report.Groups = append(report.Groups, costOf(group, func(piece int) bool { return groupOfPiece(names[piece]) == group }))
	}
	for piece, name := range names {
		report.Fields = append(report.Fields, costOf(name, func(other int) bool { return other == piece }))
	}
	for _, message := range messages {
		report.Raw += float64(len(message.Value)) / float64(len(messages))
	}
	return report, nil
}

func groupOfPiece(name string) string {
	if name == "frame" {
		return name
	}
	return groupOf[name]
}

func splitAll(messages []Message) (splits []split, names []string, err error) {
	for number, message := range messages {
		sizes, err := avro.FieldSizes(schemas.CpuUsageWindow, message.Value)
		if err != nil {
			return nil, nil, fmt.Errorf("record %d: %w", number, err)
		}
		cut := split{key: message.Key, pieces: [][]byte{message.Value[:avro.HeaderSize]}}
		names = []string{"frame"}
		rest := message.Value[avro.HeaderSize:]
		for _, size := range sizes {
			if groupOf[size.Field] == "" {
				return nil, nil, fmt.Errorf("field %s has no group: add it to groups.go", size.Field)
			}
			names = append(names, size.Field)
			cut.pieces, rest = append(cut.pieces, rest[:size.Bytes]), rest[size.Bytes:]
		}
		splits = append(splits, cut)
	}
	return splits, names, nil
}

// batchHeader is the length of a Kafka record batch before its records (magic 2), which is never compressed. Bytes.
const batchHeader = 61

// compressed returns the bytes of all Kafka batches, with only the chosen pieces of every value in them.
func compressed(splits []split, batchSize int, keep func(piece int) bool) float64 {
	encoder, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1))
	if err != nil {
		panic("zstd without options: " + err.Error())
	}
	total := 0
	for batch := range slices.Chunk(splits, batchSize) {
		var plain []byte
		for offset, message := range batch {
			var value bytes.Buffer
			for piece, content := range message.pieces {
				if keep(piece) {
					value.Write(content)
				}
			}
			plain = appendKafkaRecord(plain, offset, message.key, value.Bytes())
		}
		total += batchHeader + len(encoder.EncodeAll(plain, nil))
	}
	return float64(total)
}

// appendKafkaRecord appends one record in Kafka's format, whose first field is the length of the rest.
func appendKafkaRecord(dst []byte, offset int, key, value []byte) []byte {
	record := kmsg.NewRecord()
	record.OffsetDelta = int32(offset)
	record.Key, record.Value = key, value
	record.Length = int32(len(record.AppendTo(nil)) - 1) // The zero length takes one byte, which does not count itself.
	return record.AppendTo(dst)
}
