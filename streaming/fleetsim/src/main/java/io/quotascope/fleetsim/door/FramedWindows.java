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
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;

/**
 * Framed records of shards at a fraction of the cost of encoding them: what names a record and its
 * time comes first in the schema, and what comes after is the same in every record of a template.
 * {@code FramedWindowsTest} compares with the codec. Not for two threads at once.
 */
final class FramedWindows {
    /** C3 01 and the fingerprint. */
    private static final int HEADER_BYTES = 10;

    /** Position of {@code simulated} in the schema's enumeration of origins. */
    private final int origin;

    private final byte[] header;
    private final Map<ShardWindow, byte[]> plain = new IdentityHashMap<>();
    private final Map<ShardWindow, byte[]> withExemplar = new IdentityHashMap<>();
    private final ByteArrayOutputStream out = new ByteArrayOutputStream(512);
    private final BinaryEncoder encoder = EncoderFactory.get().directBinaryEncoder(out, null);

    FramedWindows() {
        header = new byte[HEADER_BYTES];
        origin = io.quotascope.wire.avro.Origin.simulated.ordinal();
    }

    /** What varies between records of one template. */
    record Stamp(
            String hostId,
            long agentEpoch,
            long seq,
            String cluster,
            long windowStartUs,
            long shardId,
            String service,
            String shard) {
        static Stamp of(ShardWindow window, long seq) {
            return new Stamp(
                    window.sender().hostId(),
                    window.sender().agentEpoch(),
                    seq,
                    window.cluster(),
                    window.windowStartUs(),
                    window.shardId(),
                    window.service(),
                    window.shard());
        }

        /** The same shard of another copy of the fleet. */
        Stamp copied(String hostId, String cluster, long seq) {
            return new Stamp(
                    hostId, agentEpoch, seq, cluster, windowStartUs, shardId, service, shard);
        }
    }

    /**
     * The message of a record.
     *
     * @param source record of the template
     * @param exemplar whether the raw samples go along
     */
    byte[] framed(ShardWindow source, boolean exemplar, Stamp stamp) {
        Map<ShardWindow, byte[]> known = exemplar ? withExemplar : plain;
        byte[] rest = known.get(source);
        if (rest == null) {
            rest = rest(source, exemplar);
            known.put(source, rest);
        }
        out.reset();
        out.writeBytes(header);
        write(stamp);
        out.writeBytes(rest);
        return out.toByteArray();
    }

    private byte[] rest(ShardWindow source, boolean exemplar) {
        byte[] whole = Codecs.SHARD_WINDOWS.encode(exemplar ? source : without(source));
        System.arraycopy(whole, 0, header, 0, HEADER_BYTES);
        out.reset();
        write(Stamp.of(source, source.sender().seq()));
        return Arrays.copyOfRange(whole, HEADER_BYTES + out.size(), whole.length);
    }

    private static ShardWindow without(ShardWindow window) {
        return window.with(window.throttling(), window.runnableHistogram(), Optional.empty());
    }

    private void write(Stamp stamp) {
        try {
            encoder.writeString(stamp.hostId());
            encoder.writeLong(stamp.agentEpoch());
            encoder.writeLong(stamp.seq());
            encoder.writeString(stamp.cluster());
            encoder.writeEnum(origin);
            encoder.writeLong(stamp.windowStartUs());
            encoder.writeLong(stamp.shardId());
            encoder.writeString(stamp.service());
            encoder.writeString(stamp.shard());
            encoder.flush();
        } catch (IOException impossible) {
            throw new UncheckedIOException("memory cannot be written", impossible);
        }
    }
}
