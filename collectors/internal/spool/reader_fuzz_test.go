package spool

import (
	"bytes"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// FuzzSegment reads arbitrary bytes as a segment: no panic, an end, blocks in order that lie within the bytes, and no
// more content than a bounded body can hold. testdata/fuzz/FuzzSegment keeps whole, torn and flipped segments.
func FuzzSegment(f *testing.F) {
	codec, err := newCodec()
	require.NoError(f, err)
	f.Add([]byte{})
	f.Add([]byte(segmentMagic))
	f.Fuzz(func(t *testing.T, text []byte) {
		s := &segment{bytes: int64(len(text))}
		_, err := s.index(bytes.NewReader(text), time.Now())
		require.NoError(t, err)
		end, offset := uint64(0), int64(0)
		for _, b := range s.blocks {
			require.GreaterOrEqual(t, b.first, end)
			require.GreaterOrEqual(t, b.offset, offset)
			end, offset = b.end(), b.offset+b.size()
			require.LessOrEqual(t, offset, s.bytes)
			records, err := codec.decode(b.blockHeader, text[b.offset+blockHeaderSize:offset])
			if err != nil {
				require.ErrorIs(t, err, errCorrupt)
				continue
			}
			require.Len(t, records, int(b.records))
		}
	})
}

// FuzzBody takes the body of a block whose checksum is right, which only a forger can make: it must be refused or whole.
func FuzzBody(f *testing.F) {
	codec, err := newCodec()
	require.NoError(f, err)
	records := []Record{{Topic: "t", Key: []byte("k"), Value: []byte("value")}, {Topic: "t", Key: []byte("k"), Value: nil}}
	encoded := codec.encode(records, 0, time.Now())
	f.Add(uint32(2), uint32(15), append([]byte{}, encoded[blockHeaderSize:]...))
	f.Fuzz(func(t *testing.T, count, raw uint32, body []byte) {
		header := blockHeader{records: count, raw: raw, stored: uint32(len(body)), checksum: checksumOf(body)}
		parsed, err := parseBlockHeader(header.append(nil))
		if err != nil {
			require.ErrorIs(t, err, errCorrupt)
			return
		}
		restored, err := codec.decode(parsed, body)
		if err != nil {
			require.ErrorIs(t, err, errCorrupt)
			return
		}
		size := 0
		for _, record := range restored {
			size += len(record.Topic) + len(record.Key) + len(record.Value)
		}
		require.Len(t, restored, int(count))
		require.LessOrEqual(t, size, int(raw))
	})
}
