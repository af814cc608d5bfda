package spool

import (
	"encoding/binary"
	"errors"
	"io"
	"os"
)

// positions are the two ordinals that outlive the process: records below head are done with, next is the one that the
// following record gets. next tells a last block that was spoilt from one that was never written to its end.
type positions struct{ head, next uint64 }

const (
	positionMagic    = "QSP1"
	positionSlotSize = 32
)

// positionFile holds two slots, written in turn, so that one of them is always whole.
type positionFile struct {
	file       *os.File
	generation uint64
}

// openPosition opens or creates the file. A file without a whole slot gives no positions: records would be repeated,
// which the intake recognizes, but none would be lost.
func openPosition(path string) (p *positionFile, at positions, known bool, err error) {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, at, false, err
	}
	p = &positionFile{file: file}
	text := make([]byte, 2*positionSlotSize)
	count, err := file.ReadAt(text, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		file.Close() //nolint:errcheck // The read error is the news.
		return nil, at, false, err
	}
	for slot := text[:count]; len(slot) >= positionSlotSize; slot = slot[positionSlotSize:] {
		generation, found, whole := parsePosition(slot[:positionSlotSize])
		if whole && (!known || generation > p.generation) {
			p.generation, at, known = generation, found, true
		}
	}
	return p, at, known, nil
}

func parsePosition(slot []byte) (generation uint64, at positions, whole bool) {
	if string(slot[:4]) != positionMagic || binary.LittleEndian.Uint32(slot[4:]) != checksumOf(slot[8:]) {
		return 0, at, false
	}
	at = positions{head: binary.LittleEndian.Uint64(slot[16:]), next: binary.LittleEndian.Uint64(slot[24:])}
	return binary.LittleEndian.Uint64(slot[8:]), at, at.head <= at.next && at.next <= maxOrdinal
}

func (p *positionFile) write(at positions) error {
	p.generation++
	slot := append(make([]byte, 0, positionSlotSize), positionMagic...)
	slot = append(slot, 0, 0, 0, 0)
	for _, value := range []uint64{p.generation, at.head, at.next} {
		slot = binary.LittleEndian.AppendUint64(slot, value)
	}
	binary.LittleEndian.PutUint32(slot[4:], checksumOf(slot[8:]))
	_, err := p.file.WriteAt(slot, int64(p.generation%2)*positionSlotSize)
	return err
}
