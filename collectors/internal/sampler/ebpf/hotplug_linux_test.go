package ebpf

import (
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Both let a test take a CPU away from this machine for a moment, which slows down everything on it; the second is set in a
// virtual machine of our own.
const (
	hotplugAllowed = "QUOTASCOPE_TEST_HOTPLUG"
	emulated       = "QUOTASCOPE_EMULATED"
)

// TestSlicesAddUpWhileACPUGoesAndComesBack holds what is in slices, and what was said to be missing there, against the kernel's
// counter. In a starved guest the kernel charges seconds at a time when a CPU goes: its scheduler clock jumps.
func TestSlicesAddUpWhileACPUGoesAndComesBack(t *testing.T) {
	const online = "/sys/devices/system/cpu/cpu1/online"
	if os.Getenv(hotplugAllowed) != "1" && os.Getenv(emulated) != "1" {
		t.Skipf("takes a CPU offline for a moment: set %s=1 to allow it", hotplugAllowed)
	}
	folder := home(t)
	backend := newOrSkip(t, options(t, folder))
	if err := os.WriteFile(online, []byte("1"), 0); err != nil {
		t.Skipf("CPUs cannot be taken offline here: %v", err)
	}
	t.Cleanup(func() { _ = os.WriteFile(online, []byte("1"), 0) }) // whatever happens, the machine gets its CPU back
	group := create(t, folder, "load", "a1")
	var threadsUs int64
	got := measure(t, backend, func() {
		await(t, backend, 1)
		load := shell(t, group, "for i in 1 2 3; do timeout 4 sh -c 'while :; do :; done' & done; wait; true")
		require.NoError(t, load.Start())
		for range 2 {
			time.Sleep(700 * time.Millisecond)
			require.NoError(t, os.WriteFile(online, []byte("0"), 0))
			time.Sleep(700 * time.Millisecond)
			require.NoError(t, os.WriteFile(online, []byte("1"), 0))
		}
		require.NoError(t, load.Wait())
		threadsUs = (load.ProcessState.UserTime() + load.ProcessState.SystemTime()).Microseconds()
		quiet(t, group)
		time.Sleep(3 * time.Second) // until slices that were charged late have been found
	})
	t.Logf("threads' own clocks %d us, not in slices because charged for other times %d us", threadsUs, backend.lateNs/1000)
	within(t, 5, usageUs(t, group), sampledUs(backend, got.of(group)...), "while a CPU went and came back")
}
