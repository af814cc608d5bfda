package spool

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"sort"
	"syscall"
	"time"
)

// hold reads the oldest records. What cannot be read back is counted by its ordinals and passed over; a fault that is
// not the content's own ends the reading for now.
func (f *folder) hold(maxRecords int, maxBytes int64) []Record {
	f.expire()
	var held []Record
	bytes, limited := int64(0), false
	for !limited && f.read < f.next {
		records, missing, err := f.readable()
		if err != nil && missing == 0 {
			f.Events.Trouble(TroubleUnusable, fmt.Sprintf("reading the spool has to wait: %v", err))
			break
		}
		if missing > 0 {
			if len(held) > 0 {
				break // Held records have consecutive ordinals; the next hold begins here.
			}
			if s, _, found := f.blockAt(f.read); found && err != nil {
				f.spoilt(s, 1, err.Error())
			}
			f.pass(f.read+missing, ReasonCorrupt)
			continue
		}
		for _, record := range records {
			bytes += record.Size()
			if limited = len(held) == maxRecords || (len(held) > 0 && bytes > maxBytes); limited {
				break
			}
			held = append(held, record)
			f.read++
		}
	}
	f.holding, f.heldTo = len(held) > 0, f.read
	return held
}

// readable returns the records from read up to the end of their block, or how many at read cannot be read back and why,
// or only why they cannot be read now.
func (f *folder) readable() (records []Record, missing uint64, err error) {
	s, b, found := f.blockAt(f.read)
	switch {
	case !found:
		return nil, f.next - f.read, nil
	case b.first > f.read:
		return nil, b.first - f.read, nil
	case f.cache.records == nil || f.cache.first != b.first:
		f.cache = decoded{}
		body, err := s.read(b)
		if err == nil {
			f.cache.records, err = f.codec.decode(b.blockHeader, body)
		}
		if err != nil && !isLoss(err) {
			return nil, 0, err
		}
		if err != nil {
			return nil, b.end() - f.read, err
		}
		f.cache.first = b.first
	}
	return f.cache.records[f.read-b.first:], 0, nil
}

// isLoss tells content that will never come back from faults that may end, such as too many open files.
func isLoss(err error) bool {
	for _, loss := range []error{errCorrupt, fs.ErrNotExist, io.EOF, io.ErrUnexpectedEOF, syscall.EIO} {
		if errors.Is(err, loss) {
			return true
		}
	}
	return false
}

// blockAt finds the first block that ends behind the ordinal.
func (f *folder) blockAt(ordinal uint64) (*segment, block, bool) {
	i := sort.Search(len(f.segments), func(i int) bool { return f.segments[i].end() > ordinal })
	if i == len(f.segments) {
		return nil, block{}, false
	}
	s := f.segments[i]
	j := sort.Search(len(s.blocks), func(j int) bool { return s.blocks[j].end() > ordinal })
	if j == len(s.blocks) {
		return nil, block{}, false
	}
	return s, s.blocks[j], true
}

// release is done with the first of the held records, and with all of them when their number is given.
func (f *folder) release(settled int) {
	switch done := f.head + uint64(settled); {
	case done >= f.heldTo:
		f.head = f.read
	case f.read > f.heldTo: // What followed had to go, so these, which are older, go too.
		f.Events.Dropped(f.dropped, int(f.heldTo-done))
		f.head = f.read
	default:
		f.head, f.read = done, done
	}
	f.holding = false
	f.savePosition()
	f.removePassed()
}

// pass gives up what lies before the ordinal and is not held.
func (f *folder) pass(to uint64, reason Reason) {
	if to > f.read {
		f.Events.Dropped(reason, int(to-f.read))
		f.read, f.dropped = to, reason
	}
	if !f.holding && f.head < f.read {
		f.head = f.read
		f.savePosition()
		f.removePassed()
	}
}

// expire gives up blocks whose oldest record has waited longer than the bound.
func (f *folder) expire() {
	for {
		_, b, found := f.blockAt(f.read)
		if !found || f.Now().Sub(b.born) <= f.MaxAge {
			return
		}
		f.pass(b.end(), ReasonAge)
	}
}

// makeRoom lets the oldest go until the folder can take that many bytes more: spoilt segments first, then records.
func (f *folder) makeRoom(bytes int64) {
	for f.occupied()+bytes > f.MaxBytes {
		switch {
		case len(f.aside) > 0:
			f.removeAside()
		case len(f.segments) > 0:
			oldest := f.segments[0]
			if oldest == f.appending {
				f.appending = nil
			}
			f.segments = f.segments[1:]
			f.pass(oldest.end(), ReasonFull)
			f.savePosition()
			f.remove(oldest)
		default:
			return
		}
	}
}

// occupied is what the folder takes on disk beside the two small files, bytes.
func (f *folder) occupied() (bytes int64) {
	for _, s := range f.segments {
		bytes += s.bytes
	}
	for _, a := range f.aside {
		bytes += a.bytes
	}
	return bytes
}

// waiting is what the blocks of waiting records take on disk, bytes.
func (f *folder) waiting() (bytes int64) {
	for _, s := range f.segments {
		for _, b := range s.blocks {
			if b.end() > f.head {
				bytes += b.size()
			}
		}
	}
	return bytes
}

func (f *folder) removePassed() {
	for len(f.segments) > 0 && f.segments[0] != f.appending && f.segments[0].end() <= f.head {
		s := f.segments[0]
		f.segments = f.segments[1:]
		f.remove(s)
	}
}

// remove ends a segment: its file goes, or is set aside if it was spoilt.
func (f *folder) remove(s *segment) {
	s.close()
	var err error
	if s.corrupt {
		aside := asideFile{path: s.path + asideSuffix, bytes: s.bytes}
		if err = os.Rename(s.path, aside.path); err == nil {
			f.aside = append(f.aside, aside)
		}
		for len(f.aside) > keptAside {
			f.removeAside()
		}
	} else {
		err = os.Remove(s.path)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		f.Events.Trouble(TroubleRemove, err.Error())
	}
}

func (f *folder) removeAside() {
	if err := os.Remove(f.aside[0].path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		f.Events.Trouble(TroubleRemove, err.Error())
	}
	f.aside = f.aside[1:]
}

// unsynced returns the open files if a record has waited for its fsync and for the broker that long.
func (f *folder) unsynced(after time.Duration) []*os.File {
	_, b, found := f.blockAt(max(f.head, f.synced))
	if !found || f.Now().Sub(b.born) < after {
		return nil
	}
	files := []*os.File{f.position.file}
	for _, s := range f.segments {
		if s.file != nil {
			files = append(files, s.file)
		}
	}
	return files
}

// haveSynced notes that everything below the ordinal was fsynced and closes the files that are complete.
func (f *folder) haveSynced(to uint64) {
	f.synced = max(f.synced, to)
	for _, s := range f.segments {
		if s != f.appending && s.end() <= f.synced {
			s.close()
		}
	}
}
