package naming

import (
	"encoding/json"
	"io"
	"os"
)

// longestFile bounds what is read of one file; a container's configuration has some ten kilobytes.
const longestFile = 8 << 20

// readJSON decodes a file.
func readJSON(path string, into any) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	return json.NewDecoder(io.LimitReader(file, longestFile)).Decode(into)
}
