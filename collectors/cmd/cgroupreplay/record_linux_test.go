package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/quotascope/quotascope/collectors/internal/usagewindow"
)

func TestPatternsChooseACgroupWithAllBelowIt(t *testing.T) {
	var p patterns
	require.Error(t, p.Set("[a-"))
	require.NoError(t, p.Set("/kubepods/*"))
	require.NoError(t, p.Set("/system.slice/nginx.service"))
	require.True(t, p.chosen("/kubepods/pod1/container"))
	require.True(t, p.chosen("/system.slice/nginx.service"))
	require.False(t, p.chosen("/kubepods"))
	require.False(t, p.chosen("/system.slice/cron.service"))
}

// A recording of a tree of files that stands for a v2 host, one window long and partial.
func TestRecordAndReplayFromTheCommandLine(t *testing.T) {
	folder := t.TempDir()
	tree, proc := filepath.Join(folder, "cgroup"), filepath.Join(folder, "proc")
	for name, text := range map[string]string{
		"proc/self/mountinfo":                      "30 1 0:26 / " + tree + " rw shared:4 - cgroup2 cgroup2 rw\n",
		"proc/loadavg":                             "0.1 0.1 0.1 2/90 1\n",
		"proc/stat":                                "cpu 1 2 3 4 5 6 7 8\ncpu0 1 2 3 4 5 6 7 8\nctxt 9\n",
		"cgroup/cgroup.controllers":                "cpu pids\n",
		"cgroup/cpu.stat":                          "usage_usec 5\n",
		"cgroup/quotascope/lab/web/1/cpu.stat":     "usage_usec 5\nnr_periods 3\nnr_throttled 2\nthrottled_usec 1\n",
		"cgroup/quotascope/lab/web/1/cpu.max":      "50000 100000\n",
		"cgroup/quotascope/lab/web/2/cpu.stat":     "usage_usec 5\n",
		"cgroup/quotascope/lab/web/1/pids.current": "4\n",
	} {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(folder, name)), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644))
	}
	configuration := filepath.Join(folder, "telegraf.conf")
	require.NoError(t, os.WriteFile(configuration, []byte(strings.Join([]string{
		"[[inputs.cgroup_cpu]]", `host_id = "h"`, `builtin_rules = []`, `proc_root = "` + proc + `"`, `cgroup_root = "` + tree + `"`,
		`[[inputs.cgroup_cpu.path_rule]]`, `pattern = "/quotascope/lab/{service}/{shard}"`, "",
	}, "\n")), 0o644))
	out := filepath.Join(folder, "host.csv")
	arguments := []string{"--config", configuration, "--out", out, "--windows", "1", "--cgroup", "/quotascope/lab/web/1"}
	require.NoError(t, record(arguments))
	require.ErrorIs(t, record(arguments), os.ErrExist)

	file, err := os.Open(out)
	require.NoError(t, err)
	defer file.Close()
	var lines bytes.Buffer
	require.NoError(t, writeWindows(file, &lines, false))
	var names []string
	for decoder := json.NewDecoder(&lines); decoder.More(); {
		var fields map[string]any
		require.NoError(t, decoder.Decode(&fields))
		if _, isWindow := fields["usage_histogram"]; isWindow && fields["shard"] != nil {
			names = append(names, fields["shard"].(string))
			require.Equal(t, []any{50_000.0, 0.0, "measured"}, []any{fields["quota_us"], fields["usage_us"], fields["origin"]})
		}
	}
	require.Equal(t, []string{"1"}, names)
}

func TestTwinIsTheGoldenForm(t *testing.T) {
	fields := twin(&usagewindow.Window{UsageHistogram: []byte{0, 255}})
	require.Equal(t, "00ff", fields["usage_histogram"])
	require.Nil(t, fields["exemplar"])
	require.Nil(t, fields["quota_us"])
	require.Nil(t, fields["excursion_threads"])
	host := twin(&usagewindow.HostWindow{ServiceRecords: []usagewindow.ServiceRecords{{Service: "web", ShardRecords: 3}}})
	require.Equal(t, int32(3), host["service_records"].([]any)[0].(map[string]any)["shard_records"])
}
