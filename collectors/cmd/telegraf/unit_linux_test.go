package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const unitFile = "../../../infra/systemd/quotascope-telegraf.service"

// settings of the unit, by name; a name that stands twice keeps both values.
func settings(t *testing.T) map[string][]string {
	text, err := os.ReadFile(unitFile)
	require.NoError(t, err)
	found := map[string][]string{}
	for _, line := range strings.Split(string(text), "\n") {
		if name, value, present := strings.Cut(line, "="); present && !strings.HasPrefix(line, "#") {
			found[name] = append(found[name], value)
		}
	}
	return found
}

func TestTheUnitGivesTheThreeRightsAndNoQuota(t *testing.T) {
	unit := settings(t)
	for _, name := range []string{"CapabilityBoundingSet", "AmbientCapabilities"} {
		require.Equal(t, []string{"CAP_BPF CAP_PERFMON CAP_SYS_NICE"}, unit[name])
	}
	require.NotContains(t, unit, "CPUQuota", "a throttled collector measures its own throttling")
	require.Equal(t, []string{"strict"}, unit["ProtectSystem"])
	require.Equal(t, []string{"yes"}, unit["NoNewPrivileges"])
	require.Equal(t, []string{"quotascope"}, unit["StateDirectory"])
	require.Equal(t, []string{"quotascope"}, unit["User"])
}

// TestSystemdAcceptsTheUnitAndGradesItSafe asks systemd's own tools, which need no running systemd.
func TestSystemdAcceptsTheUnitAndGradesItSafe(t *testing.T) {
	tool, err := exec.LookPath("systemd-analyze")
	if err != nil {
		t.Skip("needs systemd-analyze (package systemd)")
	}
	text, err := os.ReadFile(unitFile)
	require.NoError(t, err)
	unit := filepath.Join(t.TempDir(), filepath.Base(unitFile))
	// verify looks for the commands: the binary is not installed here.
	there := strings.ReplaceAll(string(text), "/usr/local/bin/quotascope-telegraf", "/bin/true")
	require.NoError(t, os.WriteFile(unit, []byte(there), 0o644))
	out, err := exec.Command(tool, "verify", "--man=no", unit).CombinedOutput()
	require.NoError(t, err, string(out))
	require.NotContains(t, string(out), "Unknown", "systemd ignores what it does not know")
	// The threshold is ten times the exposure; 2.2 is what README.md states.
	out, err = exec.Command(tool, "security", "--no-pager", "--offline=true", "--threshold=22", unit).CombinedOutput()
	require.NoError(t, err, string(out))
}
