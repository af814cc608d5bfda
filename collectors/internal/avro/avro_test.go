package avro_test

import (
	"testing"

	hamba "github.com/hamba/avro/v2"
	"github.com/stretchr/testify/require"

	"github.com/quotascope/quotascope/collectors/internal/avro"
	"github.com/quotascope/quotascope/schemas"
)

// hamba must agree on the canonical form and the frame of every schema we send; the golden files of Java agree on the
// frame as well. goavro cannot be asked: it prefixes a nested record's own namespace with the outer one.
func TestCanonicalFormAndFrameAgreeWithHamba(t *testing.T) {
	for name, schema := range map[string]string{
		"CpuUsageWindow": schemas.CpuUsageWindow,
		"HostWindow":     schemas.HostWindow,
		"ShardIdentity":  schemas.ShardIdentity,
	} {
		t.Run(name, func(t *testing.T) {
			canonical, err := avro.CanonicalForm(schema)
			require.NoError(t, err)
			parsed := hamba.MustParse(schema)
			require.Equal(t, parsed.String(), canonical)
			header, err := avro.NewHeader(schema)
			require.NoError(t, err)
			fingerprint, err := parsed.FingerprintUsing(hamba.CRC64AvroLE)
			require.NoError(t, err)
			require.Equal(t, append([]byte{0xc3, 0x01}, fingerprint...), header[:])
		})
	}
}

// The fingerprints of the specification's reference implementation (Avro's SchemaNormalization tests).
func TestFingerprintOfPrimitives(t *testing.T) {
	for schema, wanted := range map[string]uint64{
		`"null"`: 7195948357588979594, `"int"`: 8247732601305521295, `"string"`: 0x8f014872634503c7, `"bytes"`: 5746618253357095269,
	} {
		canonical, err := avro.CanonicalForm(schema)
		require.NoError(t, err)
		require.Equal(t, schema, canonical)
		require.Equal(t, wanted, avro.CRC64([]byte(canonical)), schema)
	}
}

func TestCanonicalFormOfRareShapes(t *testing.T) {
	for _, schema := range []string{
		`{"type":"record","name":"a.b.C","doc":"<x>","aliases":["D"],"fields":[{"name":"next","type":["null","C"],"default":null},
		  {"name":"id","type":{"type":"fixed","name":"Id","size":16}},{"name":"other","type":"Id"}]}`,
		`{"type":"enum","name":"E","symbols":["A","B"],"default":"A"}`,
		`{"type":"map","values":{"type":"array","items":"long"}}`,
	} {
		canonical, err := avro.CanonicalForm(schema)
		require.NoError(t, err)
		require.Equal(t, hamba.MustParse(schema).String(), canonical)
	}
}

func TestSchemaErrors(t *testing.T) {
	for _, schema := range []string{``, `3`, `{"type":"record","name":"R"}`, `{"type":"record","fields":[]}`, `{"type":"enum","name":"E"}`,
		`{"type":"fixed","name":"F"}`, `{"type":{"type":"int"}}`, `{"type":"record","name":"R","fields":[1]}`} {
		_, err := avro.NewHeader(schema)
		require.ErrorIs(t, err, avro.ErrSchema, schema)
	}
	_, err := avro.Symbols(schemas.HostWindow, "cpus")
	require.ErrorIs(t, err, avro.ErrSchema)
	_, err = avro.Symbols(schemas.HostWindow, "no_such_field")
	require.ErrorIs(t, err, avro.ErrSchema)
}

func FuzzFieldSizes(f *testing.F) {
	header, err := avro.NewHeader(schemas.HostWindow)
	require.NoError(f, err)
	f.Add([]byte{})
	f.Add([]byte{0x02, 0x41, 0xff})
	f.Fuzz(func(t *testing.T, record []byte) {
		framed := append(header[:], record...)
		sizes, err := avro.FieldSizes(schemas.HostWindow, framed)
		if err != nil {
			return
		}
		total := avro.HeaderSize
		for _, size := range sizes {
			total += size.Bytes
		}
		require.Equal(t, len(framed), total)
	})
}
