package io.quotascope.wire;

import io.quotascope.domain.window.ServiceAccumulator;
import io.quotascope.domain.window.ShardWindow;
import io.quotascope.domain.window.Validation;
import io.quotascope.domain.window.WindowPart;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Path;

/**
 * What one record costs the stream, by hand: run its main class and read nanoseconds a record for
 * each step.
 */
final class DecodeAndMergeCost {
    private static final int RECORDS = 1_000_000;
    private static final int ROUNDS = 5;

    private DecodeAndMergeCost() {}

    public static void main(String[] arguments) throws IOException {
        byte[] framed =
                Codecs.SHARD_WINDOWS.encode(
                        ShardWindows.toDomain(
                                JsonTwin.read(
                                        Path.of(arguments[0]),
                                        io.quotascope.wire.avro.CpuUsageWindow.class)));
        ShardWindow window = Codecs.SHARD_WINDOWS.decode(framed).orElseThrow();
        for (int round = 0; round < ROUNDS; round++) {
            long decodeNs = timed(() -> Codecs.SHARD_WINDOWS.decode(framed).orElseThrow());
            long validateNs = timed(() -> Validation.of(window));
            ServiceAccumulator accumulator =
                    new ServiceAccumulator(
                            window.key(), WindowPart.minuteOf(window.windowStartUs()));
            long addNs = timed(() -> accumulator.add(window));
            System.out.printf(
                    "%d bytes: decode %d ns, validate %d ns, merge %d ns%n",
                    framed.length, decodeNs / RECORDS, validateNs / RECORDS, addNs / RECORDS);
        }
    }

    private static long timed(Runnable step) {
        ThreadMXBean thread =
                ManagementFactory
                        .getThreadMXBean(); // CPU time: neighbours on the machine do not count
        long start = thread.getCurrentThreadCpuTime();
        for (int record = 0; record < RECORDS; record++) {
            step.run();
        }
        return thread.getCurrentThreadCpuTime() - start;
    }
}
