package interrupt

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

const asBench = "QUOTASCOPE_TEST_INTERRUPTED"

// TestMain lets this program be the bench that is interrupted.
func TestMain(m *testing.M) {
	if file := os.Getenv(asBench); file != "" {
		pretendBench(file)
	}
	os.Exit(m.Run())
}

func pretendBench(file string) {
	Clear(func() error { return os.Remove(file) })
	child := exec.Command("sleep", "600")
	if err := child.Start(); err != nil {
		panic(err)
	}
	os.Stdout.WriteString(strconv.Itoa(child.Process.Pid) + "\n")
	_ = child.Wait() // ends when it is killed; what follows must not matter
	time.Sleep(time.Minute)
}

func TestAnInterruptedBenchLeavesNothingBehind(t *testing.T) {
	for _, caught := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		file := filepath.Join(t.TempDir(), "cgroup")
		require.NoError(t, os.WriteFile(file, nil, 0o600))
		bench := exec.Command("/proc/self/exe")
		bench.Env = append(os.Environ(), asBench+"="+file)
		out, err := bench.StdoutPipe()
		require.NoError(t, err)
		require.NoError(t, bench.Start())
		line, err := bufio.NewReader(out).ReadString('\n')
		require.NoError(t, err)
		child, err := strconv.Atoi(strings.TrimSpace(line))
		require.NoError(t, err)

		require.NoError(t, bench.Process.Signal(caught))
		require.Error(t, bench.Wait())
		require.Equal(t, 128+int(caught), bench.ProcessState.ExitCode())
		require.NoFileExists(t, file)
		require.Eventually(t, func() bool { return ended(child) }, 10*time.Second, 10*time.Millisecond, "the child lives")
	}
}

// ended is whether a process is gone, or only waits to be noticed by whoever inherited it.
func ended(pid int) bool {
	text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	return err != nil || strings.Contains(string(text), ") Z ")
}
