package main

import (
	"go/parser"
	"go/token"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// named returns what plugins.go imports, as a configuration names it.
func named(t *testing.T) (names []string) {
	file, err := parser.ParseFile(token.NewFileSet(), "plugins.go", nil, parser.ImportsOnly)
	require.NoError(t, err)
	for _, imported := range file.Imports {
		where, err := strconv.Unquote(imported.Path.Value)
		require.NoError(t, err)
		_, kind := path.Split(path.Dir(where))
		names = append(names, kind+"."+path.Base(where))
	}
	slices.Sort(names)
	return names
}

// TestOneLineAddsOnePlugin holds plugins.go against what the binary contains: nothing else brings
// plugins in, and every line there does.
func TestOneLineAddsOnePlugin(t *testing.T) {
	out, err := ran("plugins")
	require.NoError(t, err)
	require.Equal(t, named(t), strings.Fields(out))
}

func TestReadmeListsEveryPlugin(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	require.NoError(t, err)
	var listed []string
	for _, line := range strings.Split(string(readme), "\n") {
		if cell, found := strings.CutPrefix(line, "| `"); found {
			name, _, _ := strings.Cut(cell, "`")
			if strings.HasPrefix(name, "inputs.") || strings.HasPrefix(name, "outputs.") {
				listed = append(listed, name)
			}
		}
	}
	slices.Sort(listed)
	require.Equal(t, named(t), listed)
}
