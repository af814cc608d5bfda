package spool

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

type deaf struct{}

func (deaf) Dropped(Reason, int)    {}
func (deaf) Trouble(string, string) {}
func (deaf) Corrupt(int)            {}
func (deaf) Recovered(_, _ string)  {}

// While Kafka answers nothing is fsynced; what has waited is, once.
func TestOnlyRecordsThatWaitAreSynced(t *testing.T) {
	f, err := openFolder(Options{Directory: t.TempDir(), MaxBytes: 64 << 10, MaxAge: time.Hour, Events: deaf{}, Now: time.Now})
	require.NoError(t, err)
	defer f.close()
	write := func() {
		_, err := f.append([]Record{{Topic: "t", Key: []byte("k"), Value: make([]byte, 300)}}, time.Now())
		require.NoError(t, err)
	}
	write()
	require.Nil(t, f.unsynced(time.Minute), "too young")
	require.Len(t, f.unsynced(0), 2, "the segment and the position")
	f.hold(10, 1<<20)
	require.Len(t, f.unsynced(0), 2, "held is not acknowledged")
	f.release(1)
	require.Nil(t, f.unsynced(0), "acknowledged")

	for range 100 {
		write()
	}
	require.Greater(t, len(f.segments), 3)
	require.Len(t, f.unsynced(0), 1+len(f.segments), "complete segments too")
	f.haveSynced(f.next)
	require.Nil(t, f.unsynced(0))
	for _, s := range f.segments[:len(f.segments)-1] {
		require.Nil(t, s.file, "complete and synced: closed")
	}
	write()
	require.Len(t, f.unsynced(0), 2)
	require.NoError(t, syncAll(f.unsynced(0), f.Directory))
}
