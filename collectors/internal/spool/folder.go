package spool

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// folder is a spool folder that this process owns. Records are numbered by ordinals that never repeat: everything about
// order, position and loss is arithmetic on them. It is used under the lock of its Disk.
type folder struct {
	Options
	lock     *os.File
	position *positionFile
	codec    *codec

	segments  []*segment // oldest first
	appending *segment   // the last of them, or nil
	aside     []asideFile

	head uint64 // first record that is not done with
	read uint64 // first record that was not held yet; head while nothing is held
	next uint64 // what the next record gets
	// heldTo is behind the last held record; read is above it only if what followed was dropped meanwhile.
	heldTo  uint64
	holding bool
	dropped Reason // why, in that case

	synced uint64 // records below were fsynced or need not be
	cache  decoded
}

// decoded is the block that is being read; a chunk may end within it.
type decoded struct {
	first   uint64
	records []Record
}

// asideFile is a segment that was set aside.
type asideFile struct {
	path  string
	bytes int64
}

const (
	lockName     = "lock"
	positionName = "position"
	// keptAside is how many spoilt segments are kept for whoever wants to know what happened. Their bytes count.
	keptAside = 4
)

// openFolder takes over the folder, which it creates if need be, and finds what an earlier process left there.
func openFolder(o Options) (*folder, error) {
	f := &folder{Options: o}
	if err := f.open(); err != nil {
		f.close()
		return nil, err
	}
	return f, nil
}

func (f *folder) open() (err error) {
	if err := os.MkdirAll(f.Directory, 0o700); err != nil {
		return err
	}
	if f.lock, err = lockFile(filepath.Join(f.Directory, lockName)); err != nil {
		return err
	}
	if f.codec, err = newCodec(); err != nil {
		return err
	}
	position, at, known, err := openPosition(filepath.Join(f.Directory, positionName))
	if err != nil {
		return err
	}
	f.position = position
	if err := f.load(at, known); err != nil {
		return err
	}
	// Written at once: a folder that cannot be written must show now, not with the first record.
	return f.position.write(positions{f.head, f.next})
}

func (f *folder) load(at positions, known bool) error {
	entries, err := os.ReadDir(f.Directory)
	if err != nil {
		return err
	}
	opened, torn := f.Now(), int64(0)
	for _, entry := range entries {
		path := filepath.Join(f.Directory, entry.Name())
		if strings.HasSuffix(path, segmentSuffix+asideSuffix) {
			if status, err := entry.Info(); err == nil {
				f.aside = append(f.aside, asideFile{path, status.Size()})
			}
			continue
		}
		if first, is := segmentFirst(entry.Name()); is {
			torn = f.loadOne(path, first, opened, torn)
		}
	}
	end := uint64(0)
	if len(f.segments) > 0 {
		end = f.segments[len(f.segments)-1].end()
		f.endTail(torn, known && at.next > end)
	}
	f.next = max(at.next, end)
	f.head = at.head
	if !known && len(f.segments) > 0 {
		f.head = f.segments[0].first
	}
	f.read, f.synced = f.head, f.next
	f.dropBlockless()
	f.removePassed()
	return nil
}

// loadOne adds a segment and returns how many bytes follow its last block; tornBefore is that of the segment before.
func (f *folder) loadOne(path string, first uint64, opened time.Time, tornBefore int64) (torn int64) {
	s, result, err := loadSegment(path, first, opened)
	if err != nil {
		f.Events.Trouble(TroubleCorrupt, fmt.Sprintf("segment cannot be read: %v", err))
		s, result = &segment{path: path, first: first, corrupt: true}, found{skipped: 1}
	}
	if count := len(f.segments); count > 0 {
		before := f.segments[count-1]
		if tornBefore > 0 && before.end() < first {
			f.spoilt(before, 1, "its last block cannot be read")
		}
		if s.first < before.end() { // A file that somebody copied here; what it repeats is not sent twice.
			s.corrupt = true
			for len(s.blocks) > 0 && s.blocks[0].first < before.end() {
				s.blocks = s.blocks[1:]
			}
			s.first = before.end()
		}
	}
	f.segments = append(f.segments, s)
	if result.skipped > 0 {
		f.spoilt(s, result.skipped, "bytes that are no block")
	}
	return result.torn
}

// endTail deals with bytes behind the last block of all: a block that was not written to its end is cut off, since
// nobody was told that it is safe; one that had been complete is lost and stays for inspection.
func (f *folder) endTail(torn int64, wasComplete bool) {
	tail := f.segments[len(f.segments)-1]
	switch {
	case wasComplete && (torn > 0 || len(tail.blocks) == 0):
		f.spoilt(tail, 1, "the last block cannot be read")
	case torn > 0:
		f.Events.Trouble(TroubleTorn, fmt.Sprintf("%s ends with %d bytes of a block that was not written to its end: cut off",
			tail.path, torn))
		tail.bytes -= torn
		if err := os.Truncate(tail.path, tail.bytes); err != nil {
			f.Events.Trouble(TroubleTorn, fmt.Sprintf("cut off: %v", err))
		}
	}
}

func (f *folder) spoilt(s *segment, blocks int, what string) {
	s.corrupt = true
	f.Events.Corrupt(blocks)
	f.Events.Trouble(TroubleCorrupt, fmt.Sprintf("%s: %s; the rest is delivered, the file is set aside", s.path, what))
}

// dropBlockless removes segments without a block, so that no two entries ever stand for one file name.
func (f *folder) dropBlockless() {
	kept := f.segments[:0]
	for _, s := range f.segments {
		if len(s.blocks) > 0 {
			kept = append(kept, s)
			continue
		}
		f.remove(s)
	}
	f.segments = kept
}

// append writes the records as blocks and says how many of them it is done with; they include those too large to keep.
func (f *folder) append(records []Record, born time.Time) (done int, err error) {
	for done < len(records) {
		count := f.blockful(records[done:])
		encoded := f.codec.encode(records[done:done+count], f.next, born)
		h, err := parseBlockHeader(encoded)
		if int64(len(encoded))+segmentHeaderSize > f.MaxBytes || err != nil {
			f.Events.Dropped(ReasonFull, count)
			done += count
			continue
		}
		f.makeRoom(int64(len(encoded)) + segmentHeaderSize) // It may need a new segment.
		s, err := f.tail(int64(len(encoded)))
		if err != nil {
			return done, err
		}
		if err := s.write(h, born, encoded); err != nil {
			return done, err
		}
		f.next = h.end()
		done += count
	}
	f.savePosition()
	return done, nil
}

// blockful is how many of the records make one block.
func (f *folder) blockful(records []Record) (count int) {
	bytes := int64(0)
	for count < len(records) {
		bytes += records[count].Size()
		if count > 0 && bytes > f.blockBytes() {
			break
		}
		count++
	}
	return count
}

// blockBytes is what a block holds before it is compressed: the window of one host, usually, and little beside a bound.
func (f *folder) blockBytes() int64 { return max(1, min(256<<10, f.MaxBytes/16)) }

// segmentBytes makes the oldest file, which goes as a whole when the bound is reached, a 64th of the bound.
func (f *folder) segmentBytes() int64 { return min(4<<20, f.MaxBytes/64) }

// tail returns the segment that takes the next block.
func (f *folder) tail(bytes int64) (*segment, error) {
	if s := f.appending; s != nil && (len(s.blocks) == 0 || s.bytes+bytes <= f.segmentBytes()) {
		return s, nil
	}
	f.seal()
	s, err := createSegment(f.Directory, f.next)
	if err != nil {
		return nil, err
	}
	f.segments = append(f.segments, s)
	f.appending = s
	return s, nil
}

// seal ends the segment that is being written.
func (f *folder) seal() {
	f.appending = nil
	f.dropBlockless()
	f.removePassed()
}

func (f *folder) savePosition() {
	at := positions{head: f.head, next: f.next}
	// Held records of a segment that had to go cannot be repeated after a restart.
	if len(f.segments) > 0 && f.holding && f.read > f.heldTo {
		at.head = min(f.next, max(at.head, f.segments[0].first))
	}
	if err := f.position.write(at); err != nil {
		f.Events.Trouble(TroublePosition, fmt.Sprintf("the position cannot be saved, a restart would repeat records: %v", err))
	}
}

// close lets go of the folder and keeps what is in it.
func (f *folder) close() {
	for _, s := range f.segments {
		s.close()
	}
	if f.position != nil {
		f.position.file.Close() //nolint:errcheck // Its slots are in the kernel already.
	}
	if f.codec != nil {
		f.codec.close()
	}
	if f.lock != nil {
		f.lock.Close() //nolint:errcheck // Closing it is what unlocks.
	}
}

// present tells whether the folder is still the one that was opened, and not removed or replaced behind our back.
func (f *folder) present() bool {
	ours, err := f.lock.Stat()
	if err != nil {
		return false
	}
	there, err := os.Stat(filepath.Join(f.Directory, lockName))
	return err == nil && os.SameFile(ours, there)
}
