package ebpf

import (
	"fmt"
	"os"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestACpuThatGoesAndComesBackLosesNothing takes a CPU away under load and gives it back.
func TestACpuThatGoesAndComesBackLosesNothing(t *testing.T) {
	if runtime.NumCPU() < 3 {
		t.Skip("needs three CPUs, one of which can be taken away")
	}
	folder := home(t)
	online := fmt.Sprintf("/sys/devices/system/cpu/cpu%d/online", runtime.NumCPU()-1)
	turn := func(state string) error { return os.WriteFile(online, []byte(state), 0o644) }
	if err := turn("1"); err != nil {
		t.Skipf("CPUs cannot be taken away here: %v", err)
	}
	t.Cleanup(func() { require.NoError(t, turn("1")) })
	backend := newOrSkip(t, options(t, folder))
	group := create(t, folder, "load", "a1")
	got := measure(t, backend, func() {
		await(t, backend, 1)
		busy := shell(t, group, "for i in 1 2 3 4 5; do timeout 4 sh -c 'while :; do :; done' & done; wait; true")
		require.NoError(t, busy.Start())
		for range 2 {
			time.Sleep(700 * time.Millisecond)
			require.NoError(t, turn("0"))
			time.Sleep(700 * time.Millisecond)
			require.NoError(t, turn("1"))
		}
		require.NoError(t, busy.Wait())
		quiet(t, group)
	})
	within(t, 5, usageUs(t, group), sampledUs(backend, got.of(group)...), "with one CPU less, and again")
}
