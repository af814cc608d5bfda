package spool

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"time"

	"github.com/klauspost/compress/zstd"
)

// errCorrupt is what every fault of content wraps: bytes that no writer of this format has left there.
var errCorrupt = errors.New("corrupt")

// castagnoli is CRC32C, which processors compute in hardware.
var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func checksumOf(text []byte) uint32 { return crc32.Checksum(text, castagnoli) }

const (
	blockMagic      = "QSB1"
	blockHeaderSize = 40
	// maxBlockRaw bounds what a reader allocates for a block before it has believed it. Bytes.
	maxBlockRaw = 4 << 20
	// maxOrdinal keeps sums of ordinals and counts far from overflow: 100 billion years of records.
	maxOrdinal = 1 << 60
)

// blockHeader is the decoded header of a block; README.md has its layout.
type blockHeader struct {
	first    uint64 // ordinal of the first record
	records  uint32
	stored   uint32 // length of the compressed body, bytes
	raw      uint32 // length of the body, bytes
	checksum uint32 // CRC32C of the compressed body
	bornUs   int64  // when the spool took the oldest record, microseconds since the Unix epoch
}

func (h blockHeader) end() uint64 { return h.first + uint64(h.records) }

func (h blockHeader) born() time.Time { return time.UnixMicro(h.bornUs) }

func (h blockHeader) append(dst []byte) []byte {
	start := len(dst)
	dst = append(dst, blockMagic...)
	dst = append(dst, 0, 0, 0, 0)
	dst = binary.LittleEndian.AppendUint64(dst, h.first)
	dst = binary.LittleEndian.AppendUint32(dst, h.records)
	dst = binary.LittleEndian.AppendUint32(dst, h.stored)
	dst = binary.LittleEndian.AppendUint32(dst, h.raw)
	dst = binary.LittleEndian.AppendUint32(dst, h.checksum)
	dst = binary.LittleEndian.AppendUint64(dst, uint64(h.bornUs))
	binary.LittleEndian.PutUint32(dst[start+4:], checksumOf(dst[start+8:]))
	return dst
}

// parseBlockHeader reads a header from the beginning of text.
func parseBlockHeader(text []byte) (blockHeader, error) {
	if len(text) < blockHeaderSize {
		return blockHeader{}, fmt.Errorf("%w: %d bytes are no block header", errCorrupt, len(text))
	}
	text = text[:blockHeaderSize]
	if string(text[:4]) != blockMagic || binary.LittleEndian.Uint32(text[4:]) != checksumOf(text[8:]) {
		return blockHeader{}, fmt.Errorf("%w: block header", errCorrupt)
	}
	h := blockHeader{
		first:    binary.LittleEndian.Uint64(text[8:]),
		records:  binary.LittleEndian.Uint32(text[16:]),
		stored:   binary.LittleEndian.Uint32(text[20:]),
		raw:      binary.LittleEndian.Uint32(text[24:]),
		checksum: binary.LittleEndian.Uint32(text[28:]),
		bornUs:   int64(binary.LittleEndian.Uint64(text[32:])),
	}
	if h.records == 0 || h.raw > maxBlockRaw || h.records > h.raw || h.first > maxOrdinal {
		return blockHeader{}, fmt.Errorf("%w: block header out of bounds", errCorrupt)
	}
	return h, nil
}

// codec compresses and restores blocks. One goroutine at a time uses it.
type codec struct {
	encoder *zstd.Encoder
	decoder *zstd.Decoder
	plain   []byte
	packed  []byte
}

func newCodec() (*codec, error) {
	// A block is its own frame of at most a few hundred KiB: a larger window would only cost memory.
	encoder, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(256<<10),
		zstd.WithLowerEncoderMem(true), zstd.WithEncoderCRC(false))
	if err != nil {
		return nil, err
	}
	decoder, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true),
		zstd.WithDecoderMaxMemory(maxBlockRaw), zstd.WithDecodeAllCapLimit(true))
	if err != nil {
		return nil, err
	}
	return &codec{encoder: encoder, decoder: decoder}, nil
}

func (c *codec) close() {
	c.encoder.Close() //nolint:errcheck // Nothing was streamed, so nothing is flushed.
	c.decoder.Close()
}

// encode returns the block of these records; it is valid until the next call.
func (c *codec) encode(records []Record, first uint64, born time.Time) []byte {
	c.plain = c.plain[:0]
	for _, record := range records {
		c.plain = appendBytes(appendBytes(appendBytes(c.plain, []byte(record.Topic)), record.Key), record.Value)
	}
	c.packed = c.encoder.EncodeAll(c.plain, append(c.packed[:0], make([]byte, blockHeaderSize)...))
	body := c.packed[blockHeaderSize:]
	h := blockHeader{
		first: first, records: uint32(len(records)), stored: uint32(len(body)), raw: uint32(len(c.plain)),
		checksum: checksumOf(body), bornUs: born.UnixMicro(),
	}
	h.append(c.packed[:0])
	return c.packed
}

func appendBytes(dst, text []byte) []byte {
	return append(binary.AppendUvarint(dst, uint64(len(text))), text...)
}

// decode restores the records of a body. They share one array of bytes, which nothing else uses.
func (c *codec) decode(h blockHeader, body []byte) ([]Record, error) {
	if checksumOf(body) != h.checksum {
		return nil, fmt.Errorf("%w: checksum of the block", errCorrupt)
	}
	plain, err := c.decoder.DecodeAll(body, make([]byte, 0, h.raw))
	if err != nil {
		return nil, fmt.Errorf("%w: body of the block: %w", errCorrupt, err)
	}
	if len(plain) != int(h.raw) {
		return nil, fmt.Errorf("%w: %d of %d bytes restored", errCorrupt, len(plain), h.raw)
	}
	records := make([]Record, 0, min(int(h.records), len(plain)/3))
	topics := map[string]string{}
	for range h.records {
		var fields [3][]byte
		for i := range fields {
			length, size := binary.Uvarint(plain)
			if size <= 0 || length > uint64(len(plain)-size) {
				return nil, fmt.Errorf("%w: record %d of the block", errCorrupt, len(records))
			}
			end := size + int(length)
			fields[i], plain = plain[size:end:end], plain[end:]
		}
		topic, known := topics[string(fields[0])]
		if !known {
			topic = string(fields[0])
			topics[topic] = topic
		}
		records = append(records, Record{Topic: topic, Key: fields[1], Value: fields[2]})
	}
	if len(plain) > 0 {
		return nil, fmt.Errorf("%w: %d bytes behind the records of the block", errCorrupt, len(plain))
	}
	return records, nil
}
