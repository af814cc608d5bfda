package spool_test

import (
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/quotascope/quotascope/collectors/internal/spool"
)

// hanging is a spool whose every call waits while it is told to hang, as on a disk that does not answer.
type hanging struct {
	spool.Spool
	mu sync.Mutex
}

func (h *hanging) wait() { h.mu.Lock(); defer h.mu.Unlock() } //nolint:staticcheck // To have been free for a moment is the point.

func (h *hanging) Append(records []spool.Record)  { h.wait(); h.Spool.Append(records) }
func (h *hanging) Release(pending []spool.Record) { h.wait(); h.Spool.Release(pending) }
func (h *hanging) Close() (kept, lost int)        { h.wait(); return h.Spool.Close() }
func (h *hanging) Hold(count int, bytes int64) []spool.Record {
	h.wait()
	return h.Spool.Hold(count, bytes)
}

// patience is more than a busy machine keeps a sound disk waiting.
const patience = 2 * time.Second

// patientOver is a Patient of room for ten records before a disk that can be made to hang.
func patientOver(t *testing.T, told *witness) (*spool.Patient, *hanging) {
	behind := &hanging{Spool: spool.NewDisk(options(t.TempDir(), told))}
	return spool.NewPatient(spool.PatientOptions{
		Patience: patience, MemoryBytes: 10 * size, Events: told, Opened: func(spool.Backlog) {},
	}, func() spool.Spool { return behind }), behind
}

// inTime runs a call that must not wait for a disk.
func inTime(t *testing.T, what string, call func()) {
	began := time.Now()
	call()
	require.Less(t, time.Since(began), 20*patience, what)
}

func TestADiskThatAnswersIsUsedAtOnce(t *testing.T) {
	told := &witness{}
	p, behind := patientOver(t, told)
	p.Append(numbered(0, 100))
	require.Equal(t, 100, behind.Backlog().Records, "an append that returned is on disk")
	require.Equal(t, 100, p.Backlog().Records)
	require.True(t, p.Backlog().Durable)
	require.Equal(t, counting(0, 100), drain(t, p))
	require.Zero(t, p.Backlog().Records)
	require.Zero(t, told.droppedInAll())
	kept, lost := p.Close()
	require.Equal(t, []int{0, 0}, []int{kept, lost})
}

// TestADiskThatHangsHoldsNobodyUp lets it hang before an append, under one, and while records are taken out.
func TestADiskThatHangsHoldsNobodyUp(t *testing.T) {
	told := &witness{}
	p, behind := patientOver(t, told)
	p.Append(numbered(0, 5))
	behind.mu.Lock()
	inTime(t, "append", func() { p.Append(numbered(5, 2)) })
	require.True(t, told.said("spool_hanging: "))
	inTime(t, "hold", func() { require.Empty(t, p.Hold(3, 1<<20)) })
	inTime(t, "hold again", func() { require.Empty(t, p.Hold(3, 1<<20)) })
	inTime(t, "more than there is room for", func() { p.Append(numbered(7, 12)) })
	// Ten fit beside the two that are in the write that hangs; on a busy machine that may not have begun to write them.
	dropped := told.dropped(spool.ReasonHanging)
	require.Contains(t, []int{2, 4}, dropped)
	backlog := p.Backlog()
	require.Equal(t, []any{19 - dropped, false}, []any{backlog.Records, backlog.Durable})
	require.Zero(t, told.count())

	behind.mu.Unlock()
	require.Eventually(t, func() bool { return p.Backlog().Durable }, 30*time.Second, time.Millisecond)
	require.Equal(t, append(counting(0, 9-dropped), counting(9, 10)...), drain(t, p), "in order, without those that were counted")
	require.Equal(t, 1, told.count())
	require.Equal(t, dropped, told.droppedInAll())
	kept, lost := p.Close()
	require.Equal(t, []int{0, 0}, []int{kept, lost})
}

// TestReleasingIntoADiskThatHangsIsDoneLater: what was acknowledged before does not come back.
func TestReleasingIntoADiskThatHangsIsDoneLater(t *testing.T) {
	told := &witness{}
	p, behind := patientOver(t, told)
	p.Append(numbered(0, 6))
	require.Len(t, p.Hold(4, 1<<20), 4)
	behind.mu.Lock()
	inTime(t, "release", func() { p.Release(nil) })
	inTime(t, "hold", func() { require.Empty(t, p.Hold(4, 1<<20)) })
	behind.mu.Unlock()
	require.Eventually(t, func() bool { p.Append(nil); return told.count() == 1 }, 30*time.Second, time.Millisecond)
	require.Equal(t, []int{4, 5}, drain(t, p))
	p.Close()
}

func TestStoppingWhileTheDiskHangsCountsWhatIsLost(t *testing.T) {
	told := &witness{}
	p, behind := patientOver(t, told)
	p.Append(numbered(0, 5))
	behind.mu.Lock()
	p.Append(numbered(5, 3))
	p.Append(numbered(8, 4))
	var kept, lost int
	inTime(t, "close", func() { kept, lost = p.Close() })
	require.Equal(t, []int{5, 7}, []int{kept, lost})
	behind.mu.Unlock()
}

// TestADiskThatHangsWhenItIsOpened lets a FIFO stand in for a segment: to open it never ends, until somebody opens the other end.
func TestADiskThatHangsWhenItIsOpened(t *testing.T) {
	folder, told := t.TempDir(), &witness{}
	first := spool.NewDisk(options(folder, told))
	first.Append(numbered(0, 3))
	first.Close()
	fifo := filepath.Join(folder, "0000000000000003.qsp")
	require.NoError(t, unix.Mkfifo(fifo, 0o600))
	opened := make(chan spool.Backlog, 1)
	var p *spool.Patient
	inTime(t, "open", func() {
		p = spool.NewPatient(spool.PatientOptions{
			Patience: patience, MemoryBytes: 100 * size, Events: told, Opened: func(found spool.Backlog) { opened <- found },
		}, func() spool.Spool { return spool.NewDisk(options(folder, told)) })
	})
	inTime(t, "append", func() { p.Append(numbered(3, 4)) })
	inTime(t, "hold", func() { require.Empty(t, p.Hold(9, 1<<20), "older ones may be on the disk") })
	require.Empty(t, opened)
	require.Equal(t, 4, p.Backlog().Records)

	other, err := os.OpenFile(fifo, os.O_RDWR, 0)
	require.NoError(t, err)
	defer other.Close()
	require.Equal(t, 3, (<-opened).Records)
	require.Eventually(t, func() bool { return p.Backlog().Durable }, 30*time.Second, time.Millisecond)
	require.Equal(t, counting(0, 7), drain(t, p))
	p.Close()
}
