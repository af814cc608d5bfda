package replay

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
)

// Load parses every .csv file of a folder, in the order of their names.
func Load(folder string) ([]*Trace, error) {
	names, err := filepath.Glob(filepath.Join(folder, "*.csv"))
	if err != nil {
		return nil, err
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("%w: no .csv file in %s", ErrTrace, folder)
	}
	slices.Sort(names)
	var traces []*Trace
	for _, name := range names {
		trace, err := loadFile(name)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		traces = append(traces, trace)
	}
	return traces, nil
}

func loadFile(name string) (*Trace, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return Parse(file)
}
