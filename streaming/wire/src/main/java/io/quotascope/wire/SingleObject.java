package io.quotascope.wire;

import io.quotascope.domain.window.Refusal;
import io.quotascope.domain.window.RefusalReason;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.Schema;
import org.apache.avro.SchemaNormalization;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;
import org.apache.avro.specific.SpecificData;
import org.apache.avro.specific.SpecificDatumReader;
import org.apache.avro.specific.SpecificDatumWriter;
import org.apache.avro.specific.SpecificRecord;

/**
 * Single-object encoding of one record type: C3 01, the CRC-64-AVRO fingerprint of the writer's
 * schema (little endian), the record. Reads every frozen version, writes the current one. Safe for
 * many threads.
 *
 * @param <A> generated Avro class
 */
public final class SingleObject<A extends SpecificRecord> {
    private static final int HEADER_BYTES = 10;
    private static final byte MARKER = (byte) 0xC3;
    private static final byte FORMAT = 0x01;

    private final String record;
    private final byte[] header;
    private final SpecificDatumWriter<A> writer;
    private final Map<Long, SpecificDatumReader<A>> readers = new HashMap<>();

    /**
     * The format of a generated class.
     *
     * @param record name of the .avsc file without its ending, which is the folder of its frozen
     *     versions
     */
    public SingleObject(Class<A> generated, String record) {
        this(generated, record, SchemaHistory.of(record));
    }

    /** The format of a generated class that also reads the given older schemas. */
    SingleObject(Class<A> generated, String record, List<Schema> history) {
        this.record = record;
        SpecificData model = SpecificData.getForClass(generated);
        Schema current = model.getSchema(generated);
        header = header(current);
        writer = new SpecificDatumWriter<>(current, model);
        for (Schema frozen : history) {
            readers.put(fingerprint(frozen), new SpecificDatumReader<>(frozen, current, model));
        }
        readers.put(fingerprint(current), new SpecificDatumReader<>(current, current, model));
    }

    /** CRC-64-AVRO of a schema in parsing canonical form. */
    public static long fingerprint(Schema schema) {
        return SchemaNormalization.parsingFingerprint64(schema);
    }

    private static byte[] header(Schema schema) {
        byte[] header = new byte[HEADER_BYTES];
        header[0] = MARKER;
        header[1] = FORMAT;
        long fingerprint = fingerprint(schema);
        for (int octet = 0; octet < Long.BYTES; octet++) {
            header[2 + octet] = (byte) (fingerprint >>> 8 * octet);
        }
        return header;
    }

    /** The framed bytes of a record. */
    public byte[] encode(A value) {
        ByteArrayOutputStream framed = new ByteArrayOutputStream(512);
        framed.writeBytes(header);
        BinaryEncoder encoder = EncoderFactory.get().directBinaryEncoder(framed, null);
        try {
            writer.write(value, encoder);
            encoder.flush();
        } catch (IOException impossible) {
            throw new UncheckedIOException("memory cannot be written", impossible);
        }
        return framed.toByteArray();
    }

    /** The record of framed bytes, or why there is none. */
    public Decoded<A> decode(byte[] framed) {
        if (framed.length < HEADER_BYTES || framed[0] != MARKER || framed[1] != FORMAT) {
            return refused(
                    RefusalReason.BAD_FRAMING,
                    framed.length
                            + " bytes that do not begin with C3 01 and a fingerprint of 8 bytes");
        }
        long fingerprint = 0;
        for (int octet = Long.BYTES - 1; octet >= 0; octet--) {
            fingerprint = fingerprint << 8 | framed[2 + octet] & 0xFF;
        }
        SpecificDatumReader<A> reader = readers.get(fingerprint);
        if (reader == null) {
            return refused(
                    RefusalReason.UNKNOWN_SCHEMA,
                    "fingerprint "
                            + Long.toHexString(fingerprint)
                            + " belongs to no version of "
                            + record);
        }
        MessageBytes body = new MessageBytes(framed, HEADER_BYTES);
        try {
            A value = reader.read(null, body);
            return body.remaining() == 0
                    ? new Decoded.Sound<>(value)
                    : refused(
                            RefusalReason.TRAILING_BYTES,
                            body.remaining() + " bytes follow the record");
        } catch (IOException | AvroRuntimeException | IndexOutOfBoundsException malformed) {
            return refused(
                    RefusalReason.UNDECODABLE, "no " + record + ": " + malformed.getMessage());
        }
    }

    private Decoded<A> refused(RefusalReason reason, String detail) {
        return new Decoded.Refused<>(Refusal.of(reason, detail));
    }
}
