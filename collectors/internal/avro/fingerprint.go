// Package avro writes and measures Avro binary: the primitives of the binary encoding, the parsing canonical form with
// its CRC-64-AVRO fingerprint, and the single-object frame. It follows the Avro 1.12 specification and knows no record.
// It has no dependency, so that the collector's encoding can be checked against libraries that share no code with it.
package avro

// crc64Empty is the CRC-64-AVRO of no bytes and, at once, its polynomial (specification, "Schema Fingerprints").
const crc64Empty uint64 = 0xc15d213aa4d7a795

// crc64Table holds the CRC-64-AVRO of every single byte.
var crc64Table = crc64TableOf(crc64Empty)

func crc64TableOf(polynomial uint64) [256]uint64 {
	var table [256]uint64
	for i := range table {
		remainder := uint64(i)
		for range 8 {
			low := remainder & 1
			remainder >>= 1
			if low == 1 {
				remainder ^= polynomial
			}
		}
		table[i] = remainder
	}
	return table
}

// CRC64 returns the CRC-64-AVRO of text.
func CRC64(text []byte) uint64 {
	remainder := crc64Empty
	for _, b := range text {
		remainder = remainder>>8 ^ crc64Table[byte(remainder)^b]
	}
	return remainder
}

// HeaderSize is the length of the single-object frame before the record, bytes.
const HeaderSize = 10

// Header is the single-object frame of one schema: C3 01 and the fingerprint, least significant byte first.
type Header [HeaderSize]byte

// NewHeader computes the frame of the schema given as the text of an .avsc file.
func NewHeader(schema string) (Header, error) {
	canonical, err := CanonicalForm(schema)
	if err != nil {
		return Header{}, err
	}
	header := Header{0xc3, 0x01}
	fingerprint := CRC64([]byte(canonical))
	for i := range 8 {
		header[2+i] = byte(fingerprint >> (8 * i))
	}
	return header, nil
}
