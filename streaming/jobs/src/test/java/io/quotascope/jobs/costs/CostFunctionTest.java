package io.quotascope.jobs.costs;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotascope.domain.load.ConcurrencyCost;
import io.quotascope.domain.load.CostEvidence;
import io.quotascope.domain.window.Origin;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.api.operators.KeyedProcessOperator;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.util.KeyedOneInputStreamOperatorTestHarness;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class CostFunctionTest {
    private static final long START_US = 1_795_164_120_000_000L;
    private static final long MINUTE_US = 60_000_000L;

    private KeyedOneInputStreamOperatorTestHarness<String, CostReading, ConcurrencyCost> operator;

    @BeforeEach
    void open() throws Exception {
        operator = harness();
        operator.open();
    }

    private static KeyedOneInputStreamOperatorTestHarness<String, CostReading, ConcurrencyCost>
            harness() throws Exception {
        return new KeyedOneInputStreamOperatorTestHarness<>(
                new KeyedProcessOperator<>(new CostFunction()), CostTopology::keyOf, Types.STRING);
    }

    @AfterEach
    void close() throws Exception {
        operator.close();
    }

    private static CostReading work(long minute, long us) {
        long[] work = new long[13];
        Arrays.fill(work, us);
        return reading(minute, -1, work);
    }

    private static CostReading load(long minute, long requests) {
        return reading(minute, requests, new long[0]);
    }

    private static CostReading reading(long minute, long requests, long[] work) {
        return new CostReading(
                Origin.MEASURED, "c", "a/b", START_US + minute * MINUTE_US, requests, work);
    }

    private static long ms(long minute) {
        return START_US / 1_000 + minute * 60_000;
    }

    private void read(CostReading reading, long atMs) throws Exception {
        operator.processElement(reading, atMs);
    }

    private void clock(long ms) throws Exception {
        operator.processWatermark(new Watermark(ms));
    }

    private List<ConcurrencyCost> told() {
        return operator.extractOutputValues();
    }

    /** Someone counts, so that work is kept from the first minute on. */
    private void counted() throws Exception {
        read(load(-1, 0), ms(0));
    }

    @Test
    void minutesMeetWhicheverComesFirstAndClassesAreAdded() throws Exception {
        counted();
        for (int minute = 0; minute < 30; minute++) {
            if (minute % 2 == 0) {
                read(work(minute, 400_000), ms(minute + 2));
                read(load(minute, 1_000), ms(minute + 2));
            } else {
                read(load(minute, 1_000), ms(minute + 2));
                read(work(minute, 400_000), ms(minute + 2));
            }
            // The second quota class of the same minute.
            read(work(minute, 600_000), ms(minute + 2));
            clock(ms(minute + 2));
        }
        assertThat(told()).as("classes may still come").isEmpty();
        clock(ms(40));
        CostEvidence expected = CostEvidence.none();
        for (int minute = 0; minute < 30; minute++) {
            expected = expected.plus(work(0, 1_000_000).workUs(), 1_000);
        }
        assertThat(told())
                .containsExactly(
                        CostTopology.named(
                                "measured\nc\na/b", expected, START_US + 30 * MINUTE_US));
        assertThat(told().get(0).service()).isEqualTo("a/b");
        assertThat(told().get(0).minutes()).isEqualTo(30);
    }

    @Test
    void theOrderOfArrivalChangesNothing() throws Exception {
        List<ConcurrencyCost> first = null;
        for (int seed = 0; seed < 3; seed++) {
            close();
            open();
            List<CostReading> all = new ArrayList<>();
            for (int minute = 0; minute < 30; minute++) {
                all.add(work(minute, 400_000 + 1_000 * minute));
                all.add(load(minute, 1_000));
            }
            Collections.shuffle(all, new Random(seed));
            counted();
            for (CostReading reading : all) {
                read(reading, ms(31));
            }
            clock(ms(60));
            assertThat(told()).hasSize(1);
            first = first == null ? new ArrayList<>(told()) : first;
            assertThat(told()).isEqualTo(first);
        }
    }

    @Test
    void loadThatIsImportedHoursLaterStillMeets() throws Exception {
        counted();
        for (int minute = 0; minute < 30; minute++) {
            read(work(minute, 400_000), ms(minute + 2));
        }
        clock(ms(300));
        for (int minute = 0; minute < 30; minute++) {
            read(load(minute, 1_000), ms(300));
        }
        assertThat(told()).hasSize(1);
    }

    @Test
    void requestsWaitForARollupThatStoodForADayAndForAllClassesOfAMinute() throws Exception {
        counted();
        for (int minute = 0; minute < 30; minute++) {
            read(load(minute, 1_000), ms(minute + 2));
        }
        for (int hour = 1; hour <= 23; hour++) {
            clock(ms(60 * hour));
            read(load(60 * hour, 1_000), ms(60 * hour));
        }
        clock(ms(1_440));
        for (int minute = 0; minute < 30; minute++) {
            read(work(minute, 400_000), ms(1_440));
        }
        clock(ms(1_441));
        assertThat(told()).as("classes may still come").isEmpty();
        for (int minute = 0; minute < 30; minute++) {
            read(work(minute, 600_000), ms(1_441));
        }
        clock(ms(1_447));
        CostEvidence expected = CostEvidence.none();
        for (int minute = 0; minute < 30; minute++) {
            expected = expected.plus(work(0, 1_000_000).workUs(), 1_000);
        }
        assertThat(told())
                .containsExactly(
                        CostTopology.named(
                                "measured\nc\na/b", expected, START_US + 30 * MINUTE_US));
    }

    @Test
    void nothingIsKeptOfAServiceThatNobodyCountsNorAtTheEnd() throws Exception {
        for (int minute = 0; minute < 30; minute++) {
            read(work(minute, 400_000), ms(minute + 2));
        }
        assertThat(operator.numKeyedStateEntries()).isZero();
        assertThat(operator.numEventTimeTimers()).isZero();
        counted();
        for (int minute = 30; minute < 60; minute++) {
            read(work(minute, 400_000), ms(minute + 2));
            read(load(minute + 1_000, 500), ms(minute + 2));
        }
        assertThat(operator.numKeyedStateEntries()).isPositive();
        clock(ms(2 * 1_440 + 2_000));
        assertThat(operator.numKeyedStateEntries()).isZero();
        assertThat(operator.numEventTimeTimers()).isZero();
    }

    @Test
    void goesOnAfterARestore() throws Exception {
        counted();
        for (int minute = 0; minute < 20; minute++) {
            read(work(minute, 400_000), ms(minute + 2));
            read(load(minute, 1_000), ms(minute + 2));
        }
        clock(ms(15));
        OperatorSubtaskState state = operator.snapshot(1, 1);
        operator.close();
        operator = harness();
        operator.initializeState(state);
        operator.open();
        for (int minute = 20; minute < 30; minute++) {
            read(work(minute, 400_000), ms(minute + 2));
            read(load(minute, 1_000), ms(minute + 2));
        }
        clock(ms(60));
        assertThat(told()).singleElement().extracting(ConcurrencyCost::minutes).isEqualTo(30L);
    }
}
