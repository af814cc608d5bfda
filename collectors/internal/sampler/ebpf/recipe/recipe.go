// Package recipe says how the BPF object is made of its sources, for the command that makes it and for the test that it
// is current.
package recipe

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Places, relative to the folder of the back end.
const (
	Folder   = "bpf"
	Object   = "bpf/sampler.o"
	Manifest = "bpf/sampler.o.sha256"
)

// Compiler is the release that the committed object was made with; another one makes other code of the same sources.
const Compiler = "clang-16"

// Packages are the Debian packages with the compiler and the tool that strips DWARF.
const Packages = "clang-16 llvm-16"

// Commands makes the object at the given place; they run in Folder, so that no path of this machine gets into it. The
// instruction set is the third: no atomics with a result, which need Linux 5.12.
func Commands(object string) [][]string {
	return [][]string{
		{
			Compiler, "-O2", "-g", "-Wall", "-Werror", "-target", "bpfel", "-mcpu=v3",
			"-fdebug-compilation-dir=.", "-c", "sampler.bpf.c", "-o", object,
		},
		{"llvm-strip-16", "--strip-debug", object},
	}
}

// Source is one file of C by its name.
type Source struct {
	Name string
	Text []byte
}

// Sources reads the C files of the back end's folder in the order of their names.
func Sources(folder string) ([]Source, error) {
	paths, err := filepath.Glob(filepath.Join(folder, Folder, "*.[ch]"))
	if err != nil {
		return nil, err
	}
	slices.Sort(paths)
	var sources []Source
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		sources = append(sources, Source{Name: filepath.Base(path), Text: text})
	}
	return sources, nil
}

// ManifestOf is the text beside the object: a hash of the commands, of each source and of the object, in the form of
// sha256sum.
func ManifestOf(sources []Source, object []byte) []byte {
	var commands strings.Builder
	for _, argv := range Commands("") {
		commands.WriteString(strings.Join(argv, " ") + "\n")
	}
	manifest := fmt.Appendf(nil, "%x  commands\n", sha256.Sum256([]byte(commands.String())))
	for _, source := range sources {
		manifest = fmt.Appendf(manifest, "%x  %s\n", sha256.Sum256(source.Text), source.Name)
	}
	return fmt.Appendf(manifest, "%x  %s\n", sha256.Sum256(object), filepath.Base(Object))
}
