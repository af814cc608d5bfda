package io.quotascope.oracle;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.quotascope.wire.RecordCodec;
import io.quotascope.wire.SingleObject;
import java.io.BufferedInputStream;
import java.io.BufferedWriter;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.avro.Schema;
import org.apache.avro.specific.SpecificRecord;

/** Files of values in, one JSON object a line out. */
final class Dump {
    private static final ObjectMapper JSON = new ObjectMapper();

    /**
     * A record that intake has accepted.
     *
     * @param record the record
     * @param appendTimeMs when the log took it, milliseconds since the Unix epoch
     * @param missingBefore numbers of its sender that never came before it; absent when not known
     */
    record Taken<T>(T record, long appendTimeMs, OptionalLong missingBefore) {}

    /** One entry of a file. */
    private interface Reading<T> {
        T read(DataInputStream input) throws IOException;
    }

    private Dump() {}

    /** Values of a topic: for each its length (4 bytes, big-endian) and its bytes. */
    static <T> List<T> values(Optional<Path> file, RecordCodec<T> codec) throws IOException {
        return all(file, input -> value(input, codec));
    }

    /** Rows of a table that no topic carries, the same way. */
    static <A extends SpecificRecord> List<A> framed(Optional<Path> file, SingleObject<A> rows)
            throws IOException {
        return all(file, input -> rows.decode(bytes(input)).orElseThrow());
    }

    /** Accepted records: append time and missing numbers (8 bytes each, -1 = unknown), value. */
    static <T> List<Taken<T>> taken(Optional<Path> file, RecordCodec<T> codec) throws IOException {
        return all(
                file,
                input -> {
                    long appendTimeMs = input.readLong();
                    long missing = input.readLong();
                    return new Taken<>(
                            value(input, codec),
                            appendTimeMs,
                            missing < 0 ? OptionalLong.empty() : OptionalLong.of(missing));
                });
    }

    private static <T> T value(DataInputStream input, RecordCodec<T> codec) throws IOException {
        return codec.decode(bytes(input)).orElseThrow();
    }

    private static byte[] bytes(DataInputStream input) throws IOException {
        byte[] framed = new byte[input.readInt()];
        input.readFully(framed);
        return framed;
    }

    private static <T> List<T> all(Optional<Path> file, Reading<T> reading) throws IOException {
        List<T> records = new ArrayList<>();
        if (file.isPresent()) {
            try (DataInputStream input =
                    new DataInputStream(
                            new BufferedInputStream(Files.newInputStream(file.get())))) {
                while (input.available() > 0) {
                    records.add(reading.read(input));
                }
            }
        }
        return records;
    }

    /** Adds rows to a file that is open. */
    static void write(List<? extends SpecificRecord> rows, BufferedWriter file) throws IOException {
        for (SpecificRecord row : rows) {
            file.write(JSON.writeValueAsString(object(row)));
            file.newLine();
        }
    }

    /** Makes a file of rows. */
    static void write(List<? extends SpecificRecord> rows, Path file) throws IOException {
        try (BufferedWriter writer = Files.newBufferedWriter(file)) {
            write(rows, writer);
        }
    }

    private static ObjectNode object(SpecificRecord row) {
        ObjectNode object = JSON.createObjectNode();
        for (Schema.Field field : row.getSchema().getFields()) {
            object.set(field.name(), JSON.valueToTree(plain(row.get(field.pos()))));
        }
        return object;
    }

    /** Words for enumerations, and objects for records within records. */
    private static Object plain(Object value) {
        if (value instanceof List<?> list) {
            return list.stream().map(Dump::plain).toList();
        }
        if (value instanceof SpecificRecord nested) {
            return object(nested);
        }
        return value instanceof Enum<?> word ? word.toString() : value;
    }
}
