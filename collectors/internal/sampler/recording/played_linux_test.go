package recording_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/quotascope/quotascope/collectors/internal/identity"
	"github.com/quotascope/quotascope/collectors/internal/sampler"
	"github.com/quotascope/quotascope/collectors/internal/sampler/recording"
	"github.com/quotascope/quotascope/collectors/internal/usagewindow"
)

// recordedLongAgo is a recording of the first 300 ms of a window, all that its agent saw.
func recordedLongAgo(t *testing.T) (file string, windows []*usagewindow.Window) {
	const start = 170_000_000 * usagewindow.WindowUs
	agent := sampler.Agent{HostID: "there", EpochUs: 1, Cluster: "c", Origin: usagewindow.OriginMeasured, Method: usagewindow.MethodTickPoll}
	var text bytes.Buffer
	tape := recording.NewTape(&text, recording.Options{Agent: agent})
	recorder := sampler.NewRecorder(agent, func(batch sampler.Batch) { windows = append(windows, batch.Windows...) })
	recorder.Attach(tape)
	recorder.Baseline(sampler.HostReading{Cpus: 2, KernelRelease: "6.1"})
	web := recorder.Track(sampler.Found{Path: "/web/1", Inode: 7, Shard: identity.Shard{Service: "web", Name: "1"}, AtUs: start - 1})
	first := start/usagewindow.SampleIntervalUs + 1
	for i := range int64(30) {
		web.Sample(first+i, i*10_000_000, i*i*100_000, 5)
	}
	recorder.Finish(recorder.Cut(start, first+29), sampler.HostReading{Cpus: 2, KernelRelease: "6.1"})
	require.NoError(t, tape.Close())
	file = filepath.Join(t.TempDir(), "there.csv")
	require.NoError(t, os.WriteFile(file, text.Bytes(), 0o644))
	return file, windows
}

// TestARecordingPlaysAsOfNow plays two rounds of a recording: whole windows are moved, so what they say stays the same.
func TestARecordingPlaysAsOfNow(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds of real time")
	}
	t.Parallel()
	file, recorded := recordedLongAgo(t)
	is, err := recording.IsRecording(file)
	require.NoError(t, err)
	require.True(t, is)
	live, err := recording.NewLive(recording.LiveOptions{File: file, Loop: true, Log: testLog{t}})
	require.NoError(t, err)
	var batches []sampler.Batch
	ctx, stop := context.WithTimeout(context.Background(), 25*time.Second)
	defer stop()
	agent := sampler.Agent{HostID: "here", EpochUs: 2, Cluster: "d", Origin: usagewindow.OriginReplayed, Method: usagewindow.MethodReplay}
	recorder := sampler.NewRecorder(agent, func(batch sampler.Batch) {
		if batches = append(batches, batch); len(batches) == 2 {
			stop()
		}
	})
	began := time.Now().UnixMicro()
	require.NoError(t, live.Run(ctx, recorder))
	require.GreaterOrEqual(t, len(batches), 2)
	ids := map[int64]bool{}
	for i, batch := range batches[:2] {
		require.Equal(t, []any{"6.1", "here", usagewindow.OriginReplayed}, []any{batch.Host.KernelRelease, batch.Host.HostID, batch.Host.Origin})
		played := slices.DeleteFunc(batch.Windows, func(w *usagewindow.Window) bool { return w.Samples == 0 }) // the incarnation that ended
		require.Len(t, played, 1)
		window := *played[0]
		require.Greater(t, window.WindowStartUs, began-usagewindow.WindowUs)
		require.Zero(t, window.WindowStartUs%usagewindow.WindowUs)
		require.Equal(t, window.WindowStartUs, batches[0].Host.WindowStartUs+int64(i)*usagewindow.WindowUs)
		ids[window.ShardID] = true
		wanted := *recorded[0]
		wanted.HostID, wanted.AgentEpoch, wanted.Seq, wanted.Cluster = window.HostID, window.AgentEpoch, window.Seq, window.Cluster
		wanted.Origin, wanted.Method, wanted.ShardID, wanted.WindowStartUs = window.Origin, window.Method, window.ShardID, window.WindowStartUs
		wanted.Exemplar, window.Exemplar = nil, nil // due by id and time
		require.Equal(t, wanted, window)
	}
	require.Len(t, ids, 2, "each round is another incarnation")
}

func TestARecordingThatCannotBePlayedIsRefusedBeforeItRuns(t *testing.T) {
	file := filepath.Join(t.TempDir(), "broken.csv")
	for text, reason := range map[string]string{
		"# quotascope-recording 1\n# agent\nretired,1\n": "broken.csv: not a usable recording: line 3, column 1",
		"# quotascope-recording 1\n# agent\ncut,0,5\n":   "it holds no sample",
	} {
		require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
		_, err := recording.NewLive(recording.LiveOptions{File: file, Log: testLog{t}})
		require.ErrorIs(t, err, recording.ErrRecording)
		require.ErrorContains(t, err, reason)
	}
	require.NoError(t, os.WriteFile(file, []byte("# quotascope-trace 1\n"), 0o644))
	is, err := recording.IsRecording(file)
	require.NoError(t, err)
	require.False(t, is)
}
