package ebpf

import (
	"debug/elf"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/quotascope/quotascope/collectors/internal/sampler/ebpf/recipe"
	"github.com/stretchr/testify/require"
)

const remake = "make it again: go generate ./internal/sampler/ebpf"

// TestTheObjectIsMadeOfTheseSources compares hashes, so that it holds where there is no compiler.
func TestTheObjectIsMadeOfTheseSources(t *testing.T) {
	sources, err := recipe.Sources(".")
	require.NoError(t, err)
	require.NotEmpty(t, sources)
	made, err := os.ReadFile(recipe.Object)
	require.NoError(t, err)
	manifest, err := os.ReadFile(recipe.Manifest)
	require.NoError(t, err)
	require.Equal(t, string(recipe.ManifestOf(sources, made)), string(manifest), remake)

	sources[0].Text = append(sources[0].Text, '\n')
	require.NotEqual(t, string(recipe.ManifestOf(sources, made)), string(manifest), "one byte of a source must show")
}

// TestTheObjectIsWhatTheCompilerMakes compares the code, where the pinned compiler is installed.
func TestTheObjectIsWhatTheCompilerMakes(t *testing.T) {
	if _, err := exec.LookPath(recipe.Compiler); err != nil {
		t.Skipf("%v; apt-get install %s", err, recipe.Packages)
	}
	again := filepath.Join(t.TempDir(), "sampler.o")
	for _, argv := range recipe.Commands(again) {
		command := exec.Command(argv[0], argv[1:]...)
		command.Dir = recipe.Folder
		out, err := command.CombinedOutput()
		require.NoError(t, err, string(out))
	}
	require.Equal(t, sectionsOf(t, recipe.Object), sectionsOf(t, again), remake)
}

// sectionsOf are the parts of an object that a kernel sees.
func sectionsOf(t *testing.T, path string) map[string][]byte {
	object, err := elf.Open(path)
	require.NoError(t, err)
	defer object.Close()
	sections := map[string][]byte{}
	for _, section := range object.Sections {
		if section.Type == elf.SHT_PROGBITS || section.Type == elf.SHT_REL {
			text, err := section.Data()
			require.NoError(t, err)
			sections[section.Name] = text
		}
	}
	require.NotEmpty(t, sections[".BTF"])
	return sections
}
