package identity

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const (
	cid = "3f4e8a5d0c1b2a39485766758493a2b1c0dfeedcba98765432100123456789ab"
	uid = "0c6f2d5e-9a1b-4c3d-8e7f-112233445566"
)

func allRules(t testing.TB) Rules {
	lab, err := NewRule("/quotascope/lab/{service}/{shard}", "lab")
	require.NoError(t, err)
	set := Rules{lab}
	for _, name := range BuiltinNames() {
		builtin, err := Builtin(name)
		require.NoError(t, err)
		set = append(set, builtin...)
	}
	return set
}

// TestRealWorldPaths walks testdata/paths.txt, which says where each path comes from.
func TestRealWorldPaths(t *testing.T) {
	text, err := os.ReadFile("testdata/paths.txt")
	require.NoError(t, err)
	cases := 0
	for _, stanza := range strings.Split(string(text), "\n\n")[1:] {
		lines := strings.Split(strings.TrimSpace(stanza), "\n")
		require.Len(t, lines, 3, stanza)
		source, _ := strings.CutPrefix(lines[0], "from ")
		path, stated := strings.CutPrefix(lines[1], "path ")
		require.True(t, stated, stanza)
		cases++
		t.Run(source, func(t *testing.T) {
			got, matched := allRules(t).Match(path)
			if lines[2] == "nobody" {
				require.False(t, matched, "%s is %+v", path, got)
				return
			}
			want := strings.Fields(lines[2])[1:]
			require.True(t, matched, path)
			require.Equal(t, want, []string{got.Runtime, got.Service, got.Name,
				orDash(got.ContainerID), orDash(got.PodUID), orDash(got.QosClass)}, path)
			require.Equal(t, got.Runtime == "systemd" || strings.HasPrefix(path, "/lxc"), got.HostScoped, path)
		})
	}
	require.GreaterOrEqual(t, cases, 60)
}

func orDash(text string) string {
	if text == "" {
		return "-"
	}
	return text
}

func TestLabShards(t *testing.T) {
	got, matched := allRules(t).Match("/quotascope/lab/checkout/a1")
	require.True(t, matched)
	require.Equal(t, Shard{Service: "checkout", Name: "a1", Runtime: "lab"}, got)
	for _, path := range []string{"/quotascope/lab/checkout", "/quotascope/lab/checkout/a1/child"} {
		_, matched := allRules(t).Match(path)
		require.False(t, matched, path)
	}
}

func TestPatternsAreRefusedWithAReason(t *testing.T) {
	for pattern, reason := range map[string]string{
		"lab/{service}/{shard}":         "must begin with /",
		"/lab/{service}":                "needs {service} and {shard}",
		"/lab/{service}/{service}":      "repeated {service",
		"/lab/{service}/{shard":         "open or repeated {shard",
		"/lab/{team}/{service}/{shard}": "unknown capture {team}",
	} {
		_, err := NewRule(pattern, "other")
		require.ErrorIs(t, err, ErrPattern, pattern)
		require.ErrorContains(t, err, reason, pattern)
	}
	_, err := Builtin("rkt")
	require.ErrorIs(t, err, ErrPattern)
}

func TestPatternPartsStayInOneSegment(t *testing.T) {
	rule, err := NewRule("/jobs.*/{service}.{shard}/run", "other")
	require.NoError(t, err)
	shard, matched := Rules{rule}.Match("/jobs.d/web.7/run")
	require.True(t, matched)
	require.Equal(t, Shard{Service: "web", Name: "7", Runtime: "other"}, shard)
	for _, path := range []string{"/jobs.d/x/web.7/run", "/jobsXd/web.7/run", "/jobs.d/web.7/run/deeper", "/jobs.d/.7/run"} {
		_, matched := Rules{rule}.Match(path)
		require.False(t, matched, path)
	}
}

func TestShardIDIsStableAndTellsIncarnationsApart(t *testing.T) {
	require.Equal(t, int64(8049166978215542754), ShardID("host-1", "/quotascope/lab/checkout/a1", 42))
	require.NotEqual(t, ShardID("h", "/p", 1), ShardID("h", "/p", 2))
	require.NotEqual(t, ShardID("h", "/p", 1), ShardID("h/", "p", 1))
}
