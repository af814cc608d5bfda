package io.quotascope.analyze;

import io.quotascope.domain.window.HostReport;
import io.quotascope.domain.window.Refusal;
import io.quotascope.domain.window.RefusalReason;
import io.quotascope.domain.window.ShardWindow;
import io.quotascope.domain.window.Validation;
import io.quotascope.wire.Codecs;
import io.quotascope.wire.Decoded;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Usage windows as a collector encodes them: for each record its length (4 bytes, big-endian) and
 * its bytes in Avro single-object encoding. cgroupreplay windows --avro writes such files.
 */
final class WindowFile {
    /**
     * What such a file holds.
     *
     * @param windows usage windows, in the order of the file
     * @param hosts windows of the host
     */
    record Recorded(List<ShardWindow> windows, List<HostReport> hosts) {}

    private static final int LENGTH_MAX = 1 << 20;

    private WindowFile() {}

    /** Whether a file that begins with these bytes is one: a length, then the marker C3 01. */
    static boolean begins(byte[] first) {
        return first.length >= 6 && first[0] == 0 && (first[4] & 0xff) == 0xc3 && first[5] == 1;
    }

    static Recorded read(String name, InputStream bytes)
            throws IOException, UnusableInputException {
        List<ShardWindow> windows = new ArrayList<>();
        List<HostReport> hosts = new ArrayList<>();
        DataInputStream input = new DataInputStream(bytes);
        int number = 0;
        for (int next = input.read(); next >= 0; next = input.read()) {
            byte[] record = record(name, number, next, input);
            Decoded<ShardWindow> window = Codecs.SHARD_WINDOWS.decode(record);
            if (!isOfAnotherKind(window)) {
                windows.add(sound(name, number, window, Validation::of));
            } else if (!isOfAnotherKind(Codecs.HOST_REPORTS.decode(record))) {
                hosts.add(sound(name, number, Codecs.HOST_REPORTS.decode(record), Validation::of));
            } else if (isOfAnotherKind(Codecs.SHARD_IDENTITIES.decode(record))) {
                throw new UnusableInputException(
                        name, "record " + number + " is of no kind that this version knows");
            }
            number++;
        }
        return new Recorded(windows, hosts);
    }

    private static byte[] record(String name, int number, int first, DataInputStream input)
            throws IOException, UnusableInputException {
        try {
            int length = first << 24 | input.readUnsignedByte() << 16 | input.readUnsignedShort();
            if (length < 10 || length > LENGTH_MAX) {
                throw new UnusableInputException(
                        name, "record " + number + " claims " + length + " bytes");
            }
            byte[] record = new byte[length];
            input.readFully(record);
            return record;
        } catch (EOFException torn) {
            throw new UnusableInputException(
                    name, "record " + number + " is cut off: the file ends too early");
        }
    }

    private static boolean isOfAnotherKind(Decoded<?> decoded) {
        return decoded instanceof Decoded.Refused<?> refused
                && refused.refusal().reason() == RefusalReason.UNKNOWN_SCHEMA;
    }

    private static <T> T sound(
            String name, int number, Decoded<T> decoded, Function<T, Optional<Refusal>> check)
            throws UnusableInputException {
        Optional<Refusal> refusal =
                decoded instanceof Decoded.Refused<T> refused
                        ? Optional.of(refused.refusal())
                        : check.apply(decoded.orElseThrow());
        if (refusal.isPresent()) {
            throw new UnusableInputException(
                    name, "record " + number + " is refused: " + refusal.get().detail());
        }
        return decoded.orElseThrow();
    }
}
