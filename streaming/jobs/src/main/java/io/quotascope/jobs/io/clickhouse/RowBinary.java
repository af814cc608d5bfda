package io.quotascope.jobs.io.clickhouse;

import java.io.DataOutput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.apache.avro.generic.IndexedRecord;

/**
 * ClickHouse's RowBinary format: little-endian numbers, lengths as LEB128 varints, one flag byte
 * before a value that may be null.
 */
final class RowBinary {

    private RowBinary() {}

    static void writeInt(int value, DataOutput out) throws IOException {
        out.writeInt(Integer.reverseBytes(value));
    }

    static void writeLong(long value, DataOutput out) throws IOException {
        out.writeLong(Long.reverseBytes(value));
    }

    static void writeLength(int length, DataOutput out) throws IOException {
        int rest = length;
        while (rest > 0x7F) {
            out.writeByte(rest & 0x7F | 0x80);
            rest >>>= 7;
        }
        out.writeByte(rest);
    }

    /** Text and enum symbols. */
    static void writeText(Object value, DataOutput out) throws IOException {
        byte[] bytes = value.toString().getBytes(StandardCharsets.UTF_8);
        writeLength(bytes.length, out);
        out.write(bytes);
    }

    static void writeBytes(Object value, DataOutput out) throws IOException {
        ByteBuffer bytes = ((ByteBuffer) value).duplicate();
        byte[] copy = new byte[bytes.remaining()];
        bytes.get(copy);
        writeLength(copy.length, out);
        out.write(copy);
    }

    static CellWriter nullable(CellWriter present) {
        return (value, out) -> {
            out.writeByte(value == null ? 1 : 0);
            if (value != null) {
                present.write(value, out);
            }
        };
    }

    static CellWriter array(CellWriter element) {
        return (value, out) -> {
            Collection<?> elements = (Collection<?>) value;
            writeLength(elements.size(), out);
            for (Object each : elements) {
                element.write(each, out);
            }
        };
    }

    /** Entries in ascending order of their keys, so that equal maps are equal bytes. */
    static CellWriter map(CellWriter element) {
        return (value, out) -> {
            Map<String, Object> sorted = new java.util.TreeMap<>();
            ((Map<?, ?>) value).forEach((key, each) -> sorted.put(key.toString(), each));
            writeLength(sorted.size(), out);
            for (Map.Entry<String, Object> entry : sorted.entrySet()) {
                writeText(entry.getKey(), out);
                element.write(entry.getValue(), out);
            }
        };
    }

    static CellWriter tuple(List<CellWriter> fields) {
        return (value, out) -> {
            IndexedRecord record = (IndexedRecord) value;
            for (int i = 0; i < fields.size(); i++) {
                fields.get(i).write(record.get(i), out);
            }
        };
    }
}
