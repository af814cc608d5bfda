package usagewindow_test

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hamba/avro/v2"
	"github.com/linkedin/goavro/v2"
	"github.com/stretchr/testify/require"

	"github.com/quotascope/quotascope/collectors/internal/usagewindow"
	"github.com/quotascope/quotascope/schemas"
)

var update = flag.Bool("update", false, "write schemas/golden/avro/go instead of comparing with it")

const goldenRoot = "../../../schemas/golden/avro"

type goldenRecord struct {
	name   string
	schema string
	target func() any
}

func goldenRecords() []goldenRecord {
	return []goldenRecord{
		{"cpu_usage_window", schemas.CpuUsageWindow, func() any { return &usagewindow.Window{} }},
		{"host_window", schemas.HostWindow, func() any { return &usagewindow.HostWindow{} }},
		{"shard_identity", schemas.ShardIdentity, func() any { return &usagewindow.ShardIdentity{} }},
	}
}

// The path of a record: JSON twin -> goavro -> bytes -> hamba -> struct -> our encoder -> bytes -> goavro. Neither library
// shares code with the encoder, so an equal end means that the struct's fields and their order are the schema's.
// Equal bytes cannot be asked of goavro, which writes the entries of a map in random order; Java's file asks for them.
func TestGoldenGo(t *testing.T) {
	forEachGolden(t, func(t *testing.T, codec *goavro.Codec, file string, wanted, encoded []byte) {
		require.Len(t, encoded, len(wanted))
		require.Equal(t, decoded(t, codec, wanted), decoded(t, codec, encoded))
		path := filepath.Join(goldenRoot, "go", file+".bin")
		if *update {
			require.NoError(t, os.WriteFile(path, encoded, 0o644))
		}
		kept, err := os.ReadFile(path)
		require.NoError(t, err, "regenerate with: go test ./internal/usagewindow -run Golden -args -update")
		require.Equal(t, hex.EncodeToString(encoded), hex.EncodeToString(kept), path)
	})
}

// What Java wrote must be, byte for byte, what Go writes, and must decode to what the twin says.
func TestGoldenJava(t *testing.T) {
	forEachGolden(t, func(t *testing.T, codec *goavro.Codec, file string, wanted, encoded []byte) {
		path := filepath.Join(goldenRoot, "java", file+".bin")
		java, err := os.ReadFile(path)
		require.NoError(t, err, "the Java build of streaming/wire writes this file")
		require.Equal(t, decoded(t, codec, wanted), decoded(t, codec, java))
		require.Equal(t, hex.EncodeToString(encoded), hex.EncodeToString(java), path)
	})
}

func decoded(t *testing.T, codec *goavro.Codec, framed []byte) any {
	t.Helper()
	native, rest, err := codec.NativeFromBinary(framed[10:])
	require.NoError(t, err)
	require.Empty(t, rest)
	return native
}

// forEachGolden calls check for every JSON twin with goavro's bytes of the twin and ours of the struct they
// decode to. The frame of goavro's is left empty, because its fingerprint is wrong (internal/avro, canonical form).
func forEachGolden(t *testing.T, check func(*testing.T, *goavro.Codec, string, []byte, []byte)) {
	t.Helper()
	encoder, err := usagewindow.NewEncoder()
	require.NoError(t, err)
	for _, record := range goldenRecords() {
		for _, situation := range []string{"full", "typical", "all-nulls"} {
			file := record.name + "_" + situation
			t.Run(file, func(t *testing.T) {
				text, err := os.ReadFile(filepath.Join(goldenRoot, file+".json"))
				require.NoError(t, err)
				decoder := json.NewDecoder(bytes.NewReader(text))
				decoder.UseNumber()
				var twin map[string]any
				require.NoError(t, decoder.Decode(&twin))
				codec, err := goavro.NewCodec(record.schema)
				require.NoError(t, err)
				parsed := avro.MustParse(record.schema)
				wanted, err := codec.BinaryFromNative(make([]byte, 10), native(t, parsed, twin))
				require.NoError(t, err)
				target := record.target()
				require.NoError(t, avro.Unmarshal(parsed, wanted[10:], target))
				encoded, err := encoder.Append(nil, target)
				require.NoError(t, err)
				check(t, codec, file, wanted, encoded)
			})
		}
	}
}

// native turns the twin into goavro's form: unions as {branch: value}, bytes from hexadecimal text.
func native(t *testing.T, schema avro.Schema, value any) any {
	t.Helper()
	switch s := schema.(type) {
	case *avro.RefSchema:
		return native(t, s.Schema(), value)
	case *avro.RecordSchema:
		object, isObject := value.(map[string]any)
		require.True(t, isObject, "%s must be an object", s.FullName())
		require.Len(t, object, len(s.Fields()), "the twin states every field of %s and no other", s.FullName())
		fields := map[string]any{}
		for _, field := range s.Fields() {
			require.Contains(t, object, field.Name())
			fields[field.Name()] = native(t, field.Type(), object[field.Name()])
		}
		return fields
	case *avro.UnionSchema:
		if value == nil {
			return nil
		}
		branch := s.Types()[1]
		return goavro.Union(string(branch.Type()), native(t, branch, value))
	case *avro.ArraySchema:
		items := []any{}
		for _, item := range value.([]any) {
			items = append(items, native(t, s.Items(), item))
		}
		return items
	case *avro.MapSchema:
		entries := map[string]any{}
		for key, entry := range value.(map[string]any) {
			entries[key] = native(t, s.Values(), entry)
		}
		return entries
	}
	switch schema.Type() {
	case avro.Bytes:
		packed, err := hex.DecodeString(value.(string))
		require.NoError(t, err)
		return packed
	case avro.Int, avro.Long:
		number, err := value.(json.Number).Int64()
		require.NoError(t, err)
		return number
	}
	return strings.Clone(value.(string))
}
