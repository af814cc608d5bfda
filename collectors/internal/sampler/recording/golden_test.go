package recording

import (
	"encoding/binary"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/quotascope/quotascope/collectors/internal/sampler"
	"github.com/quotascope/quotascope/collectors/internal/usagewindow"
)

var update = flag.Bool("update", false, "write testdata/recordings/*.avro instead of comparing with it")

// TestRecordedHostsMakeTheKeptRecords replays what real kernels said and holds the records against the kept ones.
func TestRecordedHostsMakeTheKeptRecords(t *testing.T) {
	names, err := filepath.Glob("../../../testdata/recordings/*.csv")
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(names), 2)
	encoder, err := usagewindow.NewEncoder()
	require.NoError(t, err)
	for _, name := range names {
		file, err := os.Open(name)
		require.NoError(t, err)
		var made []byte
		windows := 0
		add := func(record any) {
			framed, err := encoder.Append(nil, record)
			require.NoError(t, err)
			made = append(binary.BigEndian.AppendUint32(made, uint32(len(framed))), framed...)
		}
		require.NoError(t, Replay(file, nil, func(batch sampler.Batch) {
			for _, record := range batch.Identities {
				add(record)
			}
			for _, record := range batch.Windows {
				add(record)
				windows++
			}
			add(batch.Host)
		}), name)
		require.NoError(t, file.Close())
		require.Equal(t, 2, windows, name)
		kept := strings.TrimSuffix(name, ".csv") + ".avro"
		if *update {
			require.NoError(t, os.WriteFile(kept, made, 0o644))
		}
		wanted, err := os.ReadFile(kept)
		require.NoError(t, err)
		require.Equal(t, wanted, made, "%s: regenerate with -args -update if the change is meant", kept)
	}
}
