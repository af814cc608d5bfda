package io.quotascope.jobs;

import io.quotascope.domain.window.WindowPart;
import io.quotascope.jobs.fixture.LogSimulation;
import io.quotascope.jobs.io.log.LogRecord;
import io.quotascope.wire.avro.CpuUsageWindow;
import io.quotascope.wire.avro.HostWindow;
import io.quotascope.wire.avro.ServiceRecords;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.avro.io.BinaryDecoder;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.specific.SpecificDatumReader;
import org.apache.avro.specific.SpecificRecord;

/**
 * What the rows must be, written down from the definition: partition after partition, message after
 * message, no operators, no watermark, no domain code. A row is a line of text, so that a
 * difference can be read.
 */
final class TimePartReference {

    /** The sums of one row that the reference knows. */
    private static final class Row {
        final long[] slotRecords = new long[6];
        final long[] slotHosts = new long[6];
        final TreeMap<Integer, Long> histogram = new TreeMap<>();
        final TreeMap<String, Long> kernels = new TreeMap<>();
        long records;
        long expected;
        long samples;
        long usageUs;
        long periods;
        long throttledPeriods;
        long throttledUs;
        long threads;

        @Override
        public String toString() {
            return "records "
                    + records
                    + " of "
                    + expected
                    + " "
                    + Arrays.toString(slotRecords)
                    + " hosts "
                    + Arrays.toString(slotHosts)
                    + " "
                    + kernels
                    + " samples "
                    + samples
                    + " usage "
                    + usageUs
                    + " throttled "
                    + throttledPeriods
                    + "/"
                    + periods
                    + " "
                    + throttledUs
                    + " us threads "
                    + threads
                    + " histogram "
                    + histogram;
        }
    }

    private final TreeMap<String, Row> rows = new TreeMap<>();
    private final Map<String, Long> marks = new HashMap<>();

    static TreeMap<String, String> rows(List<List<LogRecord>> partitions) throws IOException {
        TimePartReference reference = new TimePartReference();
        for (List<LogRecord> partition : partitions) {
            for (LogRecord message : partition) {
                reference.read(message);
            }
        }
        TreeMap<String, String> lines = new TreeMap<>();
        reference.rows.forEach((key, row) -> lines.put(key, row.toString()));
        return lines;
    }

    private void read(LogRecord message) throws IOException {
        if (message.topic().equals(LogSimulation.CPU)) {
            CpuUsageWindow window = decode(message.value(), new CpuUsageWindow());
            if (window != null
                    && counts(
                            message,
                            window.getHostId(),
                            window.getAgentEpoch(),
                            window.getSeq(),
                            window.getWindowStartUs())) {
                add(message, window);
            }
        } else {
            HostWindow window = decode(message.value(), new HostWindow());
            if (window != null
                    && counts(
                            message,
                            window.getHostId(),
                            window.getAgentEpoch(),
                            window.getSeq(),
                            window.getWindowStartUs())) {
                add(message, window);
            }
        }
    }

    /** Every message of the simulation that has a sound frame is a sound record. */
    private static <A extends SpecificRecord> A decode(byte[] value, A empty) throws IOException {
        if (value.length < 10 || value[0] != (byte) 0xC3 || value[1] != 1) {
            return null;
        }
        BinaryDecoder decoder =
                DecoderFactory.get().binaryDecoder(value, 10, value.length - 10, null);
        return new SpecificDatumReader<A>(empty.getSchema()).read(empty, decoder);
    }

    private boolean counts(LogRecord message, String host, long epoch, long seq, long startUs) {
        long endMs = startUs / 1000 + 10_000;
        if (endMs > message.appendTimeMs() + 60_000
                || message.appendTimeMs() - endMs > 23_400_000) {
            return false;
        }
        String run = message.topic() + " " + host + " " + epoch;
        if (marks.getOrDefault(run, -1L) >= seq) {
            return false;
        }
        marks.put(run, seq);
        return true;
    }

    private Row row(LogRecord message, String service, long startUs) {
        long minuteMs = startUs / 60_000_000 * 60_000;
        long part =
                message.appendTimeMs() <= minuteMs + 90_000 ? 0 : message.appendTimeMs() / 900_000;
        return rows.computeIfAbsent(
                service + " minute " + minuteMs + " part " + part, key -> new Row());
    }

    private void add(LogRecord message, CpuUsageWindow window) {
        Row row = row(message, window.getService(), window.getWindowStartUs());
        row.slotRecords[(int) (window.getWindowStartUs() / 10_000_000 % 6)]++;
        row.records++;
        row.samples += window.getSamples();
        row.usageUs += window.getUsageUs();
        row.periods += window.getPeriods();
        row.throttledPeriods += window.getThrottledPeriods();
        row.throttledUs += window.getThrottledUs();
        row.threads += window.getThreads();
        row.histogram.merge(onlyBucket(window), (long) window.getSamples(), Long::sum);
    }

    /**
     * The simulation puts all samples of a record in one bucket, whose number is the first varint,
     * of one or two bytes.
     */
    private static int onlyBucket(CpuUsageWindow window) {
        byte first = window.getUsageHistogram().get(0);
        return first >= 0 ? first : first & 0x7F | window.getUsageHistogram().get(1) << 7;
    }

    private void add(LogRecord message, HostWindow window) {
        for (ServiceRecords stated : window.getServiceRecords()) {
            Row row = row(message, stated.getService(), window.getWindowStartUs());
            row.expected += stated.getShardRecords();
            row.slotHosts[(int) (window.getWindowStartUs() / 10_000_000 % 6)]++;
            row.kernels.merge(window.getKernelRelease(), 1L, Long::sum);
        }
    }

    /** Guards the reference against a change of the rule that it states in numbers. */
    static boolean statesTheRuleInForce() {
        return WindowPart.ON_TIME_MS == 30_000
                && WindowPart.LATE_PART_MS == 900_000
                && WindowPart.AGE_MS_MAX == 23_400_000
                && WindowPart.AHEAD_MS_MAX == 60_000;
    }
}
