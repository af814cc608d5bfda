package io.quotascope.wire;

import io.quotascope.domain.window.ServiceAccumulator;
import io.quotascope.domain.window.ShardWindow;
import io.quotascope.domain.window.Validation;
import io.quotascope.domain.window.WindowPart;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What one record costs the stream, by hand: run its main class with files of one framed shard
 * window each, of whatever version, and read nanoseconds a record for each step.
 */
final class DecodeAndMergeCost {
    private static final int RECORDS = 1_000_000;
    private static final int ROUNDS = 5;

    private DecodeAndMergeCost() {}

    public static void main(String[] arguments) throws IOException {
        for (int round = 0; round < ROUNDS; round++) {
            for (String file : arguments) {
                print(file, Files.readAllBytes(Path.of(file)));
            }
        }
    }

    private static void print(String file, byte[] framed) {
        ShardWindow window = Codecs.SHARD_WINDOWS.decode(framed).orElseThrow();
        long decodeNs = timed(() -> Codecs.SHARD_WINDOWS.decode(framed).orElseThrow());
        long validateNs = timed(() -> Validation.of(window));
        ServiceAccumulator accumulator =
                new ServiceAccumulator(window.key(), WindowPart.minuteOf(window.windowStartUs()));
        long addNs = timed(() -> accumulator.add(window));
        System.out.printf(
                "%s, %d bytes: decode %d ns, validate %d ns, merge %d ns%n",
                file, framed.length, decodeNs / RECORDS, validateNs / RECORDS, addNs / RECORDS);
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
