package spool_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/quotascope/quotascope/collectors/internal/spool"
)

// witness remembers what a spool told.
type witness struct {
	mu        sync.Mutex
	drops     map[spool.Reason]int
	troubles  []string
	corrupt   int
	recovered int
}

func (w *witness) Dropped(reason spool.Reason, records int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if records <= 0 {
		panic(fmt.Sprintf("%d records dropped", records))
	}
	if w.drops == nil {
		w.drops = map[spool.Reason]int{}
	}
	w.drops[reason] += records
}

func (w *witness) Trouble(kind, message string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.troubles = append(w.troubles, kind+": "+message)
}

func (w *witness) Corrupt(blocks int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.corrupt += blocks
}

func (w *witness) Recovered(string, string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.recovered++
}

// count is how many faults have ended.
func (w *witness) count() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.recovered
}

func (w *witness) dropped(reason spool.Reason) int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.drops[reason]
}

func (w *witness) droppedInAll() (records int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, count := range w.drops {
		records += count
	}
	return records
}

func (w *witness) said(text string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, line := range w.troubles {
		if strings.Contains(line, text) {
			return true
		}
	}
	return false
}

// record is a record that states its own number and cannot be mistaken for another one, whatever is done to its bytes.
func record(number int) spool.Record {
	return spool.Record{Topic: "t", Key: []byte("host"), Value: fmt.Appendf(nil, "%06d %016x", number, rand.New(rand.NewPCG(7, uint64(number))).Uint64())}
}

var size = record(0).Size()

func numbered(first, count int) (records []spool.Record) {
	for number := first; number < first+count; number++ {
		records = append(records, record(number))
	}
	return records
}

// numbersOf reads the numbers and demands that every record is exactly as it was made.
func numbersOf(t require.TestingT, records []spool.Record) (numbers []int) {
	for _, got := range records {
		var number int
		_, err := fmt.Sscanf(string(got.Value), "%06d", &number)
		require.NoError(t, err)
		require.Equal(t, record(number), got)
		numbers = append(numbers, number)
	}
	return numbers
}

// options are those of a small spool whose upkeep the test does not wait for.
func options(folder string, told *witness) spool.Options {
	return spool.Options{
		Directory: folder, MaxBytes: 1 << 20, MaxAge: time.Hour, MemoryBytes: 1 << 20,
		SyncAfter: time.Hour, Upkeep: time.Hour, Events: told,
	}
}

// drain takes everything that is left.
func drain(t require.TestingT, s spool.Spool) (numbers []int) {
	for {
		records := s.Hold(7, 1<<20)
		if len(records) == 0 {
			return numbers
		}
		numbers = append(numbers, numbersOf(t, records)...)
		s.Release(nil)
	}
}

func counting(first, count int) (numbers []int) {
	for number := first; number < first+count; number++ {
		numbers = append(numbers, number)
	}
	return numbers
}

// clock stands still until a test lets time pass; it begins at the present, since an age goes by the wall clock across runs.
type clock struct {
	mu sync.Mutex
	at time.Time
}

func newClock() *clock { return &clock{at: time.Now()} }

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

func (c *clock) pass(duration time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = c.at.Add(duration)
}
