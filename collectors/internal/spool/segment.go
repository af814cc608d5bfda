package spool

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

const (
	segmentMagic      = "QSSPOOL\n"
	segmentVersion    = 1
	segmentHeaderSize = 16
	segmentSuffix     = ".qsp"
	asideSuffix       = ".corrupt"
)

// block is where a block lies in its segment.
type block struct {
	blockHeader
	offset int64
	born   time.Time // with a monotonic reading, so that a stepping clock ages nothing
}

func (b block) size() int64 { return blockHeaderSize + int64(b.stored) }

// segment is one file of blocks in the order of their records.
type segment struct {
	path    string
	first   uint64 // as its name states
	blocks  []block
	bytes   int64 // length of the file
	corrupt bool  // set aside instead of removed
	file    *os.File
}

// end is the ordinal behind the last record that is known of.
func (s *segment) end() uint64 {
	if len(s.blocks) == 0 {
		return s.first
	}
	return s.blocks[len(s.blocks)-1].end()
}

func segmentName(first uint64) string { return fmt.Sprintf("%016x%s", first, segmentSuffix) }

func segmentFirst(name string) (uint64, bool) {
	digits, is := strings.CutSuffix(name, segmentSuffix)
	if !is || len(digits) != 16 {
		return 0, false
	}
	first, err := strconv.ParseUint(digits, 16, 64)
	return first, err == nil && first <= maxOrdinal
}

func segmentHeader() []byte {
	header := binary.LittleEndian.AppendUint32([]byte(segmentMagic), segmentVersion)
	return binary.LittleEndian.AppendUint32(header, checksumOf(header))
}

// createSegment makes the file of a segment whose first record gets that ordinal.
func createSegment(folder string, first uint64) (*segment, error) {
	s := &segment{path: filepath.Join(folder, segmentName(first)), first: first}
	// A file of this name can only hold what an earlier process could not finish and nobody counts on.
	file, err := os.OpenFile(s.path, os.O_CREATE|os.O_TRUNC|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	if _, err := file.Write(segmentHeader()); err != nil {
		file.Close()      //nolint:errcheck // The write error is the news.
		os.Remove(s.path) //nolint:errcheck // As above; an empty segment is harmless.
		return nil, err
	}
	s.file, s.bytes = file, segmentHeaderSize
	return s, nil
}

// write appends a block. After an error what was written of it is cut off again, which gives a full disk its space back.
func (s *segment) write(h blockHeader, born time.Time, encoded []byte) error {
	if s.file == nil {
		return fmt.Errorf("%s: %w", s.path, os.ErrClosed)
	}
	if _, err := s.file.WriteAt(encoded, s.bytes); err != nil {
		if truncating := s.file.Truncate(s.bytes); truncating != nil {
			err = errors.Join(err, truncating)
		}
		return err
	}
	s.blocks = append(s.blocks, block{blockHeader: h, offset: s.bytes, born: born})
	s.bytes += int64(len(encoded))
	return nil
}

// read returns the compressed body of a block.
func (s *segment) read(b block) ([]byte, error) {
	file := s.file
	if file == nil {
		opened, err := os.Open(s.path)
		if err != nil {
			return nil, err
		}
		defer opened.Close()
		file = opened
	}
	body := make([]byte, b.stored)
	if _, err := file.ReadAt(body, b.offset+blockHeaderSize); err != nil {
		return nil, fmt.Errorf("%s at %d: %w", s.path, b.offset, err)
	}
	return body, nil
}

func (s *segment) close() {
	if s.file != nil {
		s.file.Close() //nolint:errcheck // Written content is in the kernel; fsync reports what the disk refuses.
		s.file = nil
	}
}

// found is what loading a segment says beside its blocks.
type found struct {
	skipped int   // stretches of bytes that hold no block
	torn    int64 // length of what follows the last block, bytes
}

// loadSegment indexes the blocks of a file by their headers. What is no block is skipped: the ordinals of the next block
// tell how many records were lost. The bodies are checked when they are read.
func loadSegment(path string, first uint64, opened time.Time) (*segment, found, error) {
	s := &segment{path: path, first: first}
	file, err := os.Open(path)
	if err != nil {
		return nil, found{}, err
	}
	defer file.Close()
	status, err := file.Stat()
	if err != nil {
		return nil, found{}, err
	}
	s.bytes = status.Size()
	result, err := s.index(file, opened)
	if err != nil {
		return nil, found{}, err
	}
	return s, result, nil
}

// index finds the blocks of a segment of s.bytes bytes.
func (s *segment) index(file io.ReaderAt, opened time.Time) (result found, err error) {
	var header [segmentHeaderSize]byte
	if _, err := file.ReadAt(header[:], 0); err != nil && !errors.Is(err, io.EOF) {
		return result, err
	}
	offset := int64(segmentHeaderSize)
	if !bytes.Equal(header[:], segmentHeader()) {
		s.corrupt = true
		if isOtherVersion(header[:]) {
			return found{skipped: 1}, nil
		}
	}
	for offset < s.bytes {
		h, err := s.headerAt(file, offset)
		if err != nil {
			at, searching := s.search(file, offset+1)
			if searching != nil {
				return result, searching
			}
			if at < 0 {
				result.torn = s.bytes - offset
				return result, nil
			}
			result.skipped++
			s.corrupt = true
			offset = at
			continue
		}
		age := max(0, opened.Sub(h.born()))
		s.blocks = append(s.blocks, block{blockHeader: h, offset: offset, born: opened.Add(-age)})
		offset += blockHeaderSize + int64(h.stored)
	}
	return result, nil
}

// isOtherVersion recognizes an intact header of a format that this code does not know.
func isOtherVersion(header []byte) bool {
	sum := binary.LittleEndian.Uint32(header[12:])
	return string(header[:8]) == segmentMagic && sum == checksumOf(header[:12])
}

// headerAt reads the header at an offset and demands what a block of this segment must be: complete and in order.
func (s *segment) headerAt(file io.ReaderAt, offset int64) (blockHeader, error) {
	var text [blockHeaderSize]byte
	count, err := file.ReadAt(text[:], offset)
	if err != nil && !errors.Is(err, io.EOF) {
		return blockHeader{}, err
	}
	h, err := parseBlockHeader(text[:count])
	if err != nil {
		return h, err
	}
	if offset+blockHeaderSize+int64(h.stored) > s.bytes || h.first < s.end() {
		return h, fmt.Errorf("%w: block at %d", errCorrupt, offset)
	}
	return h, nil
}

// search returns the offset of the next block, or -1.
func (s *segment) search(file io.ReaderAt, from int64) (int64, error) {
	rest := make([]byte, max(0, s.bytes-from))
	if _, err := file.ReadAt(rest, from); err != nil && !errors.Is(err, io.EOF) {
		return -1, err
	}
	for at := 0; ; at++ {
		next := bytes.Index(rest[min(at, len(rest)):], []byte(blockMagic))
		if next < 0 {
			return -1, nil
		}
		at += next
		if _, err := s.headerAt(file, from+int64(at)); err == nil {
			return from + int64(at), nil
		}
	}
}
