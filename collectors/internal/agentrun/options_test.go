package agentrun

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestParseTakesOptionsBeforeAndAfterTheCommand(t *testing.T) {
	o, command, err := Parse([]string{"--config", "a", "config", "check", "-config", "b", "--config-directory=c"})
	require.NoError(t, err)
	require.Equal(t, []string{"config", "check"}, command)
	require.Equal(t, []string{"a", "b"}, o.Configs)
	require.Equal(t, []string{"c"}, o.Directories)
	o, _, err = Parse([]string{"--test", "--test-wait", "12", "--input-filter", "cpu:mem", "--debug"})
	require.NoError(t, err)
	require.Equal(t, 12*time.Second, *o.Wait)
	require.Equal(t, []string{"cpu", "mem"}, o.Inputs)
	require.True(t, o.Debug && o.Test)
}

func TestParseNamesTheWordItDoesNotUnderstand(t *testing.T) {
	for _, refused := range []struct {
		args   []string
		reason string
	}{
		{[]string{"--confg", "a"}, "-confg; see telegraf --help"},
		{[]string{"--config"}, "needs an argument: -config"},
		{[]string{"--test-wait", "soon", "--test"}, "give whole seconds"},
		{[]string{"--test-wait", "-1", "--test"}, "give whole seconds"},
		{[]string{"--test-wait", "3"}, "--test-wait needs --test or --once"},
		{[]string{"--test", "--once"}, "exclude each other"},
		{[]string{"--debug", "--quiet"}, "exclude each other"},
	} {
		_, _, err := Parse(refused.args)
		require.ErrorContains(t, err, refused.reason, refused.args)
	}
}

func TestUsageNamesEveryOption(t *testing.T) {
	usage := Usage()
	for _, option := range []string{"--config FILE", "--config-directory FOLDER", "--test ", "--once ", "--test-wait SECONDS",
		"--debug", "--quiet", "--version", "--help", "--pidfile FILE", "--input-filter NAMES", "--output-filter NAMES"} {
		require.Contains(t, usage, option)
	}
}
