package avro

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// ErrSchema says that a text is not an Avro schema this package understands.
var ErrSchema = errors.New("not an Avro schema")

// CanonicalForm returns the parsing canonical form of the schema: full names, no documentation and no defaults,
// fixed order of attributes, no white space. Two schemas with equal form read and write the same bytes.
func CanonicalForm(schema string) (string, error) {
	root, err := parse(schema)
	if err != nil {
		return "", err
	}
	var out strings.Builder
	if err := writeCanonical(&out, root, ""); err != nil {
		return "", err
	}
	return out.String(), nil
}

func parse(schema string) (any, error) {
	decoder := json.NewDecoder(strings.NewReader(schema))
	decoder.UseNumber()
	var root any
	if err := decoder.Decode(&root); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrSchema, err)
	}
	return root, nil
}

func writeCanonical(out *strings.Builder, schema any, namespace string) error {
	switch node := schema.(type) {
	case string:
		return writeText(out, fullName(node, namespace))
	case []any:
		return writeList(out, node, func(branch any) error { return writeCanonical(out, branch, namespace) })
	case map[string]any:
		return writeType(out, node, namespace)
	default:
		return fmt.Errorf("%w: unexpected %T", ErrSchema, schema)
	}
}

// writeType writes the attributes in the order of the specification: name, type, fields, symbols, items, values, size.
func writeType(out *strings.Builder, node map[string]any, namespace string) error {
	kind, isText := node["type"].(string)
	if !isText {
		return fmt.Errorf("%w: an object whose type is %v", ErrSchema, node["type"])
	}
	switch kind {
	case "record", "enum", "fixed":
		return writeNamed(out, node, kind, namespace)
	case "array":
		return writeContainer(out, kind, "items", node["items"], namespace)
	case "map":
		return writeContainer(out, kind, "values", node["values"], namespace)
	default:
		return writeText(out, fullName(kind, namespace))
	}
}

func writeContainer(out *strings.Builder, kind, attribute string, inner any, namespace string) error {
	fmt.Fprintf(out, `{"type":%q,%q:`, kind, attribute)
	if err := writeCanonical(out, inner, namespace); err != nil {
		return err
	}
	out.WriteByte('}')
	return nil
}

func writeNamed(out *strings.Builder, node map[string]any, kind, namespace string) error {
	name, isText := node["name"].(string)
	if !isText {
		return fmt.Errorf("%w: a %s without a name", ErrSchema, kind)
	}
	if own, stated := node["namespace"].(string); stated {
		namespace = own
	}
	name = fullName(name, namespace)
	namespace = name[:max(0, strings.LastIndexByte(name, '.'))]
	out.WriteString(`{"name":`)
	if err := writeText(out, name); err != nil {
		return err
	}
	fmt.Fprintf(out, `,"type":%q`, kind)
	if err := writeMembers(out, node, kind, namespace); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	out.WriteByte('}')
	return nil
}

func writeMembers(out *strings.Builder, node map[string]any, kind, namespace string) error {
	switch kind {
	case "record":
		fields, isList := node["fields"].([]any)
		if !isList {
			return fmt.Errorf("%w: a record without fields", ErrSchema)
		}
		out.WriteString(`,"fields":`)
		return writeList(out, fields, func(field any) error { return writeField(out, field, namespace) })
	case "enum":
		symbols, isList := node["symbols"].([]any)
		if !isList {
			return fmt.Errorf("%w: an enum without symbols", ErrSchema)
		}
		out.WriteString(`,"symbols":`)
		return writeList(out, symbols, func(symbol any) error { return writeText(out, fmt.Sprint(symbol)) })
	default:
		size, isNumber := node["size"].(json.Number)
		if !isNumber {
			return fmt.Errorf("%w: a fixed without a size", ErrSchema)
		}
		length, err := strconv.Atoi(size.String())
		fmt.Fprintf(out, `,"size":%d`, length)
		return err
	}
}

func writeField(out *strings.Builder, field any, namespace string) error {
	node, isObject := field.(map[string]any)
	if !isObject {
		return fmt.Errorf("%w: a field that is a %T", ErrSchema, field)
	}
	out.WriteString(`{"name":`)
	if err := writeText(out, fmt.Sprint(node["name"])); err != nil {
		return err
	}
	out.WriteString(`,"type":`)
	if err := writeCanonical(out, node["type"], namespace); err != nil {
		return fmt.Errorf("field %v: %w", node["name"], err)
	}
	out.WriteByte('}')
	return nil
}

func writeList(out *strings.Builder, list []any, write func(any) error) error {
	out.WriteByte('[')
	for i, element := range list {
		if i > 0 {
			out.WriteByte(',')
		}
		if err := write(element); err != nil {
			return err
		}
	}
	out.WriteByte(']')
	return nil
}

// writeText writes a JSON string without the HTML escapes of encoding/json, which the canonical form does not have.
func writeText(out *strings.Builder, text string) error {
	var quoted strings.Builder
	encoder := json.NewEncoder(&quoted)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(text); err != nil {
		return err
	}
	out.WriteString(strings.TrimSuffix(quoted.String(), "\n"))
	return nil
}

// fullName qualifies the name of a named type; primitives and names that hold a dot stay.
func fullName(name, namespace string) string {
	switch name {
	case "null", "boolean", "int", "long", "float", "double", "bytes", "string":
		return name
	}
	if namespace == "" || strings.ContainsRune(name, '.') {
		return name
	}
	return namespace + "." + name
}
