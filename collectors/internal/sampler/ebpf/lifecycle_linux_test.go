package ebpf

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	cilium "github.com/cilium/ebpf"
	"github.com/quotascope/quotascope/collectors/internal/lab/cgroup"
	"github.com/stretchr/testify/require"
)

// What a copy of this test does instead of testing: attach the programs and wait to be killed, or burn for so many seconds.
const (
	attachAs = "EBPF_TEST_ATTACH"
	burnAs   = "EBPF_TEST_BURN"
)

func TestMain(m *testing.M) {
	if seconds, err := strconv.Atoi(os.Getenv(burnAs)); err == nil {
		for end := time.Now().Add(time.Duration(seconds) * time.Second); time.Now().Before(end); {
			continue
		}
		os.Exit(0)
	}
	if os.Getenv(attachAs) == "" {
		os.Exit(m.Run())
	}
	if err := attachAndWait(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func attachAndWait() error {
	cpus, err := cilium.PossibleCPU()
	if err != nil {
		return err
	}
	k, err := attach(settings{slots: 8, possibleCPUs: cpus, usageTree: treeUnified, oneTree: true}, true)
	if err != nil {
		return err
	}
	var ids []string
	for _, program := range k.collection.Programs {
		description, err := program.Info()
		if err != nil {
			return err
		}
		id, _ := description.ID()
		ids = append(ids, fmt.Sprint(id))
	}
	fmt.Println(strings.Join(ids, " "))
	time.Sleep(time.Minute)
	return nil
}

// TestNothingIsLeftAfterSIGKILL kills a process that measures and waits for its programs to vanish.
func TestNothingIsLeftAfterSIGKILL(t *testing.T) {
	newOrSkip(t, options(t, home(t))).Close()
	child := exec.Command("/proc/self/exe")
	child.Env = append(os.Environ(), attachAs+"=1")
	child.Stderr = os.Stderr
	out, err := child.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, child.Start())
	line, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(t, err)
	var ids []cilium.ProgramID
	for _, word := range strings.Fields(line) {
		var id cilium.ProgramID
		_, err := fmt.Sscan(word, &id)
		require.NoError(t, err)
		ids = append(ids, id)
	}
	require.Len(t, ids, 2+len(usagePrograms)+len(runnablePrograms), "and the two that are run on demand")
	loaded := func() (left int) {
		for _, id := range ids {
			if program, err := cilium.NewProgramFromID(id); err == nil {
				require.NoError(t, program.Close())
				left++
			}
		}
		return left
	}
	require.Equal(t, len(ids), loaded(), "they run while the process lives")
	require.NoError(t, child.Process.Kill())
	_ = child.Wait() // killed, which is what was asked for
	require.Eventually(t, func() bool { return loaded() == 0 }, 10*time.Second, 50*time.Millisecond)
}

// TestAPathMadeAgainStartsFromNothing lets a path live twice within a window; the ring of the first life must not leak
// into the second, and neither may be lost.
func TestAPathMadeAgainStartsFromNothing(t *testing.T) {
	folder := home(t)
	o := options(t, folder)
	o.MaxCgroups = 1
	backend := newOrSkip(t, o)
	var usedUs int64
	got := measure(t, backend, func() {
		for range 2 {
			group := create(t, folder, "load", "a1")
			await(t, backend, 1)
			sh(t, group, "timeout 0.4 sh -c 'while :; do :; done'; true")
			usedUs += quiet(t, group)
			_, err := folder.Clear()
			require.NoError(t, err)
			await(t, backend, 0)
			time.Sleep(1200 * time.Millisecond) // until its ring is free again: there is one for it only
		}
	})
	var lives, reportedUs int64
	for _, w := range got.windows {
		lives, reportedUs = lives+1, reportedUs+w.UsageUs
	}
	for _, host := range got.hosts {
		lives += int64(host.ShortLivedCgroups)
		if host.ShortLivedUsageUs != nil {
			reportedUs += *host.ShortLivedUsageUs
		}
	}
	require.GreaterOrEqual(t, lives, int64(2))
	within(t, 5, usedUs, reportedUs, "two lives")
}

// TestMoreLivesThanRingsAreAllCounted makes and removes cgroups faster than their rings come back: they wait, and none is forgotten.
func TestMoreLivesThanRingsAreAllCounted(t *testing.T) {
	const made = 250
	folder := home(t)
	o := options(t, folder)
	log := &waitingLog{testLog: testLog{t}}
	o.MaxCgroups, o.fewRings, o.Log = 30, true, log
	backend := newOrSkip(t, o)
	got := measure(t, backend, func() {
		var alive []*cgroup.Group
		for i := range made + 15 {
			if i < made {
				alive = append(alive, create(t, folder, "load", fmt.Sprintf("a%d", i)))
				time.Sleep(5 * time.Millisecond)
			}
			if i >= 15 {
				for _, dir := range alive[i-15].Dirs {
					require.NoError(t, os.Remove(dir.Path))
				}
			}
		}
		time.Sleep(3 * time.Second) // until the last has had its ring
	})
	lives := len(got.windows)
	for _, host := range got.hosts {
		lives += int(host.ShortLivedCgroups)
	}
	require.Equal(t, made, lives)
	require.True(t, log.waited, "there were rings enough, so nothing was tested")
}

// waitingLog notices that cgroups waited for rings.
type waitingLog struct {
	testLog
	waited bool
}

func (l *waitingLog) Infof(format string, args ...any) {
	l.waited = l.waited || strings.Contains(format, "waited for the ring")
	l.testLog.Infof(format, args...)
}
