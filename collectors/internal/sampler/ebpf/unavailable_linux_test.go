package ebpf

import (
	"errors"
	"io/fs"
	"testing"

	cilium "github.com/cilium/ebpf"
	"github.com/quotascope/quotascope/collectors/internal/cgroupfs"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

func TestWhatIsUnavailableSaysWhatWouldEnableIt(t *testing.T) {
	remedyOf := func(cause error) string {
		var unavailable *Unavailable
		err := classify("loading", cause)
		require.ErrorAs(t, err, &unavailable)
		require.ErrorIs(t, err, cause)
		require.Contains(t, err.Error(), "loading")
		return unavailable.Remedy
	}
	require.Contains(t, remedyOf(cilium.ErrNotSupported), "5.10")
	require.Contains(t, remedyOf(fs.ErrNotExist), "5.10")
	require.Contains(t, remedyOf(unix.ENOMEM), "RLIMIT_MEMLOCK")
	require.NotEmpty(t, remedyOf(unix.EPERM))
	require.Empty(t, remedyOf(errors.New("something else")))
	require.Contains(t, rightsRemedy([]string{"CAP_BPF", "CAP_PERFMON"}), "CAP_BPF and CAP_PERFMON would enable it")
}

func TestAFolderIsNoHierarchyOfThisKernel(t *testing.T) {
	place := t.TempDir()
	_, err := New(Options{Trees: cgroupfs.Trees{Version: cgroupfs.V2, CPU: place, Usage: place}, ProcRoot: "/proc", MaxCgroups: 1})
	require.ErrorIs(t, err, ErrNotCgroups)
	require.ErrorContains(t, err, "cgroup_root")
}

func TestMemoryOfAMapIsReadFromItsDescriptor(t *testing.T) {
	size, err := memlock([]byte("pos:\t0\nflags:\t02000002\nmap_type:\t2\nmemlock:\t4398\nmap_id:\t7\n"))
	require.NoError(t, err)
	require.Equal(t, int64(4398), size)
	_, err = memlock([]byte("pos:\t0\n"))
	require.Error(t, err)
}
