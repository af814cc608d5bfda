package avro

import (
	"maps"
	"slices"
)

// AppendLong appends an Avro int or long: zigzag, then varint.
func AppendLong(dst []byte, value int64) []byte {
	zigzag := uint64(value)<<1 ^ uint64(value>>63)
	for zigzag >= 0x80 {
		dst = append(dst, byte(zigzag)|0x80)
		zigzag >>= 7
	}
	return append(dst, byte(zigzag))
}

// AppendString appends an Avro string; the caller answers for valid UTF-8.
func AppendString(dst []byte, value string) []byte {
	return append(AppendLong(dst, int64(len(value))), value...)
}

// AppendBytes appends an Avro bytes value.
func AppendBytes(dst, value []byte) []byte {
	return append(AppendLong(dst, int64(len(value))), value...)
}

// The branches of our unions: null always comes first (schemas/README.md, "default": null).
const (
	branchNull  = 0
	branchValue = 1
)

// AppendNull appends the null branch of a union ["null", T].
func AppendNull(dst []byte) []byte { return AppendLong(dst, branchNull) }

// AppendPresent appends the branch number that precedes a value of a union ["null", T].
func AppendPresent(dst []byte) []byte { return AppendLong(dst, branchValue) }

// AppendOptionalLong appends a union ["null", int or long].
func AppendOptionalLong[T int32 | int64](dst []byte, value *T) []byte {
	if value == nil {
		return AppendNull(dst)
	}
	return AppendLong(AppendPresent(dst), int64(*value))
}

// AppendOptionalBytes appends a union ["null", bytes]; nil is null, empty is a value.
func AppendOptionalBytes(dst, value []byte) []byte {
	if value == nil {
		return AppendNull(dst)
	}
	return AppendBytes(AppendPresent(dst), value)
}

// AppendOptionalString appends a union ["null", string].
func AppendOptionalString(dst []byte, value *string) []byte {
	if value == nil {
		return AppendNull(dst)
	}
	return AppendString(AppendPresent(dst), *value)
}

// AppendMap appends an Avro map as one block. Entries go in the order of their keys, so that equal records have equal
// bytes; Avro itself leaves the order open.
func AppendMap[V any](dst []byte, entries map[string]V, appendValue func([]byte, V) []byte) []byte {
	if len(entries) > 0 {
		dst = AppendLong(dst, int64(len(entries)))
		for _, key := range slices.Sorted(maps.Keys(entries)) {
			dst = appendValue(AppendString(dst, key), entries[key])
		}
	}
	return AppendLong(dst, 0)
}

// AppendArray appends an Avro array as one block.
func AppendArray[V any](dst []byte, items []V, appendItem func([]byte, *V) []byte) []byte {
	if len(items) > 0 {
		dst = AppendLong(dst, int64(len(items)))
		for i := range items {
			dst = appendItem(dst, &items[i])
		}
	}
	return AppendLong(dst, 0)
}
