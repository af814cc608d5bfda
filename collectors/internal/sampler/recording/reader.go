package recording

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"

	"github.com/quotascope/quotascope/collectors/internal/sampler"
)

// ErrRecording is returned for text that is not a recording; the message names line, column and reason.
var ErrRecording = errors.New("not a usable recording")

// longestRow bounds a row: a host of many services or a thread of a long name stays far below it. Bytes.
const longestRow = 1 << 20

// reader cuts a recording into rows and remembers where it is.
type reader struct {
	scanner *bufio.Scanner
	line    int
	cells   []string
	// starts are the columns at which the cells begin, in bytes from 1.
	starts []int
}

func newReader(in io.Reader) *reader {
	scanner := bufio.NewScanner(in)
	scanner.Buffer(make([]byte, 0, 1<<16), longestRow)
	scanner.Split(wholeLines)
	return &reader{scanner: scanner}
}

// wholeLines cuts at line feeds only. What follows the last one is half a row, as a full disk or a killed agent leaves it.
func wholeLines(text []byte, atEnd bool) (advance int, line []byte, err error) {
	for i, c := range text {
		if c == '\n' {
			return i + 1, text[:i], nil
		}
	}
	if atEnd && len(text) > 0 {
		return 0, nil, fmt.Errorf("the last row %q has no end", text[:min(len(text), 40)])
	}
	return 0, nil, nil
}

// next reads the next row, and reports false at the end.
func (r *reader) next() (bool, error) {
	if !r.scanner.Scan() {
		if err := r.scanner.Err(); err != nil {
			return false, fmt.Errorf("%w: line %d: %w", ErrRecording, r.line+1, err)
		}
		return false, nil
	}
	r.line++
	r.cells, r.starts = r.cells[:0], r.starts[:0]
	for rest, start := r.scanner.Text(), 1; ; {
		cell, after, more := strings.Cut(rest, ",")
		r.cells, r.starts = append(r.cells, cell), append(r.starts, start)
		if !more {
			return true, nil
		}
		rest, start = after, start+len(cell)+1
	}
}

// fail names the place of a cell.
func (r *reader) fail(cell int, err error) error {
	return fmt.Errorf("%w: line %d, column %d: %w", ErrRecording, r.line, r.starts[min(cell, len(r.starts)-1)], err)
}

func (r *reader) failRow(format string, arguments ...any) error {
	return r.fail(0, fmt.Errorf(format, arguments...))
}

// number reads a cell as a whole number.
func (r *reader) number(cell int) (int64, error) {
	value, err := numberOf(r.cells[cell], 64)
	if err != nil {
		return 0, r.fail(cell, err)
	}
	return value, nil
}

// numbers reads the cells from the given one on, of which there must be so many.
func (r *reader) numbers(into []int64) error {
	if len(r.cells) != len(into)+1 {
		return r.failRow("a row of kind %q has %d columns, not %d", r.cells[0], len(into)+1, len(r.cells))
	}
	for i := range into {
		value, err := r.number(i + 1)
		if err != nil {
			return err
		}
		into[i] = value
	}
	return nil
}

// stated reads the cells from the given one on as fields of a struct, which target points to.
func (r *reader) stated(from int, target any) error {
	for cell := from; cell < len(r.cells); cell++ {
		if err := setField(reflect.ValueOf(target).Elem(), r.cells[cell]); err != nil {
			return r.fail(cell, err)
		}
	}
	return nil
}

// header reads the lines before the rows; the first row stays in r, and present is false when there is none.
func (r *reader) header() (agent sampler.Agent, present bool, err error) {
	more, err := r.next()
	if err != nil {
		return agent, false, err
	}
	if !more || len(r.cells) != 1 || r.cells[0] != magic {
		r.line = max(r.line, 1)
		return agent, false, fmt.Errorf("%w: line 1, column 1: the first line must be %q", ErrRecording, magic)
	}
	known := false
	for {
		if present, err = r.next(); err != nil || !present || !strings.HasPrefix(r.cells[0], "#") {
			break
		}
		switch {
		case r.cells[0] == "# agent" && !known:
			known, err = true, r.stated(1, &agent)
		case r.cells[0] == "# anonymous" && len(r.cells) == 1:
		default:
			err = r.failRow("%q is no heading of a recording, or the second of its kind", r.cells[0])
		}
		if err != nil {
			break
		}
	}
	if err == nil && !known {
		err = r.failRow("no heading says # agent")
	}
	return agent, present, err
}
