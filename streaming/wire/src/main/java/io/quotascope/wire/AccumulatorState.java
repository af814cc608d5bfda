package io.quotascope.wire;

import io.quotascope.domain.window.Exemplars;
import io.quotascope.domain.window.ServiceAccumulator;
import io.quotascope.domain.window.ServiceSums;
import io.quotascope.domain.window.ServiceWindow;
import io.quotascope.domain.window.WorstShard;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * An unfinished row as bytes, for state and for the way between operators. It is the framed
 * ServiceWindow, so that state reads through schema versions as records do, followed by the one
 * thing that a row does not tell: the record that the worst exemplar belongs to, without which
 * later records could not be compared with it.
 */
public final class AccumulatorState {
    private AccumulatorState() {}

    /** The bytes of an accumulator. */
    public static byte[] encode(ServiceAccumulator accumulator) {
        ServiceSums sums = accumulator.toServiceSums();
        byte[] row = Codecs.SERVICE_WINDOWS.encode(new ServiceWindow(sums, 0, 0));
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(row.length + 128);
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeInt(row.length);
            out.write(row);
            Optional<WorstShard> rank = sums.exemplars().worst().flatMap(Exemplars.Worst::rank);
            out.writeBoolean(rank.isPresent());
            if (rank.isPresent()) {
                write(out, rank.get());
            }
        } catch (IOException impossible) {
            throw new UncheckedIOException("memory cannot be written", impossible);
        }
        return bytes.toByteArray();
    }

    /**
     * The accumulator of bytes that {@link #encode} made.
     *
     * @throws IllegalStateException when they are not
     */
    public static ServiceAccumulator decode(byte[] state) {
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(state))) {
            byte[] row = in.readNBytes(in.readInt());
            ServiceSums sums = Codecs.SERVICE_WINDOWS.decode(row).orElseThrow().sums();
            return ServiceAccumulator.of(
                    in.readBoolean() ? sums.withWorstExemplarOf(read(in)) : sums);
        } catch (IOException truncated) {
            throw new IllegalStateException("state ends early", truncated);
        }
    }

    private static void write(DataOutputStream out, WorstShard worst) throws IOException {
        out.writeLong(worst.shardId());
        out.writeUTF(worst.shard());
        out.writeUTF(worst.hostId());
        out.writeLong(worst.windowStartUs());
        out.writeLong(worst.usageUs());
        out.writeLong(worst.periods());
        out.writeLong(worst.throttledPeriods());
        out.writeLong(worst.throttledUs());
        out.writeBoolean(worst.threads().isPresent());
        out.writeLong(worst.threads().orElse(0));
    }

    private static WorstShard read(DataInputStream in) throws IOException {
        return new WorstShard(
                in.readLong(),
                in.readUTF(),
                in.readUTF(),
                in.readLong(),
                in.readLong(),
                in.readLong(),
                in.readLong(),
                in.readLong(),
                readOptional(in));
    }

    private static OptionalLong readOptional(DataInputStream in) throws IOException {
        boolean present = in.readBoolean();
        long value = in.readLong();
        return present ? OptionalLong.of(value) : OptionalLong.empty();
    }
}
