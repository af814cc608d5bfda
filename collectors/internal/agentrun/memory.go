package agentrun

import (
	"os"
	"runtime/debug"
	"time"
)

const (
	// gcPercent lets the heap grow by half of what is alive before garbage is collected. Most garbage is made when a window
	// is handed over, once in ten seconds, so that memory counts for more here than the CPU time of one more collection.
	gcPercent = 50
	// startUp is when everything that happens once has happened: configuration, the kernel's types, the first walk of the
	// cgroup tree.
	startUp = 3 * time.Second
)

// saveMemory makes the process small. Whoever sets GOGC decides instead about the heap.
func saveMemory() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(gcPercent)
	}
	time.AfterFunc(startUp, func() {
		debug.FreeOSMemory()
		unmapStartUp()
	})
}
