package recording

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// errCell is the reason for which a cell is refused; the reader adds line and column.
var errCell = errors.New("unusable cell")

// appendText appends a text as a cell. Bytes with a meaning in a row, control characters and what is not ASCII travel as %XX,
// so that a row is cut at its commas and any name of a cgroup or thread comes back as it was.
func appendText(dst []byte, text string) []byte {
	const hex = "0123456789ABCDEF"
	for i := range len(text) {
		switch c := text[i]; {
		case c <= ' ' || c >= 0x7F || c == '%' || c == ',' || c == '"' || c == '=' || c == '[' || c == ']':
			dst = append(dst, '%', hex[c>>4], hex[c&15])
		default:
			dst = append(dst, c)
		}
	}
	return dst
}

func textOf(cell string) (string, error) {
	if !strings.ContainsAny(cell, "%\"=[] ") {
		return cell, nil
	}
	var text strings.Builder
	for i := 0; i < len(cell); i++ {
		if cell[i] != '%' {
			text.WriteByte(cell[i])
			continue
		}
		if i+2 >= len(cell) {
			return "", fmt.Errorf("%w: %q ends inside %%XX", errCell, cell)
		}
		value, err := strconv.ParseUint(cell[i+1:i+3], 16, 8)
		if err != nil {
			return "", fmt.Errorf("%w: %q has no two hexadecimal digits after %%", errCell, cell)
		}
		text.WriteByte(byte(value))
		i += 2
	}
	if string(appendText(nil, text.String())) != cell {
		return "", fmt.Errorf("%w: %q is not written as text is", errCell, cell)
	}
	return text.String(), nil
}

// numberOf reads a decimal in the one way in which it is written.
func numberOf(cell string, bits int) (int64, error) {
	value, err := strconv.ParseInt(cell, 10, bits)
	if err != nil || len(cell) > 1 && (cell[0] == '0' || cell[0] == '+' || strings.HasPrefix(cell, "-0")) {
		return 0, fmt.Errorf("%w: %q is not a whole number of %d bits", errCell, cell, bits)
	}
	return value, nil
}

// nameOf is a Go field's name as a cell spells it: AgentCPUUs is agent_cpu_us.
func nameOf(field string) string {
	runes := []rune(field)
	var name strings.Builder
	for i, r := range runes {
		if i > 0 && unicode.IsUpper(r) && (!unicode.IsUpper(runes[i-1]) || i+1 < len(runes) && unicode.IsLower(runes[i+1])) {
			name.WriteByte('_')
		}
		name.WriteRune(unicode.ToLower(r))
	}
	return name.String()
}

// appendFields appends every field of a struct that is not its zero value as ",name=value", nested ones as "outer.inner",
// entries of a map as "name[key]". A pointer is written whenever it is not nil; to a struct, with a cell of its own.
func appendFields(dst []byte, prefix string, value reflect.Value) []byte {
	for i := range value.NumField() {
		dst = appendField(dst, prefix+nameOf(value.Type().Field(i).Name), value.Field(i))
	}
	return dst
}

func appendField(dst []byte, name string, field reflect.Value) []byte {
	switch {
	case field.Kind() == reflect.Pointer && field.IsNil():
		return dst
	case field.Kind() == reflect.Pointer && field.Elem().Kind() == reflect.Struct:
		dst = append(append(append(dst, ','), name...), '=')
		return appendFields(dst, name+".", field.Elem())
	case field.Kind() == reflect.Struct:
		return appendFields(dst, name+".", field)
	case field.Kind() == reflect.Map:
		return appendEntries(dst, name, field)
	case field.Kind() != reflect.Pointer && field.IsZero():
		return dst
	}
	if field.Kind() == reflect.Pointer {
		field = field.Elem()
	}
	dst = append(append(append(dst, ','), name...), '=')
	switch {
	case field.Kind() == reflect.String:
		return appendText(dst, field.String())
	case field.Kind() == reflect.Bool:
		return strconv.AppendBool(dst, field.Bool())
	case field.CanInt():
		return strconv.AppendInt(dst, field.Int(), 10)
	case field.CanUint():
		return strconv.AppendUint(dst, field.Uint(), 10)
	}
	panic(fmt.Sprintf("a recording cannot hold %s of type %s", name, field.Type()))
}

func appendEntries(dst []byte, name string, entries reflect.Value) []byte {
	keys := entries.MapKeys()
	slices.SortFunc(keys, func(a, b reflect.Value) int { return strings.Compare(a.String(), b.String()) })
	for _, key := range keys {
		dst = append(append(append(dst, ','), name...), '[')
		dst = append(appendText(dst, key.String()), "]="...)
		dst = appendText(dst, entries.MapIndex(key).String())
	}
	return dst
}

// setField sets the field that a cell "name=value" names.
func setField(target reflect.Value, cell string) error {
	name, text, paired := strings.Cut(cell, "=")
	if !paired {
		return fmt.Errorf("%w: %q is not name=value", errCell, cell)
	}
	path, key, keyed := strings.Cut(name, "[")
	field := target
	for _, part := range strings.Split(path, ".") {
		if field.Kind() == reflect.Pointer {
			if field.IsNil() {
				return fmt.Errorf("%w: %q comes before what it belongs to", errCell, name)
			}
			field = field.Elem()
		}
		found := reflect.Value{}
		for i := 0; field.Kind() == reflect.Struct && i < field.NumField(); i++ {
			if nameOf(field.Type().Field(i).Name) == part {
				found = field.Field(i)
			}
		}
		if !found.IsValid() {
			return fmt.Errorf("%w: %q names nothing that is known", errCell, name)
		}
		field = found
	}
	if keyed != (field.Kind() == reflect.Map) || keyed && !strings.HasSuffix(key, "]") {
		return fmt.Errorf("%w: %q names nothing that is known", errCell, name)
	}
	if keyed {
		return setEntry(field, strings.TrimSuffix(key, "]"), text)
	}
	return setValue(field, name, text)
}

func setEntry(field reflect.Value, keyCell, cell string) error {
	key, err := textOf(keyCell)
	if err != nil {
		return err
	}
	text, err := textOf(cell)
	if err != nil {
		return err
	}
	if field.IsNil() {
		field.Set(reflect.MakeMap(field.Type()))
	}
	field.SetMapIndex(reflect.ValueOf(key), reflect.ValueOf(text))
	return nil
}

func setValue(field reflect.Value, name, cell string) error {
	if field.Kind() == reflect.Pointer {
		field.Set(reflect.New(field.Type().Elem()))
		field = field.Elem()
	}
	var err error
	switch {
	case field.Kind() == reflect.Struct && cell == "":
	case field.Kind() == reflect.String:
		var text string
		text, err = textOf(cell)
		field.SetString(text)
	case field.Kind() == reflect.Bool && (cell == "true" || cell == "false"):
		field.SetBool(cell == "true")
	case field.CanInt():
		var number int64
		number, err = numberOf(cell, field.Type().Bits())
		field.SetInt(number)
	case field.CanUint():
		var number uint64
		if number, err = strconv.ParseUint(cell, 10, 64); err != nil {
			err = fmt.Errorf("%w: %q is not a count", errCell, cell)
		}
		field.SetUint(number)
	default:
		return fmt.Errorf("%w: %s cannot be %q", errCell, name, cell)
	}
	return err
}
