package main

import (
	"bufio"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"flag"
	"io"
	"os"
	"reflect"

	"github.com/quotascope/quotascope/collectors/internal/sampler"
	"github.com/quotascope/quotascope/collectors/internal/sampler/recording"
	"github.com/quotascope/quotascope/collectors/internal/usagewindow"
)

// windows replays a recording and writes the records that the agent made of it.
func windows(args []string) error {
	flags := flag.NewFlagSet("cgroupreplay windows", flag.ExitOnError)
	frames := flags.Bool("avro", false, "write framed Avro, each record after its length (4 bytes, big endian), instead of one JSON object a line")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() != 1 {
		return errors.New("windows needs one recording")
	}
	file, err := os.Open(flags.Arg(0))
	if err != nil {
		return err
	}
	defer file.Close()
	return writeWindows(file, os.Stdout, *frames)
}

func writeWindows(from io.Reader, to io.Writer, frames bool) error {
	encoder, err := usagewindow.NewEncoder()
	if err != nil {
		return err
	}
	out := bufio.NewWriter(to)
	var failed error
	write := func(record any) {
		var text []byte
		var err error
		if frames {
			if text, err = encoder.Append(make([]byte, 4), record); err == nil {
				binary.BigEndian.PutUint32(text, uint32(len(text)-4))
			}
		} else if text, err = json.Marshal(twin(record)); err == nil {
			text = append(text, '\n')
		}
		_, failedWrite := out.Write(text)
		failed = errors.Join(failed, err, failedWrite)
	}
	err = recording.Replay(from, nil, func(batch sampler.Batch) {
		for _, record := range batch.Identities {
			write(record)
		}
		for _, record := range batch.Windows {
			write(record)
		}
		write(batch.Host)
	})
	return errors.Join(err, failed, out.Flush())
}

// twin is the JSON form of schemas/golden/avro: field names of the schema, bytes as hexadecimal text.
func twin(record any) map[string]any {
	value := reflect.Indirect(reflect.ValueOf(record))
	fields := map[string]any{}
	for i := range value.NumField() {
		fields[value.Type().Field(i).Tag.Get("avro")] = twinOf(value.Field(i))
	}
	return fields
}

func twinOf(field reflect.Value) any {
	if packed, isBytes := field.Interface().([]byte); isBytes && packed != nil {
		return hex.EncodeToString(packed)
	}
	switch {
	case field.Kind() != reflect.Slice:
		return field.Interface()
	case field.IsNil():
		return nil
	}
	items := []any{}
	for i := range field.Len() {
		items = append(items, twin(field.Index(i).Interface()))
	}
	return items
}
