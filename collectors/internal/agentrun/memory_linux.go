package agentrun

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"strings"

	"golang.org/x/sys/unix"
)

// unmapStartUp gives pages of the program back that were only used while it started, some 7 MB.
// They stay in the page cache, where what is used again is found again.
func unmapStartUp() {
	maps, err := os.ReadFile("/proc/self/maps")
	if err != nil {
		return // then they stay, which does no harm
	}
	self, err := os.Readlink("/proc/self/exe")
	if err != nil {
		return
	}
	for _, s := range programPages(maps, self) {
		_, _, _ = unix.Syscall(unix.SYS_MADVISE, s.from, s.to-s.from, unix.MADV_DONTNEED) // as above
	}
}

// span is a part of the address space.
type span struct{ from, to uintptr }

// programPages finds the parts of a program's file that are mapped without the right to write:
//
//	00400000-01b5c000 r-xp 00000000 fe:00 1048 /usr/bin/telegraf
func programPages(maps []byte, program string) (spans []span) {
	for lines := bufio.NewScanner(bytes.NewReader(maps)); lines.Scan(); {
		words := strings.Fields(lines.Text())
		if len(words) < 6 || strings.Join(words[5:], " ") != program || words[1][1] != '-' {
			continue
		}
		var s span
		if _, err := fmt.Sscanf(words[0], "%x-%x", &s.from, &s.to); err == nil {
			spans = append(spans, s)
		}
	}
	return spans
}
