package io.quotascope.jobs.hosts;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotascope.domain.hosts.HostCounter;
import io.quotascope.domain.hosts.HostHour;
import io.quotascope.domain.hosts.HostKey;
import io.quotascope.domain.hosts.HourOfKernel;
import io.quotascope.domain.kernel.KernelFinding.Verdict;
import io.quotascope.domain.kernel.KernelRule;
import io.quotascope.domain.window.HostReport;
import io.quotascope.domain.window.ShardWindow;
import io.quotascope.domain.window.WindowPart;
import io.quotascope.jobs.fixture.HostRecord;
import io.quotascope.jobs.fixture.ShardRecord;
import io.quotascope.jobs.io.log.Accepted;
import io.quotascope.jobs.io.state.ByteFormType;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import java.util.TreeMap;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.api.operators.co.KeyedCoProcessOperator;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.util.KeyedTwoInputStreamOperatorTestHarness;
import org.apache.flink.util.OutputTag;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class HostHoursFunctionTest {
    /** A whole hour. */
    private static final long START_MS = 1_767_225_600_000L;

    private static final OutputTag<HourOfKernel> FINDINGS =
            new OutputTag<>("findings", TypeInformation.of(HourOfKernel.class));

    private KeyedTwoInputStreamOperatorTestHarness<
                    String, Accepted<ShardWindow>, Accepted<HostReport>, HostHour>
            operator;

    private static KeyedTwoInputStreamOperatorTestHarness<
                    String, Accepted<ShardWindow>, Accepted<HostReport>, HostHour>
            harness() throws Exception {
        return new KeyedTwoInputStreamOperatorTestHarness<>(
                new KeyedCoProcessOperator<>(
                        new HostHoursFunction<>(
                                new ByteFormType<>(new HostSpanForm()),
                                hour -> hour,
                                finding -> finding,
                                FINDINGS,
                                0.9,
                                3)),
                each -> HostKey.of(each.record()).hostId(),
                each -> HostKey.of(each.record()).hostId(),
                Types.STRING);
    }

    @BeforeEach
    void open() throws Exception {
        operator = harness();
        operator.open();
    }

    @AfterEach
    void close() throws Exception {
        operator.close();
    }

    private void host(long windowMs, long appendMs, String kernel) throws Exception {
        HostRecord record = new HostRecord().sent("checkout", 1);
        record.windowStartUs = windowMs * 1000;
        record.kernel = kernel;
        operator.processElement2(
                new Accepted<>(
                        record.framed(),
                        record.build(),
                        appendMs,
                        WindowPart.of(record.windowStartUs, appendMs),
                        OptionalLong.of(1)),
                appendMs);
    }

    /** A host's windows on time from an instant on, none of which tells of a missing one. */
    private void hosts(long fromMs, long untilMs) throws Exception {
        for (long at = fromMs; at < untilMs; at += 10_000) {
            HostRecord record = new HostRecord().sent("checkout", 0);
            record.windowStartUs = at * 1000;
            operator.processElement2(
                    new Accepted<>(
                            record.framed(),
                            record.build(),
                            at + 20_000,
                            WindowPart.of(record.windowStartUs, at + 20_000),
                            OptionalLong.of(0)),
                    at + 20_000);
        }
    }

    private void shard(long windowMs, long appendMs) throws Exception {
        ShardRecord record = new ShardRecord();
        record.windowStartUs = windowMs * 1000;
        record.quotaUs = OptionalLong.of(100_000);
        record.throttledPeriods = 100;
        record.usageUs = 1_000_000;
        operator.processElement1(
                new Accepted<>(
                        record.framed(),
                        record.build(),
                        appendMs,
                        WindowPart.of(record.windowStartUs, appendMs),
                        OptionalLong.of(0)),
                appendMs);
    }

    private void clock(long ms) throws Exception {
        operator.processBothWatermarks(new Watermark(ms));
    }

    private List<HostHour> hours() {
        return operator.extractOutputValues();
    }

    private List<HourOfKernel> findings() {
        List<HourOfKernel> found = new ArrayList<>();
        if (operator.getSideOutput(FINDINGS) != null) {
            operator.getSideOutput(FINDINGS).forEach(each -> found.add(each.getValue()));
        }
        return found;
    }

    /** An hour of windows, 10 s after each end, in a shuffled order of arrival. */
    private void anHour(String kernel, Random order) throws Exception {
        List<Integer> windows = new ArrayList<>();
        for (int window = 0; window < 360; window++) {
            windows.add(window);
        }
        Collections.shuffle(windows, order);
        for (int window : windows) {
            long at = START_MS + window * 10_000L;
            host(at, at + 20_000, kernel);
            shard(at, at + 20_000);
        }
    }

    @Test
    void anHourIsToldWhileItPassesAndEachTimeHoldsWhatHadBeenAppended() throws Exception {
        anHour("4.18.0", new Random(1));
        clock(START_MS + 3_630_000);
        assertThat(hours())
                .extracting(hour -> hour.count(HostCounter.HOST_RECORDS))
                .containsExactly(62L, 122L, 182L, 242L, 302L, 360L);
        assertThat(hours()).extracting(HostHour::version).isSorted().doesNotHaveDuplicates();
        assertThat(hours()).extracting(hour -> hour.slice().part()).containsOnly(0L);
        assertThat(hours().get(5).completeness()).isEqualTo(1);
    }

    @Test
    void aFaultyKernelIsFoundByVersionAndBehaviour() throws Exception {
        anHour("4.18.0", new Random(2));
        clock(START_MS + 3_630_000);
        List<HourOfKernel> last = findings().subList(findings().size() - 5, findings().size());
        HourOfKernel expiry =
                last.stream()
                        .filter(each -> each.finding().rule().rule() == KernelRule.SLICE_EXPIRY)
                        .findFirst()
                        .orElseThrow();
        assertThat(expiry.finding().verdict()).isEqualTo(Verdict.CONFIRMED);
        assertThat(expiry.finding().signature()).hasValue(true);
        // one core of quota, a tenth of it used
        assertThat(expiry.seen().coresLow()).isBetween(0.88, 0.9);
        assertThat(expiry.seen().coresHigh()).isBetween(0.9, 1.0);
        assertThat(expiry.seen().worst()).containsExactly("checkout/0");
    }

    @Test
    void theSameBehaviourOnASoundKernelIsUnexplainedAndNotItsFault() throws Exception {
        anHour("6.1.0", new Random(3));
        clock(START_MS + 3_630_000);
        assertThat(findings())
                .extracting(each -> each.finding().verdict())
                .contains(Verdict.UNEXPLAINED)
                .doesNotContain(Verdict.CONFIRMED, Verdict.BEHAVES_AFFECTED);
    }

    @Test
    void whatComesHoursLateIsAddedInAPartOfItsOwn() throws Exception {
        host(START_MS, START_MS + 20_000, "6.1.0");
        clock(START_MS + 3_630_000);
        assertThat(hours()).hasSize(6);
        long late = START_MS + 6 * 3_600_000;
        host(START_MS + 10_000, late, "6.1.0");
        host(START_MS + 20_000, late + 1, "6.1.0");
        clock(late + 900_000);
        List<HostHour> added = hours().stream().filter(hour -> hour.slice().part() != 0).toList();
        assertThat(added).hasSize(1);
        assertThat(added.get(0).count(HostCounter.HOST_RECORDS)).isEqualTo(3);
        assertThat(added.get(0).slice().part()).isEqualTo(late / 900_000);
        assertThat(added.get(0).slice().hourStartUs()).isEqualTo(START_MS * 1000);
    }

    /** Completeness of the last row of each hour, by the hours since the start. */
    private TreeMap<Long, Double> completeness() {
        TreeMap<Long, Double> last = new TreeMap<>();
        hours().forEach(
                        hour ->
                                last.put(
                                        (hour.slice().hourStartUs() / 1000 - START_MS) / 3_600_000,
                                        hour.completeness()));
        return last;
    }

    @Test
    void aSilentHostLowersCompletenessUntilItCannotComeBack() throws Exception {
        for (int window = 0; window < 90; window++) {
            long at = START_MS + window * 10_000L;
            host(at, at + 20_000, "6.1.0");
            shard(at, at + 20_000);
        }
        clock(START_MS + 24 * 3_600_000);
        TreeMap<Long, Double> last = completeness();
        assertThat(last.remove(0L)).as("a quarter of the hour").isEqualTo(0.25);
        assertThat(last.keySet()).containsExactly(1L, 2L, 3L, 4L, 5L, 6L);
        assertThat(last.values()).containsOnly(0.0);
        assertThat(operator.numKeyedStateEntries()).isZero();
        assertThat(operator.numEventTimeTimers()).isZero();
    }

    @Test
    void aHostThatComesInTheMidstOfAnHourIsWholeAndInTheNextOneItIsKnown() throws Exception {
        long came = START_MS + 25 * 60_000;
        hosts(came, START_MS + 3_600_000);
        hosts(START_MS + 2 * 3_600_000 - 600_000, START_MS + 2 * 3_600_000);
        clock(START_MS + 2 * 3_600_000 + 30_000);
        List<HostHour> first = hours().subList(0, 4);
        assertThat(first).extracting(HostHour::completeness).containsOnly(1.0);
        // the two windows appended until 30 s after the mark are not expected of it
        assertThat(first)
                .extracting(HostHour::expectedHostRecords)
                .containsExactly(32L, 92L, 152L, 210L);
        assertThat(first)
                .extracting(hour -> hour.firstHeardUs().orElseThrow())
                .containsOnly(came * 1000);
        assertThat(first.get(0).heardUntilUs()).hasValue((START_MS + 1_820_000) * 1000);
        HostHour last = hours().get(hours().size() - 1);
        assertThat(last.completeness()).as("silent for fifty minutes").isEqualTo(60 / 360.0);
        assertThat(last.firstHeardUs()).isEmpty();
    }

    @Test
    void aHostIsNewAgainWhenNothingOfItCanBeLateAnyMore() throws Exception {
        long forgottenMs = START_MS + 630_000 + HostHour.REMEMBERED_MS;
        long hourMs = Math.floorDiv(forgottenMs, 3_600_000) * 3_600_000;
        hosts(START_MS, START_MS + 600_000);
        hosts(forgottenMs - 10_000, hourMs + 3_600_000);
        clock(hourMs + 3_630_000);
        List<HostHour> back =
                hours().stream()
                        .filter(hour -> hour.slice().hourStartUs() == hourMs * 1000)
                        .filter(hour -> hour.count(HostCounter.HOST_RECORDS) > 0)
                        .toList();
        assertThat(back).isNotEmpty();
        assertThat(back).extracting(hour -> hour.firstHeardUs().isPresent()).containsOnly(true);
        close();
        open();
        hosts(START_MS, START_MS + 600_000);
        hosts(START_MS + 3 * 3_600_000 + 600_000, START_MS + 4 * 3_600_000);
        clock(START_MS + 4 * 3_600_000 + 30_000);
        assertThat(completeness()).containsEntry(3L, 300 / 360.0);
    }

    @Test
    void rowsOfSilenceAreTheSameWhateverTheClockHadReached() throws Exception {
        long back = START_MS + 2 * 3_600_000 + 1_000;
        host(START_MS, START_MS + 20_000, "6.1.0");
        clock(back - 1);
        host(back - 20_000, back, "6.1.0");
        clock(START_MS + 4 * 3_600_000);
        List<HostHour> paced = hours();
        close();
        open();
        host(START_MS, START_MS + 20_000, "6.1.0");
        host(back - 20_000, back, "6.1.0");
        clock(START_MS + 4 * 3_600_000);
        assertThat(hours()).isEqualTo(paced);
        assertThat(paced)
                .filteredOn(hour -> hour.slice().hourStartUs() == START_MS * 1000 + 3_600_000_000L)
                .extracting(hour -> hour.count(HostCounter.HOST_RECORDS))
                .containsExactly(0L, 0L, 0L, 0L, 0L, 1L);
    }

    @Test
    void aSilentHostIsToldOfAfterARestore() throws Exception {
        host(START_MS, START_MS + 20_000, "6.1.0");
        clock(START_MS + 630_000);
        OperatorSubtaskState state = operator.snapshot(1, 1);
        operator.close();
        operator = harness();
        operator.initializeState(state);
        operator.open();
        clock(START_MS + 2 * 3_600_000 + 30_000);
        assertThat(completeness()).containsEntry(1L, 0.0);
    }

    @Test
    void recordsThatRunAheadOfTheClockAreInNoEarlierRow() throws Exception {
        host(START_MS, START_MS + 20_000, "6.1.0");
        host(START_MS + 700_000, START_MS + 720_000, "6.1.0");
        clock(START_MS + 630_000);
        assertThat(hours())
                .extracting(hour -> hour.count(HostCounter.HOST_RECORDS))
                .containsExactly(1L);
    }

    @Test
    void leavesNoState() throws Exception {
        host(START_MS, START_MS + 20_000, "6.1.0");
        shard(START_MS, START_MS + 20_000);
        long kept = 23_400_000 + 900_000 + 60_000;
        clock(START_MS + 630_000 + kept - 1);
        assertThat(operator.numKeyedStateEntries()).isPositive();
        clock(START_MS + 630_000 + kept);
        assertThat(operator.numKeyedStateEntries()).isZero();
        assertThat(operator.numEventTimeTimers()).isZero();
    }

    @Test
    void continuesFromASnapshotAsIfNothingHadHappened() throws Exception {
        host(START_MS, START_MS + 20_000, "4.18.0");
        shard(START_MS, START_MS + 20_000);
        OperatorSubtaskState snapshot = operator.snapshot(1, START_MS);
        operator.close();
        operator = harness();
        operator.setup();
        operator.initializeState(snapshot);
        operator.open();
        host(START_MS + 10_000, START_MS + 30_000, "4.18.0");
        clock(START_MS + 630_000);
        assertThat(hours()).hasSize(1);
        assertThat(hours().get(0).count(HostCounter.HOST_RECORDS)).isEqualTo(2);
        assertThat(hours().get(0).count(HostCounter.SHARD_RECORDS)).isEqualTo(1);
        assertThat(hours().get(0).tally().kernels()).containsValue("4.18.0");
    }
}
