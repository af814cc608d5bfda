// Package interrupt has a bench that is interrupted leave nothing behind.
package interrupt

import (
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// Clear waits, beside whatever the program does, for SIGINT or SIGTERM. Then it kills the program's children, calls clear and
// ends the program as the signal would have. The program's own way out must not depend on it.
func Clear(clear func() error) {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM)
	go func() {
		caught := (<-signals).(syscall.Signal)
		for _, pid := range children() {
			_ = syscall.Kill(pid, syscall.SIGKILL) // one that has ended needs no more
		}
		if err := clear(); err != nil {
			fmt.Fprintln(os.Stderr, "interrupted, and not all could be removed:", err)
		}
		os.Exit(128 + int(caught))
	}()
}

// children lists the processes that any thread of this one started and that have not ended.
func children() (pids []int) {
	lists, _ := filepath.Glob("/proc/self/task/*/children") // the pattern is well formed
	for _, list := range lists {
		text, err := os.ReadFile(list)
		if err != nil {
			continue // the thread has ended
		}
		for _, field := range strings.Fields(string(text)) {
			if pid, err := strconv.Atoi(field); err == nil {
				pids = append(pids, pid)
			}
		}
	}
	return pids
}
