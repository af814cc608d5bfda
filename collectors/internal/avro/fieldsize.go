package avro

import (
	"bytes"
	"errors"
	"fmt"
)

// ErrBinary says that bytes are not a record of the schema they claim.
var ErrBinary = errors.New("not a record of this schema")

// FieldSize is how many bytes one field of a record took in Avro binary, union branch and lengths included.
type FieldSize struct {
	Field string
	Bytes int
}

// FieldSizes measures every field of a framed record. Trailing bytes and a foreign fingerprint are errors.
func FieldSizes(schema string, framed []byte) ([]FieldSize, error) {
	header, err := NewHeader(schema)
	if err != nil {
		return nil, err
	}
	if !bytes.HasPrefix(framed, header[:]) {
		return nil, fmt.Errorf("%w: the frame is %x, this schema has %x", ErrBinary, framed[:min(HeaderSize, len(framed))], header[:])
	}
	root, err := parse(schema)
	if err != nil {
		return nil, err
	}
	record, isObject := root.(map[string]any)
	if !isObject || record["type"] != "record" {
		return nil, fmt.Errorf("%w: a record is expected at the top", ErrSchema)
	}
	rest := reader{left: framed[HeaderSize:]}
	var sizes []FieldSize
	for _, field := range record["fields"].([]any) {
		node := field.(map[string]any)
		before := len(rest.left)
		if err := rest.skip(node["type"]); err != nil {
			return nil, fmt.Errorf("field %v: %w", node["name"], err)
		}
		sizes = append(sizes, FieldSize{Field: node["name"].(string), Bytes: before - len(rest.left)})
	}
	if len(rest.left) > 0 {
		return nil, fmt.Errorf("%w: %d bytes follow it", ErrBinary, len(rest.left))
	}
	return sizes, nil
}

// reader walks Avro binary without building values.
type reader struct{ left []byte }

func (r *reader) long() (int64, error) {
	var zigzag uint64
	for i, b := range r.left {
		if i == 10 {
			return 0, fmt.Errorf("%w: an integer of more than 10 bytes", ErrBinary)
		}
		zigzag |= uint64(b&0x7f) << (7 * i)
		if b < 0x80 {
			r.left = r.left[i+1:]
			return int64(zigzag>>1) ^ -int64(zigzag&1), nil
		}
	}
	return 0, fmt.Errorf("%w: it ends within an integer", ErrBinary)
}

func (r *reader) skipBytes() error {
	length, err := r.long()
	if err != nil {
		return err
	}
	if length < 0 || length > int64(len(r.left)) {
		return fmt.Errorf("%w: a length of %d with %d bytes left", ErrBinary, length, len(r.left))
	}
	r.left = r.left[length:]
	return nil
}

func (r *reader) skip(schema any) error {
	switch node := schema.(type) {
	case string:
		return r.skipPrimitive(node)
	case []any:
		branch, err := r.long()
		if err != nil {
			return err
		}
		if branch < 0 || branch >= int64(len(node)) {
			return fmt.Errorf("%w: union branch %d of %d", ErrBinary, branch, len(node))
		}
		return r.skip(node[branch])
	case map[string]any:
		return r.skipComplex(node)
	default:
		return fmt.Errorf("%w: unexpected %T", ErrSchema, schema)
	}
}

// skipPrimitive knows the primitives that our schemas use; there are no floats on the wire.
func (r *reader) skipPrimitive(kind string) error {
	switch kind {
	case "null":
		return nil
	case "int", "long":
		_, err := r.long()
		return err
	case "bytes", "string":
		return r.skipBytes()
	default:
		return fmt.Errorf("%w: type %q is not walked", ErrSchema, kind)
	}
}

func (r *reader) skipComplex(node map[string]any) error {
	switch node["type"] {
	case "enum":
		_, err := r.long()
		return err
	case "record":
		for _, field := range node["fields"].([]any) {
			if err := r.skip(field.(map[string]any)["type"]); err != nil {
				return err
			}
		}
		return nil
	case "array":
		return r.skipBlocks(func() error { return r.skip(node["items"]) })
	case "map":
		return r.skipBlocks(func() error {
			if err := r.skipBytes(); err != nil {
				return err
			}
			return r.skip(node["values"])
		})
	default:
		return r.skip(node["type"])
	}
}

// skipBlocks walks the blocks of an array or map; a negative count is followed by the block's length in bytes.
func (r *reader) skipBlocks(skipItem func() error) error {
	for {
		count, err := r.long()
		if err != nil || count == 0 {
			return err
		}
		if count < 0 {
			if _, err := r.long(); err != nil {
				return err
			}
			count = -count
		}
		for range count {
			if err := skipItem(); err != nil {
				return err
			}
		}
	}
}
