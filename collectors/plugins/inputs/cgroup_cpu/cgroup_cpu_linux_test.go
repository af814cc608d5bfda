package cgroup_cpu

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/influxdata/telegraf"
	"github.com/influxdata/telegraf/config"
	"github.com/influxdata/telegraf/logger"
	"github.com/stretchr/testify/require"
)

// settleTime is how long a case samples: some ten slots even on a machine that is busy with other tests.
const settleTime = 500 * time.Millisecond

// gathered is an accumulator that keeps what it is given. The plugin uses nothing else of the interface,
// and a call of anything else would fail the test.
type gathered struct {
	telegraf.Accumulator
	mu      sync.Mutex
	metrics []telegraf.Metric
	errors  []error
}

func (g *gathered) AddMetric(m telegraf.Metric) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.metrics = append(g.metrics, m)
}

func (g *gathered) AddError(err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.errors = append(g.errors, err)
}

// copyCase copies a case, so that its tree has a place of its own, and fills that place into its files.
func copyCase(t *testing.T, folder string) string {
	place := t.TempDir()
	places := strings.NewReplacer("@CASE@", place, "@TREE@", place+"/tree")
	require.NoError(t, filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		target := place + strings.TrimPrefix(path, folder)
		if entry.IsDir() {
			return os.MkdirAll(target, 0o755)
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(target, []byte(places.Replace(string(text))), 0o644)
	}))
	return place
}

func loadCase(t *testing.T, place string) *CgroupCPU {
	c := config.NewConfig()
	require.NoError(t, c.LoadConfig(filepath.Join(place, "telegraf.conf")))
	require.Len(t, c.Inputs, 1)
	plugin, ours := c.Inputs[0].Input.(*CgroupCPU)
	require.True(t, ours)
	plugin.Log = logger.New("inputs", "cgroup_cpu", "")
	return plugin
}

func TestCases(t *testing.T) {
	cases, err := filepath.Glob("testcases/*")
	require.NoError(t, err)
	require.NotEmpty(t, cases)
	for _, folder := range cases {
		t.Run(filepath.Base(folder), func(t *testing.T) {
			place := copyCase(t, folder)
			plugin := loadCase(t, place)
			if reason, err := os.ReadFile(filepath.Join(place, "expected.err")); err == nil {
				require.ErrorContains(t, plugin.Init(), strings.TrimSpace(string(reason)))
				return
			}
			expected, err := os.ReadFile(filepath.Join(place, "expected.out"))
			require.NoError(t, err)
			require.NoError(t, plugin.Init())
			acc := &gathered{}
			require.NoError(t, plugin.Start(acc))
			time.Sleep(settleTime)
			require.NoError(t, plugin.Gather(acc))
			plugin.Stop()
			require.Empty(t, acc.errors)
			compare(t, string(expected), acc.metrics)
		})
	}
}

// compare checks each line of expected.out against the last metric with these tags.
func compare(t *testing.T, expected string, metrics []telegraf.Metric) {
	names := map[string]int{}
	for _, line := range strings.Split(strings.TrimSpace(expected), "\n") {
		if strings.HasPrefix(line, "#") {
			continue
		}
		words := strings.Fields(line)
		require.Len(t, words, 3, line)
		found := lastWith(metrics, words[0], pairs(words[1]))
		require.NotNil(t, found, "no %s %s among %v", words[0], words[1], metrics)
		names[words[0]]++
		for field, want := range pairs(words[2]) {
			got, present := found.GetField(field)
			if want == "absent" {
				require.False(t, present, "%s: %s is %v", line, field, got)
				continue
			}
			require.True(t, present, "%s: no %s", line, field)
			require.Equal(t, want, fmt.Sprint(got), "%s of %s %s", field, words[0], words[1])
		}
	}
	shards := map[string]bool{}
	for _, m := range metrics {
		if shard, _ := m.GetTag("shard"); m.Name() == "cpu_usage_window" {
			shards[shard] = true
		}
	}
	require.Len(t, shards, names["cpu_usage_window"], "shards that nobody expected")
}

func pairs(text string) map[string]string {
	found := map[string]string{}
	for _, pair := range strings.Split(text, ",") {
		key, value, _ := strings.Cut(pair, "=")
		found[key] = value
	}
	return found
}

func lastWith(metrics []telegraf.Metric, name string, tags map[string]string) (last telegraf.Metric) {
	for _, m := range metrics {
		matches := m.Name() == name
		for tag, want := range tags {
			got, _ := m.GetTag(tag)
			matches = matches && got == want
		}
		if matches {
			last = m
		}
	}
	return last
}

// TestSampleConfigIsTheDefault keeps the rule of the sample: what is commented out is the default.
func TestSampleConfigIsTheDefault(t *testing.T) {
	var lines []string
	for _, line := range strings.Split(sampleConfig, "\n") {
		if strings.Contains(line, "path_rule") {
			break // an example, not a default
		}
		lines = append(lines, strings.Replace(line, "  # ", "  ", 1))
	}
	place := filepath.Join(t.TempDir(), "telegraf.conf")
	require.NoError(t, os.WriteFile(place, []byte(strings.Join(lines, "\n")), 0o644))
	c := config.NewConfig()
	require.NoError(t, c.LoadConfig(place))
	stated := c.Inputs[0].Input.(*CgroupCPU)
	require.NoError(t, os.WriteFile(place, []byte("[[inputs.cgroup_cpu]]\n"), 0o644))
	c = config.NewConfig()
	require.NoError(t, c.LoadConfig(place))
	stated.Log, c.Inputs[0].Input.(*CgroupCPU).Log = nil, nil
	require.Equal(t, c.Inputs[0].Input, telegraf.Input(stated))
}

func TestReadmeShowsTheSampleConfig(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	require.NoError(t, err)
	require.Contains(t, string(readme), "```toml @sample.conf\n"+sampleConfig+"```")
}
