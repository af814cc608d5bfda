package spool_test

import (
	"flag"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/quotascope/quotascope/collectors/internal/spool"
)

var updateCorpus = flag.Bool("update-corpus", false, "write the seed corpus of FuzzSegment from the present format")

// The corpus holds genuine segments, so that the fuzzer begins behind the checksums. A change of the format must renew it.
func TestCorpusIsOfThePresentFormat(t *testing.T) {
	corpus := filepath.Join("testdata", "fuzz", "FuzzSegment")
	files := written(t, t.TempDir(), 3)
	whole := files["0000000000000000.qsp"]
	flipped := append([]byte{}, whole...)
	flipped[len(flipped)/2] ^= 4
	if *updateCorpus {
		require.NoError(t, os.MkdirAll(corpus, 0o755))
		for name, text := range map[string][]byte{"whole": whole, "torn": whole[:len(whole)-9], "flipped": flipped, "headless": whole[16:]} {
			line := "go test fuzz v1\n[]byte(" + strconv.Quote(string(text)) + ")\n"
			require.NoError(t, os.WriteFile(filepath.Join(corpus, name), []byte(line), 0o644))
		}
	}
	text, err := os.ReadFile(filepath.Join(corpus, "whole"))
	require.NoError(t, err)
	quoted := string(text[len("go test fuzz v1\n[]byte(") : len(text)-2])
	segment, err := strconv.Unquote(quoted)
	require.NoError(t, err)
	folder := t.TempDir()
	placed(t, folder, map[string][]byte{"0000000000000000.qsp": []byte(segment)})
	o := options(folder, &witness{})
	o.MaxAge = math.MaxInt64 // Its records are as old as the corpus.
	disk := spool.NewDisk(o)
	defer disk.Close()
	require.Equal(t, counting(0, 30), drain(t, disk))
}
