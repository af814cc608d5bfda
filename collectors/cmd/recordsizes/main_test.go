package main

import (
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
