package io.quotascope.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotascope.domain.histogram.BucketCounts;
import io.quotascope.domain.window.ServiceSums;
import io.quotascope.domain.window.ServiceWindow;
import io.quotascope.jobs.fixture.LogSimulation;
import io.quotascope.jobs.io.log.LogRecord;
import io.quotascope.wire.Codecs;
import io.quotascope.wire.ServiceWindows;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Rows are a pure function of the log: whatever the order in which partitions are read, however
 * late, doubled, poisoned or misdated the messages are, the rows are those that the definition
 * gives, bit for bit the same in every order, and nothing is left in state.
 */
class TimePartRuleTest {
    private static final long DAY_MS = 86_400_000;

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
    void rowsAreWhatTheDefinitionSaysInAnyOrderOfReading(long seed) throws Exception {
        List<List<LogRecord>> partitions = new LogSimulation(seed).partitions();
        TreeMap<String, String> reference = TimePartReference.rows(partitions);
        assertThat(reference.keySet())
                .as("a simulation with late parts")
                .anyMatch(key -> !key.endsWith("part 0"));
        List<String> bits = null;
        for (int reading = 0; reading < 3; reading++) {
            try (IngestHarness ingest = new IngestHarness(LogSimulation.HOST, partitions.size())) {
                readShuffled(ingest, partitions, new Random(seed * 31 + reading));
                assertThat(lines(ingest.rows()))
                        .as("seed %d reading %d", seed, reading)
                        .isEqualTo(reference);
                assertThat(ingest.held()).as("state after everything has closed").isZero();
                List<String> these = bits(ingest.rows());
                bits = bits == null ? these : bits;
                assertThat(these).as("seed %d: bits of reading %d", seed, reading).isEqualTo(bits);
            }
        }
    }

    @Test
    void theReferenceStatesTheRuleInForce() {
        assertThat(TimePartReference.statesTheRuleInForce()).isTrue();
    }

    /**
     * Partitions race each other, each in its own order; in the end a tick a day later comes on all
     * of them.
     */
    private static void readShuffled(
            IngestHarness ingest, List<List<LogRecord>> partitions, Random random)
            throws Exception {
        int[] next = new int[partitions.size()];
        List<Integer> open = new ArrayList<>();
        for (int i = 0; i < partitions.size(); i++) {
            open.add(i);
        }
        while (!open.isEmpty()) {
            int partition = open.get(random.nextInt(open.size()));
            int burst = 1 + random.nextInt(20);
            while (burst-- > 0 && next[partition] < partitions.get(partition).size()) {
                ingest.read(partition, partitions.get(partition).get(next[partition]++));
            }
            if (next[partition] == partitions.get(partition).size()) {
                open.remove(Integer.valueOf(partition));
            }
        }
        for (int i = 0; i < partitions.size(); i++) {
            ingest.read(i, new LogRecord("tick", i, 0, LogSimulation.START_MS + 2 * DAY_MS, null));
        }
    }

    private static List<String> bits(List<ServiceWindow> rows) {
        return rows.stream()
                .map(row -> HexFormat.of().formatHex(Codecs.SERVICE_WINDOWS.encode(row)))
                .sorted()
                .toList();
    }

    private static TreeMap<String, String> lines(List<ServiceWindow> rows) {
        TreeMap<String, String> lines = new TreeMap<>();
        for (ServiceWindow row : rows) {
            ServiceSums sums = row.sums();
            String key =
                    sums.key().service()
                            + " minute "
                            + sums.windowStartUs() / 1000
                            + " part "
                            + row.part();
            assertThat(lines.put(key, line(row))).as("a second row of " + key).isNull();
        }
        return lines;
    }

    private static String line(ServiceWindow row) {
        io.quotascope.wire.avro.ServiceWindow avro = ServiceWindows.toAvro(row);
        return "records "
                + avro.getRecords()
                + " of "
                + avro.getExpectedRecords()
                + " "
                + avro.getSlotRecords()
                + " hosts "
                + avro.getSlotHosts()
                + " "
                + new TreeMap<>(avro.getKernelHostWindows())
                + " samples "
                + avro.getSamples()
                + " usage "
                + avro.getUsageUs()
                + " throttled "
                + avro.getThrottledPeriods()
                + "/"
                + avro.getPeriods()
                + " "
                + avro.getThrottledUs()
                + " us threads "
                + avro.getThreadsSum()
                + " histogram "
                + histogram(row.sums().distributions().usage());
    }

    private static TreeMap<Integer, Long> histogram(BucketCounts counts) {
        TreeMap<Integer, Long> buckets = new TreeMap<>();
        for (int bucket = 0; bucket < counts.end(); bucket++) {
            if (counts.count(bucket) > 0) {
                buckets.put(bucket, counts.count(bucket));
            }
        }
        return buckets;
    }
}
