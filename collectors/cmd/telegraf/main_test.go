package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

const sound = "[[inputs.cgroup_cpu]]\n  host_id = \"host-1\"\n  trace = \"../../testdata/traces\"\n[[outputs.file]]\n"

func ran(args ...string) (string, error) {
	var out bytes.Buffer
	err := run(args, &out)
	return out.String(), err
}

func written(t *testing.T, text string) string {
	name := filepath.Join(t.TempDir(), "telegraf.conf")
	require.NoError(t, os.WriteFile(name, []byte(text), 0o644))
	return name
}

func TestConfigCheckNamesWhatIsWrongAndWhatToDo(t *testing.T) {
	check := func(text string) error {
		_, err := ran("config", "check", "--config", written(t, text))
		return err
	}
	require.NoError(t, check(sound))
	for _, refused := range []struct{ text, names, remedy string }{
		{sound + "[[inputs.cgroup_cpu]]\n  max_cgroups = -1\n", "max_cgroups", "at least 1"},
		{sound + "[[inputs.cgroup_cpu]]\n  max_cgrups = 1\n", "max_cgrups", "telegraf config create prints all"},
		{"[[outputs.file]]\n", "no input", "[[inputs.cgroup_cpu]]"},
		{"[[inputs.cgroup_cpu]]\n", "no output", "[[outputs.kafka_avro]]"},
		{sound + "[[inputs.nginx]]\n", "nginx", "telegraf plugins"},
		{sound + "[[outputs.influxdb]]\n", "influxdb", "plugins.go"},
		{"[[inputs.cgroup_cpu]\n", "telegraf.conf", "line 1"},
	} {
		err := check(refused.text)
		require.ErrorContains(t, err, refused.names)
		require.ErrorContains(t, err, refused.remedy)
	}
}

func TestFilesThatCannotBeReadAreNamedWithTheRemedy(t *testing.T) {
	folder := t.TempDir()
	for _, refused := range []struct {
		args          []string
		names, remedy string
	}{
		{[]string{"--config", folder + "/none.conf"}, "/none.conf", "check the path"},
		{[]string{"--config", folder}, folder, "--config-directory"},
		{[]string{"--config-directory", folder + "/none"}, "/none", "check the path"},
		{[]string{"--config-directory", folder}, folder, "no *.conf"},
		{[]string{"--config-directory", written(t, sound)}, "telegraf.conf", "--config"},
	} {
		_, err := ran(append([]string{"config", "check"}, refused.args...)...)
		require.ErrorContains(t, err, refused.names)
		require.ErrorContains(t, err, refused.remedy)
	}
	_, err := ran("serve")
	require.ErrorContains(t, err, `unknown command "serve"; there are: config check`)
}

func TestConfigDirectoryIsReadWhole(t *testing.T) {
	folder := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(folder, "in.conf"),
		[]byte("[[inputs.cgroup_cpu]]\n  host_id = \"host-1\"\n  trace = \"../../testdata/traces\"\n"), 0o644))
	require.NoError(t, os.WriteFile(filepath.Join(folder, "out.conf"), []byte("[[outputs.file]]\n"), 0o644))
	_, err := ran("config", "check", "--config-directory", folder)
	require.NoError(t, err)
}

func TestVersionNamesTheTelegrafThatIsInside(t *testing.T) {
	out, err := ran("--version")
	require.NoError(t, err)
	again, err := ran("version")
	require.NoError(t, err)
	require.Equal(t, out, again)
	require.Contains(t, out, "Quotascope collector "+release)
}

// TestTheSampleIsSound keeps what config create prints usable as it is.
func TestTheSampleIsSound(t *testing.T) {
	sample, err := ran("config", "create")
	require.NoError(t, err)
	require.Contains(t, sample, "\n[[inputs.cgroup_cpu]]\n")
	require.Contains(t, sample, "# [[outputs.file]]")
	_, err = ran("config", "check", "--config", written(t, sample))
	require.NoError(t, err)
}
