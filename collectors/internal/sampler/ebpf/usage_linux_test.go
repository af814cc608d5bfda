package ebpf

import (
	"os/exec"
	"sync"
	"testing"

	"github.com/quotascope/quotascope/collectors/internal/histogram"
	"github.com/quotascope/quotascope/collectors/internal/lab/cgroup"
	"github.com/stretchr/testify/require"
)

// TestSlicesAddUpToTheKernelsCounter runs loads that an earlier attempt got wrong by up to 5 %.
func TestSlicesAddUpToTheKernelsCounter(t *testing.T) {
	loads := map[string]string{
		"spinner":         "timeout 3 sh -c 'while :; do :; done'; true",
		"forks":           "timeout 3 sh -c 'while :; do /bin/true; done'; true",
		"forks in chains": "timeout 3 sh -c 'while :; do (( (/bin/true) & ) ; /bin/true) & wait; done'; true",
		"many short":      "timeout 3 sh -c 'while :; do for i in 1 2 3 4 5 6 7 8; do sleep 0.002 & done; wait; done'; true",
		"two spinners":    "timeout 3 sh -c 'while :; do :; done' & timeout 3 sh -c 'while :; do :; done'; wait; true",
	}
	folder := home(t)
	for name, script := range loads {
		t.Run(name, func(t *testing.T) {
			backend := newOrSkip(t, options(t, folder))
			group := create(t, folder, "load", "a1")
			t.Cleanup(func() {
				_, err := folder.Clear()
				require.NoError(t, err)
			})
			got := measure(t, backend, func() {
				await(t, backend, 1)
				sh(t, group, script)
				quiet(t, group)
			})
			within(t, 5, usageUs(t, group), sampledUs(backend, got.of(group)...), name)
			for _, w := range got.of(group) {
				h, err := histogram.Unpack(w.UsageHistogram)
				require.NoError(t, err)
				require.Equal(t, uint64(w.Samples), h.Total())
			}
		})
	}
}

// TestSlicesAddUpBesideOtherLoad is the case that showed the fault: two cgroups compete, each with forks, while others
// outside fork too.
func TestSlicesAddUpBesideOtherLoad(t *testing.T) {
	folder := home(t)
	backend := newOrSkip(t, options(t, folder))
	left, right := create(t, folder, "load", "left"), create(t, folder, "load", "right")
	forksAndSpins := "timeout 4 sh -c 'while :; do /bin/true & /bin/true; wait; done' & timeout 4 sh -c 'while :; do :; done'; wait; true"
	got := measure(t, backend, func() {
		await(t, backend, 2)
		outside := exec.Command("timeout", "4", "sh", "-c", "while :; do /bin/true & /bin/true; wait; done")
		require.NoError(t, outside.Start())
		var running sync.WaitGroup
		for _, group := range []*cgroup.Group{left, right} {
			running.Go(func() { sh(t, group, forksAndSpins) })
		}
		running.Wait()
		_ = outside.Wait() // ended by the time limit, which is no success
		quiet(t, left)
		quiet(t, right)
	})
	both := append(got.of(left), got.of(right)...)
	within(t, 5, usageUs(t, left)+usageUs(t, right), sampledUs(backend, both...), "both")
	if backend.lateNs == 0 { // what is late is not told apart
		within(t, 5, usageUs(t, left), sampledUs(backend, got.of(left)...), "left")
	}
}
