package io.quotascope.wire;

import com.github.luben.zstd.Zstd;
import io.quotascope.wire.avro.CpuUsageWindow;
import io.quotascope.wire.avro.HostWindow;
import io.quotascope.wire.avro.ServiceWindow;
import io.quotascope.wire.avro.ShardIdentity;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;
import org.apache.avro.specific.SpecificDatumWriter;
import org.apache.avro.specific.SpecificRecord;

/**
 * Says what records cost on the wire: mean bytes of each field group, and bytes a record in zstd
 * batches of thirty, as one host's flush sends them. Reads a folder of .bin files, or a file of
 * messages that each follow their length (4 bytes, big endian). To be run on recorded records
 * before a schema is frozen.
 */
public final class RecordSizes {
    private static final int BATCH_RECORDS = 30;
    private static final int ZSTD_LEVEL = 3;

    private static final List<SingleObject<? extends SpecificRecord>> FORMATS =
            List.of(
                    new SingleObject<>(CpuUsageWindow.class, "cpu_usage_window"),
                    new SingleObject<>(HostWindow.class, "host_window"),
                    new SingleObject<>(ShardIdentity.class, "shard_identity"),
                    new SingleObject<>(ServiceWindow.class, "service_window"));

    private RecordSizes() {}

    /** Prints the sizes of the messages at the path given as the only argument. */
    public static void main(String[] arguments) throws IOException {
        if (arguments.length != 1) {
            System.err.println(
                    "usage: RecordSizes <folder of .bin files | file of length-prefixed messages>");
            System.exit(2);
        }
        print(messages(Path.of(arguments[0])), System.out);
    }

    static List<byte[]> messages(Path source) throws IOException {
        List<byte[]> messages = new ArrayList<>();
        if (Files.isDirectory(source)) {
            try (Stream<Path> files = Files.list(source)) {
                for (Path file :
                        files.filter(path -> path.toString().endsWith(".bin")).sorted().toList()) {
                    messages.add(Files.readAllBytes(file));
                }
            }
            return messages;
        }
        try (DataInputStream in = new DataInputStream(Files.newInputStream(source))) {
            while (in.available() > 0) {
                byte[] message = new byte[in.readInt()];
                in.readFully(message);
                messages.add(message);
            }
        } catch (EOFException truncated) {
            throw new IOException(source + " ends inside message " + messages.size(), truncated);
        }
        return messages;
    }

    static void print(List<byte[]> messages, PrintStream out) throws IOException {
        Map<String, List<byte[]>> byRecord = new LinkedHashMap<>();
        Map<String, Map<String, Long>> bytesByGroup = new LinkedHashMap<>();
        for (byte[] message : messages) {
            SpecificRecord record = decoded(message);
            String name = record.getSchema().getName();
            byRecord.computeIfAbsent(name, unseen -> new ArrayList<>()).add(message);
            Map<String, Long> groups =
                    bytesByGroup.computeIfAbsent(name, unseen -> new TreeMap<>());
            for (Schema.Field field : record.getSchema().getFields()) {
                groups.merge(
                        FieldGroups.of(name, field.name()),
                        size(field.schema(), record.get(field.pos())),
                        Long::sum);
            }
        }
        byRecord.forEach((name, framed) -> print(name, framed, bytesByGroup.get(name), out));
    }

    private static void print(
            String name, List<byte[]> framed, Map<String, Long> groups, PrintStream out) {
        double records = framed.size();
        long total = framed.stream().mapToLong(message -> message.length).sum();
        out.printf(
                Locale.ROOT,
                "%s: %d records, %.1f bytes framed, %.1f bytes in zstd batches of %d%n",
                name,
                framed.size(),
                total / records,
                compressed(framed) / records,
                BATCH_RECORDS);
        groups.forEach(
                (group, bytes) ->
                        out.printf(Locale.ROOT, "  %-28s %8.1f%n", group, bytes / records));
    }

    private static long compressed(List<byte[]> framed) {
        long total = 0;
        for (int from = 0; from < framed.size(); from += BATCH_RECORDS) {
            ByteArrayOutputStream batch = new ByteArrayOutputStream();
            framed.subList(from, Math.min(framed.size(), from + BATCH_RECORDS))
                    .forEach(batch::writeBytes);
            total += Zstd.compress(batch.toByteArray(), ZSTD_LEVEL).length;
        }
        return total;
    }

    private static SpecificRecord decoded(byte[] message) throws IOException {
        String refusal = "";
        for (SingleObject<? extends SpecificRecord> format : FORMATS) {
            Decoded<? extends SpecificRecord> decoded = format.decode(message);
            if (decoded instanceof Decoded.Sound<? extends SpecificRecord> sound) {
                return sound.value();
            }
            refusal = ((Decoded.Refused<?>) decoded).refusal().detail();
        }
        throw new IOException("a message that is no record of ours: " + refusal);
    }

    private static long size(Schema schema, Object value) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        BinaryEncoder encoder = EncoderFactory.get().directBinaryEncoder(bytes, null);
        new SpecificDatumWriter<Object>(schema).write(value, encoder);
        encoder.flush();
        return bytes.size();
    }
}
