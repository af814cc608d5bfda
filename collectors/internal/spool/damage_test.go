package spool_test

import (
	"encoding/binary"
	"hash/crc32"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/quotascope/quotascope/collectors/internal/spool"
)

const (
	blockRecords = 10
	segmentBound = 64 << 10 // A 64th of it, 1 KiB, holds two of these blocks.
)

// written fills a folder with blocks of ten records, closes it and returns the contents of its files.
func written(t require.TestingT, folder string, blocks int) map[string][]byte {
	o := options(folder, &witness{})
	o.MaxBytes = segmentBound
	disk := spool.NewDisk(o)
	for number := range blocks {
		disk.Append(numbered(number*blockRecords, blockRecords))
	}
	disk.Close()
	files := map[string][]byte{}
	names, err := filepath.Glob(filepath.Join(folder, "*"))
	require.NoError(t, err)
	for _, name := range names {
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		files[filepath.Base(name)] = text
	}
	return files
}

// placed makes a folder of these files.
func placed(t require.TestingT, folder string, files map[string][]byte) {
	require.NoError(t, os.RemoveAll(folder))
	require.NoError(t, os.MkdirAll(folder, 0o700))
	for name, text := range files {
		require.NoError(t, os.WriteFile(filepath.Join(folder, name), text, 0o600))
	}
}

// reopened drains a damaged folder, shows that it still takes records, and returns what came out.
func reopened(t require.TestingT, folder string, told *witness, next int) []int {
	o := options(folder, told)
	o.MaxBytes = segmentBound
	disk := spool.NewDisk(o)
	disk.Append(numbered(next, 1))
	numbers := drain(t, disk)
	require.NotEmpty(t, numbers)
	require.Equal(t, next, numbers[len(numbers)-1], "the record appended after the damage")
	kept, lost := disk.Close()
	require.Zero(t, kept)
	require.Zero(t, lost)
	return numbers[:len(numbers)-1]
}

func lastSegment(files map[string][]byte) (name string) {
	for candidate := range files {
		if filepath.Ext(candidate) == ".qsp" && candidate > name {
			name = candidate
		}
	}
	return name
}

// A process that is killed while it writes leaves any part of the last block, and the position of before.
func TestTornTailIsCutOffAtEveryOffset(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "spool")
	before, after := written(t, t.TempDir(), 4), written(t, t.TempDir(), 5)
	tail := lastSegment(after)
	whole := len(after[tail])
	begin := len(before[tail]) // 0 if the block opened a new segment.
	require.Greater(t, whole-begin, 100)
	for cut := begin; cut < whole; cut++ {
		files := map[string][]byte{}
		for name, text := range before {
			files[name] = text
		}
		files[tail] = after[tail][:cut]
		placed(t, folder, files)
		told := &witness{}
		require.Equal(t, counting(0, 40), reopened(t, folder, told, 1000), "cut at %d", cut)
		require.Empty(t, told.drops, "nobody was told that the torn block is safe")
		require.Zero(t, told.corrupt)
		require.Equal(t, cut > max(begin, 16), told.said("cut off"), "cut at %d of %d..%d", cut, begin, whole)
	}
}

// The same after a loss of power that took a part of a block which had been complete: it is counted, exactly.
func TestBlockThatLostItsEndIsCounted(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "spool")
	after, begin := written(t, t.TempDir(), 5), len(written(t, t.TempDir(), 4)[lastSegment(written(t, t.TempDir(), 5))])
	tail := lastSegment(after)
	for cut := begin; cut < len(after[tail]); cut += 7 {
		files := map[string][]byte{}
		for name, text := range after {
			files[name] = text
		}
		files[tail] = after[tail][:cut]
		placed(t, folder, files)
		told := &witness{}
		require.Equal(t, counting(0, 40), reopened(t, folder, told, 1000), "cut at %d", cut)
		require.Equal(t, blockRecords, told.dropped(spool.ReasonCorrupt), "cut at %d", cut)
	}
}

// One flipped bit anywhere in any segment costs at most the block it is in; the count says exactly what is missing.
func TestEveryFlippedBitCostsAtMostItsBlock(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "spool")
	files := written(t, t.TempDir(), 5)
	losses := 0
	for name, text := range files {
		if filepath.Ext(name) != ".qsp" {
			continue
		}
		for at := range text {
			text[at] ^= 1 << (at % 8)
			placed(t, folder, files)
			text[at] ^= 1 << (at % 8)
			told := &witness{}
			lost := demandExact(t, reopened(t, folder, told, 1000), told, 50)
			require.LessOrEqual(t, lost, blockRecords, "%s at %d", name, at)
			require.Equal(t, lost > 0, told.corrupt == 1, "%s at %d: %d", name, at, told.corrupt)
			losses += lost
			if lost > 0 {
				aside, err := filepath.Glob(filepath.Join(folder, "*.corrupt"))
				require.NoError(t, err)
				require.Len(t, aside, 1, "%s at %d", name, at)
			}
		}
	}
	require.Greater(t, losses, 1000)
}

// demandExact demands rising numbers below count, each genuine, and that what is missing is what was counted.
func demandExact(t require.TestingT, numbers []int, told *witness, count int) (lost int) {
	last := -1
	for _, number := range numbers {
		require.Greater(t, number, last)
		require.Less(t, number, count)
		last = number
	}
	lost = count - len(numbers)
	require.Equal(t, lost, told.droppedInAll())
	return lost
}

// Any damage to any segment: bytes overwritten, removed, inserted, files cut, emptied or deleted.
func TestAnyDamageIsSurvivedAndCounted(t *testing.T) {
	sound := written(t, t.TempDir(), 12)
	root := t.TempDir()
	var names []string
	for name := range sound {
		if filepath.Ext(name) == ".qsp" {
			names = append(names, name)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		files := map[string][]byte{}
		for name, text := range sound {
			files[name] = append([]byte{}, text...)
		}
		for range rapid.IntRange(1, 6).Draw(t, "wounds") {
			name := rapid.SampledFrom(names).Draw(t, "file")
			text := files[name]
			at := rapid.IntRange(0, max(0, len(text)-1)).Draw(t, "at")
			length := rapid.IntRange(0, len(text)-min(at, len(text))).Draw(t, "length")
			switch rapid.SampledFrom([]string{"overwrite", "remove", "insert", "cut", "delete"}).Draw(t, "kind") {
			case "overwrite":
				copy(text[min(at, len(text)):], rapid.SliceOfN(rapid.Byte(), 0, length).Draw(t, "bytes"))
			case "remove":
				files[name] = append(text[:min(at, len(text)):min(at, len(text))], text[min(at, len(text))+length:]...)
			case "insert":
				foreign := rapid.SliceOfN(rapid.Byte(), 1, 200).Draw(t, "bytes")
				files[name] = append(append(append([]byte{}, text[:min(at, len(text))]...), foreign...), text[min(at, len(text)):]...)
			case "cut":
				files[name] = text[:min(at, len(text))]
			case "delete":
				delete(files, name)
			}
		}
		folder := filepath.Join(root, "spool")
		placed(t, folder, files)
		told := &witness{}
		demandExact(t, reopened(t, folder, told, 1000), told, 120)
	})
}

// The position file only saves repetitions: whatever happens to it, no record is lost.
func TestDamagedPositionRepeatsButLosesNothing(t *testing.T) {
	source := t.TempDir()
	o := options(source, &witness{})
	disk := spool.NewDisk(o)
	disk.Append(numbered(0, 30))
	for range 2 {
		disk.Hold(10, 1<<20)
		disk.Release(nil)
	}
	disk.Close()
	files := map[string][]byte{}
	for _, name := range []string{"0000000000000000.qsp", "position"} {
		text, err := os.ReadFile(filepath.Join(source, name))
		require.NoError(t, err)
		files[name] = text
	}
	position := files["position"]
	folder := filepath.Join(t.TempDir(), "spool")
	for at := range position {
		damaged := append([]byte{}, position...)
		damaged[at] ^= 0x41
		for kind, text := range [][]byte{damaged, position[:at], make([]byte, at)} {
			files["position"] = text
			placed(t, folder, files)
			told := &witness{}
			disk := spool.NewDisk(options(folder, told))
			numbers := drain(t, disk)
			disk.Close()
			require.Equal(t, counting(30-len(numbers), len(numbers)), numbers)
			require.GreaterOrEqual(t, len(numbers), 10)
			if kind == 0 {
				require.LessOrEqual(t, len(numbers), 20, "one of two slots is always whole, and at most one release behind")
			}
			require.Zero(t, told.droppedInAll())
		}
	}
}

func TestSegmentOfANewerFormatIsSetAside(t *testing.T) {
	folder := t.TempDir()
	files := written(t, t.TempDir(), 4)
	first := "0000000000000000.qsp"
	require.Contains(t, files, first)
	newer := []byte("QSSPOOL\n\x02\x00\x00\x00")
	newer = binary.LittleEndian.AppendUint32(newer, crc32.Checksum(newer, crc32.MakeTable(crc32.Castagnoli)))
	files[first] = append(newer, files[first][16:]...)
	placed(t, folder, files)
	told := &witness{}
	lost := demandExact(t, reopened(t, folder, told, 1000), told, 40)
	require.Positive(t, lost)
	kept, err := os.ReadFile(filepath.Join(folder, first+".corrupt"))
	require.NoError(t, err)
	require.Equal(t, files[first], kept)
}

func TestSpoiltSegmentsAreKeptWithinABound(t *testing.T) {
	folder := t.TempDir()
	files := written(t, t.TempDir(), 60)
	for name, text := range files {
		if filepath.Ext(name) == ".qsp" {
			text[len(text)-1] ^= 1
		}
	}
	placed(t, folder, files)
	told := &witness{}
	lost := demandExact(t, reopened(t, folder, told, 1000), told, 600)
	require.Equal(t, told.corrupt*blockRecords, lost)
	require.Greater(t, told.corrupt, 6)
	aside, err := filepath.Glob(filepath.Join(folder, "*.corrupt"))
	require.NoError(t, err)
	require.Len(t, aside, 4)
}

// Held records end before a block that cannot be read: whoever gives them back gets all of them again, after a kill too.
func TestNothingIsPassedOverWhileItIsHeld(t *testing.T) {
	folder := t.TempDir()
	files := written(t, t.TempDir(), 3)
	for name, text := range files {
		if filepath.Ext(name) == ".qsp" && len(text) > 400 {
			text[16+40+int(text[16+20])+int(text[16+21])<<8+50] ^= 1 // The second block's body.
		}
	}
	placed(t, folder, files)
	told := &witness{}
	disk := spool.NewDisk(options(folder, told))
	held := disk.Hold(100, 1<<20)
	require.Equal(t, counting(0, 10), numbersOf(t, held))
	disk.Release(held)
	require.Equal(t, append(counting(0, 10), counting(20, 10)...), drain(t, disk))
	require.Equal(t, blockRecords, told.dropped(spool.ReasonCorrupt))
	disk.Close()
}

// Blocks and files that somebody copied into the folder are not sent twice, and hide nothing.
func TestCopiedBlocksAndFilesAreNotSentTwice(t *testing.T) {
	files := written(t, t.TempDir(), 4)
	first := "0000000000000000.qsp"
	whole := files[first]
	for name, change := range map[string]func(map[string][]byte){
		"the first block again at the end": func(f map[string][]byte) {
			f[first] = append(append([]byte{}, whole...), whole[16:16+40+int(whole[16+20])+int(whole[16+21])<<8]...)
		},
		"a file under a later name": func(f map[string][]byte) {
			f["0000000000000005.qsp"] = whole
		},
		"the last file under a name behind it": func(f map[string][]byte) { f["00000000000000ff.qsp"] = f[lastSegment(files)] },
	} {
		placedFiles := map[string][]byte{}
		for file, text := range files {
			placedFiles[file] = text
		}
		change(placedFiles)
		folder, told := filepath.Join(t.TempDir(), "spool"), &witness{}
		placed(t, folder, placedFiles)
		disk := spool.NewDisk(options(folder, told))
		require.Equal(t, counting(0, 40), drain(t, disk), name)
		disk.Append(numbered(40, 3))
		require.Equal(t, counting(40, 3), drain(t, disk), name)
		disk.Close()
	}
}
