package agentrun

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestOnlyPagesThatNobodyCanHaveWrittenAreGivenBack(t *testing.T) {
	maps := `00400000-00d4e000 r-xp 00000000 fe:00 10954382                           /usr/bin/tele graf
00d4e000-01886000 r--p 0094e000 fe:00 10954382                           /usr/bin/tele graf
01886000-0192c000 rw-p 01486000 fe:00 10954382                           /usr/bin/tele graf
3fd628800000-3fd62a000000 rw-p 00000000 00:00 0
7ff20a555000-7ff20a6ab000 r-xp 00026000 fe:00 326269                     /usr/lib/libc.so.6
`
	require.Equal(t, []span{{0x400000, 0xd4e000}, {0xd4e000, 0x1886000}}, programPages([]byte(maps), "/usr/bin/tele graf"))
	require.Empty(t, programPages([]byte(maps), "/usr/bin/telegraf"))
}

func TestAProgramThatGaveItsPagesBackGoesOn(t *testing.T) {
	before := residentFileKB(t)
	unmapStartUp()
	after := residentFileKB(t)
	t.Logf("pages of files: %d kB before, %d kB after", before, after)
	require.Less(t, after, before*3/4)
}

func residentFileKB(t *testing.T) (kB int) {
	text, err := os.ReadFile("/proc/self/status")
	require.NoError(t, err)
	for line := range strings.Lines(string(text)) {
		if value, found := strings.CutPrefix(line, "RssFile:"); found {
			for _, digit := range strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(value), "kB")) {
				kB = kB*10 + int(digit-'0')
			}
		}
	}
	require.Positive(t, kB)
	return kB
}
