package io.quotascope.fleetsim.door;

import io.quotascope.domain.window.ShardWindow;
import io.quotascope.wire.Codecs;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.avro.io.BinaryData;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;

/**
 * Framed records of shards at a fraction of the cost of encoding them. The schema begins with who
 * sends, the number and the time, and goes on with the shard and what was measured: of the first,
 * all but the number is the same for a whole send ({@link Head}), the second for all copies of a
 * shard (a tail). {@code FramedWindowsTest} compares with the codec. Not for two threads at once.
 */
final class FramedWindows {
    /** C3 01 and the fingerprint. */
    private static final int HEADER_BYTES = 10;

    /** The longest form of a number of 64 bits. */
    private static final int LONGEST_NUMBER_BYTES = 10;

    /** Position of {@code simulated} in the schema's enumeration of origins. */
    private final int origin;

    private final byte[] header;
    private final Map<ShardWindow, byte[]> plain = new IdentityHashMap<>();
    private final Map<ShardWindow, byte[]> withExemplar = new IdentityHashMap<>();
    private final byte[] number = new byte[LONGEST_NUMBER_BYTES];
    private final ByteArrayOutputStream out = new ByteArrayOutputStream(512);
    private final BinaryEncoder encoder = EncoderFactory.get().directBinaryEncoder(out, null);

    FramedWindows() {
        header = new byte[HEADER_BYTES];
        origin = io.quotascope.wire.avro.Origin.simulated.ordinal();
    }

    /** What all records of one host and window begin with, before and after their number. */
    record Head(byte[] beforeNumber, byte[] afterNumber) {}

    Head head(String hostId, long agentEpoch, String cluster, long windowStartUs) {
        out.reset();
        writeSender(hostId, agentEpoch);
        byte[] before = out.toByteArray();
        out.reset();
        writeTime(cluster, windowStartUs);
        return new Head(before, out.toByteArray());
    }

    /**
     * What the records of a shard's window end with, in every copy of the fleet.
     *
     * @param source record of the template
     */
    byte[] tail(ShardWindow window, ShardWindow source) {
        boolean exemplar = window.exemplar().isPresent();
        Map<ShardWindow, byte[]> known = exemplar ? withExemplar : plain;
        byte[] measured = known.get(source);
        if (measured == null) {
            measured = measured(source, exemplar);
            known.put(source, measured);
        }
        out.reset();
        writeShard(window);
        out.writeBytes(measured);
        return out.toByteArray();
    }

    /** The message of a record. Its tail has been made here before. */
    byte[] framed(Head head, long seq, byte[] tail) {
        byte[] before = head.beforeNumber();
        byte[] after = head.afterNumber();
        int digits = BinaryData.encodeLong(seq, number, 0);
        byte[] message =
                new byte[HEADER_BYTES + before.length + digits + after.length + tail.length];
        int place = put(header, HEADER_BYTES, message, 0);
        place = put(before, before.length, message, place);
        place = put(number, digits, message, place);
        place = put(after, after.length, message, place);
        put(tail, tail.length, message, place);
        return message;
    }

    private static int put(byte[] part, int length, byte[] message, int place) {
        System.arraycopy(part, 0, message, place, length);
        return place + length;
    }

    /** What was measured, and the header on the way. */
    private byte[] measured(ShardWindow source, boolean exemplar) {
        byte[] whole = Codecs.SHARD_WINDOWS.encode(exemplar ? source : without(source));
        System.arraycopy(whole, 0, header, 0, HEADER_BYTES);
        out.reset();
        writeSender(source.sender().hostId(), source.sender().agentEpoch());
        writeNumber(source.sender().seq());
        writeTime(source.cluster(), source.windowStartUs());
        writeShard(source);
        return Arrays.copyOfRange(whole, HEADER_BYTES + out.size(), whole.length);
    }

    private static ShardWindow without(ShardWindow window) {
        return window.with(window.throttling(), window.runnableHistogram(), Optional.empty());
    }

    private void writeSender(String hostId, long agentEpoch) {
        write(
                to -> {
                    to.writeString(hostId);
                    to.writeLong(agentEpoch);
                });
    }

    private void writeNumber(long seq) {
        write(to -> to.writeLong(seq));
    }

    private void writeTime(String cluster, long windowStartUs) {
        write(
                to -> {
                    to.writeString(cluster);
                    to.writeEnum(origin);
                    to.writeLong(windowStartUs);
                });
    }

    private void writeShard(ShardWindow window) {
        write(
                to -> {
                    to.writeLong(window.shardId());
                    to.writeString(window.service());
                    to.writeString(window.shard());
                });
    }

    private interface Fields {
        void to(BinaryEncoder encoder) throws IOException;
    }

    private void write(Fields fields) {
        try {
            fields.to(encoder);
            encoder.flush();
        } catch (IOException impossible) {
            throw new UncheckedIOException("memory cannot be written", impossible);
        }
    }
}
