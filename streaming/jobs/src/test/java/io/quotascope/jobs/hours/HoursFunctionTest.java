package io.quotascope.jobs.hours;

import static io.quotascope.jobs.fixture.ServiceRows.MINUTE_US;
import static io.quotascope.jobs.fixture.ServiceRows.revised;
import static io.quotascope.jobs.fixture.ServiceRows.row;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotascope.domain.fleet.CatalogView;
import io.quotascope.domain.fleet.ServiceCatalogEntry;
import io.quotascope.domain.hour.HourPart;
import io.quotascope.domain.hour.HourSummary;
import io.quotascope.domain.hour.HourSums;
import io.quotascope.domain.window.ServiceWindow;
import io.quotascope.domain.window.WindowPart;
import io.quotascope.jobs.io.state.KeyText;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.api.operators.co.CoBroadcastWithKeyedOperator;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.util.KeyedTwoInputStreamOperatorTestHarness;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class HoursFunctionTest {
    private static final long START_MS = MINUTE_US / 1000;
    private static final long HOUR_END_MS = START_MS + 3_600_000;
    private static final long CLOSED_MS = HOUR_END_MS + 30_000 + 60_000;

    /** The quarter of an hour that begins 30 min after the hour's end. */
    private static final long LATE = HOUR_END_MS / 900_000 + 2;

    private static final long LATE_CLOSED_MS = (LATE + 1) * 900_000 - 1 + 61_000;

    private KeyedTwoInputStreamOperatorTestHarness<
                    String, ServiceWindow, ServiceCatalogEntry, HourSummary>
            operator;

    private static KeyedTwoInputStreamOperatorTestHarness<
                    String, ServiceWindow, ServiceCatalogEntry, HourSummary>
            harness() throws Exception {
        HoursFunction<HourSummary> function =
                new HoursFunction<>(HoursTopology.STATE, hour -> hour, 1);
        return new KeyedTwoInputStreamOperatorTestHarness<>(
                new CoBroadcastWithKeyedOperator<>(
                        function, List.of(HoursTopology.STATE.catalog().descriptor())),
                each -> KeyText.of(each.sums().key()),
                null,
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

    /** The rollup hands a row on a second after it closed. */
    private void read(ServiceWindow row) throws Exception {
        WindowPart place = new WindowPart(row.sums().windowStartUs(), row.part());
        operator.processElement1(row, place.closesAtMs() + 1_000);
    }

    private List<HourSummary> clock(long ms) throws Exception {
        operator.processBothWatermarks(new Watermark(ms));
        List<HourSummary> hours = operator.extractOutputValues();
        operator.getOutput().clear();
        return hours;
    }

    private static List<ServiceWindow> anHour() {
        List<ServiceWindow> rows = new ArrayList<>();
        for (int minute = 0; minute < 60; minute++) {
            int busy = minute % 7;
            rows.add(
                    row(minute, 0, 6 + 6 * busy, record -> record.usageUs = 100_000L * (1 + busy)));
        }
        // Two late parts: one closed within the hour, one long after it.
        rows.add(row(3, START_MS / 900_000 + 1, 2, record -> {}));
        rows.add(row(50, LATE, 4, record -> {}));
        rows.add(row(51, LATE, 3, record -> {}));
        return rows;
    }

    private static HourSummary expected(List<ServiceWindow> rows, long part) {
        HourSums sums =
                rows.stream()
                        .map(row -> HourSums.of(row.sums(), row.part()))
                        .reduce(HourSums::plus)
                        .orElseThrow();
        return HourSummary.judge(sums, part, CatalogView.without(1));
    }

    @Test
    void anHourIsWrittenOnceWhenItHasClosed() throws Exception {
        for (ServiceWindow row : anHour().subList(0, 61)) {
            read(row);
        }
        assertThat(clock(CLOSED_MS - 1)).isEmpty();
        assertThat(clock(CLOSED_MS)).containsExactly(expected(anHour().subList(0, 61), 0));
        assertThat(clock(CLOSED_MS + 3_600_000)).isEmpty();
    }

    @Test
    void aLatePartIsWrittenWithAllPartsBeforeIt() throws Exception {
        for (ServiceWindow row : anHour()) {
            read(row);
        }
        assertThat(clock(CLOSED_MS)).hasSize(1);
        List<HourSummary> late = clock(LATE_CLOSED_MS);
        assertThat(late).containsExactly(expected(anHour(), LATE));
        assertThat(late.get(0).scope().part()).isEqualTo(LATE);
        assertThat(late.get(0).minuteRows()).isEqualTo(63);
        assertThat(late.get(0).minutes()).isEqualTo(60);
    }

    @Test
    void repetitionsAreNotCounted() throws Exception {
        for (ServiceWindow row : anHour()) {
            read(row);
            read(row);
        }
        assertThat(clock(CLOSED_MS)).containsExactly(expected(anHour().subList(0, 61), 0));
        for (ServiceWindow row : anHour()) {
            read(row);
        }
        assertThat(clock(LATE_CLOSED_MS)).containsExactly(expected(anHour(), LATE));
    }

    @Test
    void whatTheRollupHandsOnTooLateIsWrittenAgainWithAGreaterVersion() throws Exception {
        List<ServiceWindow> rows = anHour();
        for (ServiceWindow row : rows) {
            if (row.sums().windowStartUs() != MINUTE_US + 30 * 60_000_000L) {
                read(row);
            }
        }
        long before = clock(CLOSED_MS).get(0).scope().version();
        clock(LATE_CLOSED_MS);
        operator.processElement1(rows.get(30), LATE_CLOSED_MS + 10);
        List<HourSummary> again = clock(LATE_CLOSED_MS + 60_010);
        assertThat(again).containsExactly(expected(rows.subList(0, 61), 0), expected(rows, LATE));
        assertThat(again.get(0).scope().version()).isGreaterThan(before);
    }

    @Test
    void anyOrderAndAnyClockGiveTheSameTable() throws Exception {
        TreeMap<Long, HourSummary> inOrder = table(anHour(), new Random(0), false);
        for (int seed = 1; seed <= 20; seed++) {
            Random random = new Random(seed);
            List<ServiceWindow> rows = anHour();
            Collections.shuffle(rows, random);
            close();
            open();
            assertThat(table(rows, random, true)).as("seed %d", seed).isEqualTo(inOrder);
        }
    }

    /** What the table holds at the end: of each part the row with the greatest version. */
    private TreeMap<Long, HourSummary> table(
            List<ServiceWindow> rows, Random random, boolean clocked) throws Exception {
        List<HourSummary> written = new ArrayList<>();
        long nowMs = START_MS;
        for (ServiceWindow row : rows) {
            operator.processElement1(row, nowMs);
            if (clocked && random.nextInt(8) == 0) {
                nowMs += random.nextInt(600_000);
                written.addAll(clock(nowMs));
            }
        }
        written.addAll(clock(LATE_CLOSED_MS + 3_600_000));
        TreeMap<Long, HourSummary> table = new TreeMap<>();
        for (HourSummary hour : written) {
            table.merge(
                    hour.scope().part(),
                    hour,
                    (one, other) -> other.scope().version() >= one.scope().version() ? other : one);
        }
        assertThat(table.keySet()).containsExactly(0L, LATE);
        return table;
    }

    @Test
    void aGreaterRevisionBeginsAnew() throws Exception {
        read(row(0, 0, 6, record -> {}));
        read(revised(row(0, 0, 5, record -> {}), 2));
        read(row(1, 0, 6, record -> {}));
        List<HourSummary> hours = clock(CLOSED_MS);
        assertThat(hours).hasSize(1);
        assertThat(hours.get(0).merged().reporting().records()).isEqualTo(5);
        assertThat(hours.get(0).scope().version()).isEqualTo((2L << 32) + 1);
    }

    @Test
    void nothingIsLeftWhenNoRowCanFollow() throws Exception {
        for (ServiceWindow row : anHour()) {
            read(row);
        }
        clock(LATE_CLOSED_MS);
        long keptMs = 23_400_000 + 900_000 + 300_000 + 2 * 86_400_000L;
        clock(LATE_CLOSED_MS - 60_000 + keptMs - 1);
        assertThat(operator.numKeyedStateEntries()).isPositive();
        // Looks at what waits are taken together to the hour.
        clock(LATE_CLOSED_MS - 60_000 + keptMs + 3_600_000);
        assertThat(operator.numKeyedStateEntries()).isZero();
        assertThat(operator.numEventTimeTimers()).isZero();
    }

    @Test
    void anHourInWhichTheRollupStoodForADayHasAllItsMinutes() throws Exception {
        List<ServiceWindow> rows = anHour().subList(0, 60);
        for (ServiceWindow row : rows.subList(0, 30)) {
            read(row);
        }
        long dayLaterMs = HOUR_END_MS + 86_400_000;
        List<HourSummary> thin = clock(dayLaterMs);
        assertThat(thin).containsExactly(expected(rows.subList(0, 30), 0));
        for (ServiceWindow row : rows.subList(30, 60)) {
            operator.processElement1(row, dayLaterMs + 1);
        }
        assertThat(clock(dayLaterMs + 60_001)).containsExactly(expected(rows, 0));
    }

    @Test
    void theHoursOfAServiceThatGoesOnEndInTheirTime() throws Exception {
        for (int hour = 0; hour < 12; hour++) {
            for (int minute = 0; minute < 60; minute += 2) {
                ServiceWindow row = row(60 * hour + minute, 0, 1, record -> {});
                clock(new WindowPart(row.sums().windowStartUs(), 0).closesAtMs());
                read(row);
            }
        }
        // The running hour and six that late parts may still come for.
        assertThat(operator.numEventTimeTimers()).isEqualTo(7);
    }

    @Test
    void goesOnAfterARestore() throws Exception {
        List<ServiceWindow> rows = anHour();
        for (ServiceWindow row : rows.subList(0, 40)) {
            read(row);
        }
        OperatorSubtaskState state = operator.snapshot(1, 1);
        operator.close();
        operator = harness();
        operator.initializeState(state);
        operator.open();
        for (ServiceWindow row : rows.subList(30, rows.size())) {
            read(row);
        }
        assertThat(clock(LATE_CLOSED_MS))
                .containsExactly(expected(rows.subList(0, 61), 0), expected(rows, LATE));
    }

    @Test
    void aTallyIsAsSmallAsItsClassSays() throws Exception {
        HourTally tally = null;
        for (ServiceWindow row : anHour().subList(0, 60)) {
            tally = tally == null ? HourTally.of(row, 0, 0) : tally.plus(row, 0, 0).orElseThrow();
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        new HourTallyForm().write(tally, new DataOutputStream(bytes));
        assertThat(bytes.size()).isLessThan(8 * 1024);
        assertThat(HourPart.of(new WindowPart(MINUTE_US, LATE)).part()).isEqualTo(LATE);
    }
}
