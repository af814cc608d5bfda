package avro

import "fmt"

// Symbols returns the index of every symbol of the enum that the named field of a record schema holds.
func Symbols(schema, field string) (map[string]int64, error) {
	root, err := parse(schema)
	if err != nil {
		return nil, err
	}
	record, isObject := root.(map[string]any)
	if !isObject {
		return nil, fmt.Errorf("%w: a record is expected at the top", ErrSchema)
	}
	fields, _ := record["fields"].([]any) //nolint:errcheck // Without a list there is no field, which is the error below.
	for _, candidate := range fields {
		node, isObject := candidate.(map[string]any)
		if !isObject || node["name"] != field {
			continue
		}
		enum, isObject := node["type"].(map[string]any)
		symbols, isList := enum["symbols"].([]any)
		if !isObject || !isList {
			return nil, fmt.Errorf("%w: field %s is not an enum", ErrSchema, field)
		}
		index := make(map[string]int64, len(symbols))
		for i, symbol := range symbols {
			index[fmt.Sprint(symbol)] = int64(i)
		}
		return index, nil
	}
	return nil, fmt.Errorf("%w: no field %s", ErrSchema, field)
}
