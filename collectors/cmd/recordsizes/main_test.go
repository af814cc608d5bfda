package main

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const golden = "../../../schemas/golden/avro/go/cpu_usage_window_full.bin"

func TestSavedRecordsMeasureTheSame(t *testing.T) {
	var first, again strings.Builder
	folder := t.TempDir()
	require.NoError(t, run(t.Context(), []string{"-save", folder, golden}, &first))
	require.NoError(t, run(t.Context(), []string{filepath.Join(folder, "cpu_usage_window_0000.bin")}, &again))
	require.Equal(t, first.String(), again.String())
	require.Contains(t, first.String(), "1 CpuUsageWindow records")
}

func TestErrorsSayWhatIsWrong(t *testing.T) {
	var out strings.Builder
	require.ErrorContains(t, run(t.Context(), []string{"absent.bin"}, &out), "absent.bin")
	require.ErrorContains(t, run(t.Context(), []string{"-batch", "0", golden}, &out), "-batch")
	require.ErrorContains(t, run(t.Context(), nil, &out), "no CpuUsageWindow record")
	require.ErrorContains(t, run(t.Context(), []string{"-brokers", "127.0.0.1:1", "-wait", "300ms"}, &out), "0 of 30 records")
	require.Empty(t, out.String())
}

func TestRecordsAfterTheirLengthsAreReadAndOtherTypesLeftOut(t *testing.T) {
	var stream []byte
	for _, name := range []string{"cpu_usage_window_full", "host_window_full", "cpu_usage_window_typical", "shard_identity_full"} {
		framed, err := os.ReadFile(filepath.Join(filepath.Dir(golden), name+".bin"))
		require.NoError(t, err)
		stream = append(binary.BigEndian.AppendUint32(stream, uint32(len(framed))), framed...)
	}
	path := filepath.Join(t.TempDir(), "host.avro")
	require.NoError(t, os.WriteFile(path, stream, 0o644))
	var out strings.Builder
	require.NoError(t, run(t.Context(), []string{path}, &out))
	require.Contains(t, out.String(), "2 CpuUsageWindow records")
	require.NoError(t, os.WriteFile(path, stream[:len(stream)-1], 0o644))
	require.ErrorContains(t, run(t.Context(), []string{path}, &out), "neither one framed record nor records after their lengths")
}
