package tickpoll

import (
	"os"
	"testing"
	"time"

	"github.com/quotascope/quotascope/collectors/internal/cgroupfs"
	"github.com/stretchr/testify/require"
)

// hotplugAllowed lets a test take a CPU away from this machine for half a second, which slows down
// whatever else runs there. It is never set by itself.
const hotplugAllowed = "QUOTASCOPE_TEST_HOTPLUG"

// TestACPUGoesAndComesBack: sums stay those of the kernel's counters, and no slot is invented.
func TestACPUGoesAndComesBack(t *testing.T) {
	const online = "/sys/devices/system/cpu/cpu1/online"
	if os.Getenv(hotplugAllowed) != "1" {
		t.Skipf("takes a CPU offline for a moment: set %s=1 to allow it", hotplugAllowed)
	}
	trees := v1TreesOrSkip(t)
	if err := os.WriteFile(online, []byte("1"), 0); err != nil {
		t.Skipf("CPUs cannot be taken offline here: %v", err)
	}
	cgroup := newRealCgroup(t, trees)
	var got gathered
	stop := startPolling(t, trees, cgroup.root+"/{service}/{shard}", &got)
	time.Sleep(300 * time.Millisecond)
	cgroup.create(t)
	burnt := make(chan struct{})
	go func() {
		defer close(burnt)
		cgroup.burn(t, 2*time.Second)
	}()
	time.Sleep(500 * time.Millisecond)
	t.Cleanup(func() { _ = os.WriteFile(online, []byte("1"), 0) }) // whatever happens, the machine gets its CPU back
	require.NoError(t, os.WriteFile(online, []byte("0"), 0))
	time.Sleep(500 * time.Millisecond)
	require.NoError(t, os.WriteFile(online, []byte("1"), 0))
	<-burnt
	time.Sleep(200 * time.Millisecond)
	usageNs, err := cgroupfs.ParseCount(cgroup.read(t, trees.Usage, "cpuacct.usage"))
	require.NoError(t, err)
	stop()
	var usageUs, slots int64
	for _, w := range got.windows {
		usageUs, slots = usageUs+w.UsageUs, slots+int64(w.Samples+w.MissedSamples)
	}
	require.Equal(t, usageNs/1000, usageUs)
	require.LessOrEqual(t, slots, int64(1000*len(got.windows)))
	for _, host := range got.hosts {
		require.Positive(t, host.Cpus)
		if host.StealUs != nil {
			require.GreaterOrEqual(t, *host.StealUs, int64(0))
		}
	}
}
