package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"

	"github.com/quotascope/quotascope/collectors/internal/avro"
	"github.com/quotascope/quotascope/collectors/internal/recordsize"
	"github.com/quotascope/quotascope/schemas"
)

// readFiles reads files that hold one framed record each, or many, each after its length (4 bytes, big endian), as
// cgroupreplay windows -avro writes them. Records of other types, or of another version of the schema, are left out.
func readFiles(paths []string) ([]recordsize.Message, error) {
	header, err := avro.NewHeader(schemas.CpuUsageWindow)
	if err != nil {
		return nil, err
	}
	var messages []recordsize.Message
	for _, path := range paths {
		content, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		if bytes.HasPrefix(content, header[:2]) {
			messages = append(messages, recordsize.Message{Value: content})
			continue
		}
		for len(content) > 0 {
			if len(content) < 4 || uint32(len(content)-4) < binary.BigEndian.Uint32(content) {
				return nil, fmt.Errorf("%s is neither one framed record nor records after their lengths", path)
			}
			end := 4 + binary.BigEndian.Uint32(content)
			if bytes.HasPrefix(content[4:end], header[:]) {
				messages = append(messages, recordsize.Message{Value: content[4:end]})
			}
			content = content[end:]
		}
	}
	return messages, nil
}
