package io.quotascope.jobs.verification;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotascope.domain.load.HourLoad;
import io.quotascope.domain.load.LatencyCounts;
import io.quotascope.domain.load.ServiceLoad;
import io.quotascope.domain.verification.Effect;
import io.quotascope.domain.verification.HourReading;
import io.quotascope.domain.verification.Quantity;
import io.quotascope.domain.verification.VerifiedChange;
import io.quotascope.domain.window.Origin;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.util.KeyedOneInputStreamOperatorTestHarness;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Requests beside the hours that changes are judged by: optional, whole hours only, in any order.
 */
class RequestsTest {
    private static final long START = VerificationFunctionTest.START;
    private static final long HOUR = VerificationFunctionTest.HOUR;
    private static final long BEFORE = VerificationFunctionTest.BEFORE;
    private static final long END_MS =
            VerificationFunctionTest.closedMs(START + (BEFORE + 90) * HOUR);

    private KeyedOneInputStreamOperatorTestHarness<String, ClusterEvidence, VerifiedChange>
            operator;

    @BeforeEach
    void open() throws Exception {
        operator = VerificationFunctionTest.harness();
        operator.open();
    }

    @AfterEach
    void close() throws Exception {
        operator.close();
    }

    /** Minutes of the changed service: after the change the same work serves twice the requests. */
    private static List<ServiceLoad> minutes() {
        List<ServiceLoad> minutes = new ArrayList<>();
        for (long minute = 0; minute < (BEFORE + 90) * 60; minute++) {
            boolean after = minute / 60 > BEFORE;
            long requests = 1_000 + minute % 7;
            minutes.add(
                    new ServiceLoad(
                            Origin.MEASURED,
                            "lab",
                            "checkout",
                            START + minute * ServiceLoad.WINDOW_US,
                            "csv",
                            after ? 2 * requests : requests,
                            ServiceLoad.Failures.NOT_COUNTED,
                            new LatencyCounts(
                                    List.of(10_000L, 20_000L),
                                    after
                                            ? List.of(2 * requests, 0L, 0L)
                                            : List.of(0L, requests, 0L)),
                            1));
        }
        return minutes;
    }

    private List<ClusterEvidence> evidence() {
        List<ClusterEvidence> all = new ArrayList<>();
        all.add(new ClusterEvidence.Change(VerificationFunctionTest.event(Optional.empty())));
        for (HourReading reading : VerificationFunctionTest.cluster(0.2, 10)) {
            all.add(new ClusterEvidence.Hour(reading));
        }
        minutes().forEach(minute -> all.add(new ClusterEvidence.Load(minute)));
        return all;
    }

    private VerifiedChange last(List<ClusterEvidence> all) throws Exception {
        for (ClusterEvidence each : all) {
            operator.processElement(each, END_MS);
        }
        return last();
    }

    private VerifiedChange last() throws Exception {
        operator.processWatermark(new Watermark(END_MS + 8 * 3_600_000));
        List<VerifiedChange> judged = operator.extractOutputValues();
        return judged.get(judged.size() - 1);
    }

    private static Effect effect(VerifiedChange judged, Quantity quantity) {
        return judged.effects().get(quantity.ordinal());
    }

    private static void assertHalved(VerifiedChange judged) {
        Effect work = effect(judged, Quantity.CPU_PER_REQUEST);
        assertThat(work.verdict()).isEqualTo(Effect.Verdict.FALLEN);
        assertThat(work.effect()).isBetween(-0.52, -0.48);
        Effect latency = effect(judged, Quantity.LATENCY_P99);
        assertThat(latency.verdict()).isEqualTo(Effect.Verdict.FALLEN);
        // 9.9 ms of a bucket up to 10 ms, and 19.9 ms of one from 10 to 20 ms.
        assertThat(latency.effect()).isBetween(9.9 / 19.9 - 1.01, 9.9 / 19.9 - 0.99);
    }

    @Test
    void workAndLatencyOfRequestsAreCompared() throws Exception {
        assertHalved(last(evidence()));
    }

    @Test
    void withoutRequestsNothingIsSaidOfThem() throws Exception {
        List<ClusterEvidence> all = evidence();
        all.removeIf(each -> each instanceof ClusterEvidence.Load);
        VerifiedChange judged = last(all);
        assertThat(effect(judged, Quantity.CPU_PER_REQUEST).verdict())
                .isEqualTo(Effect.Verdict.TOO_LITTLE_EVIDENCE);
        assertThat(effect(judged, Quantity.LATENCY_P99).verdict())
                .isEqualTo(Effect.Verdict.TOO_LITTLE_EVIDENCE);
    }

    /** They are imported once a day, or read by a new job after the hours. */
    @Test
    void requestsThatAreToldAfterTheJudgementHaveItMadeAgainOnce() throws Exception {
        List<ClusterEvidence> hours = evidence();
        // One full day after the change: what has settled stays as it is.
        long dayLaterUs = START + (BEFORE + 30) * HOUR;
        hours.removeIf(
                each ->
                        each instanceof ClusterEvidence.Load
                                || each instanceof ClusterEvidence.Hour hour
                                        && hour.reading().hourStartUs() >= dayLaterUs);
        VerifiedChange judged = last(hours);
        assertThat(judged.settled()).isFalse();
        assertThat(effect(judged, Quantity.CPU_PER_REQUEST).verdict())
                .isEqualTo(Effect.Verdict.TOO_LITTLE_EVIDENCE);
        operator.getOutput().clear();
        long laterMs = END_MS + 8 * 3_600_000;
        for (ServiceLoad minute : minutes()) {
            operator.processElement(new ClusterEvidence.Load(minute), 0);
        }
        operator.processWatermark(new Watermark(laterMs + VerificationFunction.OTHERS_MS - 1));
        assertThat(operator.extractOutputValues()).as("others are awaited").isEmpty();
        operator.processWatermark(new Watermark(laterMs + VerificationFunction.OTHERS_MS));
        assertThat(operator.extractOutputValues()).hasSize(1);
        assertHalved(operator.extractOutputValues().get(0));
    }

    @Test
    void orderAndRepetitionsChangeNothing() throws Exception {
        VerifiedChange expected = last(evidence());
        List<ClusterEvidence> all = evidence();
        all.addAll(all.subList(all.size() - 500, all.size()));
        Collections.shuffle(all, new Random(3));
        close();
        open();
        assertThat(last(all)).isEqualTo(expected);
    }

    @Test
    void goesOnAfterARestoreAndLeavesNothingBehind() throws Exception {
        List<ClusterEvidence> all = evidence();
        Collections.shuffle(all, new Random(4));
        for (ClusterEvidence each : all.subList(0, all.size() / 2)) {
            operator.processElement(each, END_MS);
        }
        OperatorSubtaskState state = operator.snapshot(1, 1);
        operator.close();
        operator = VerificationFunctionTest.harness();
        operator.initializeState(state);
        operator.open();
        assertHalved(last(all.subList(all.size() / 2, all.size())));
        operator.processWatermark(new Watermark(END_MS + 9 * 86_400_000L));
        assertThat(operator.numKeyedStateEntries()).isZero();
        assertThat(operator.numEventTimeTimers()).isZero();
        operator.processElement(new ClusterEvidence.Load(minutes().get(0)), END_MS);
        assertThat(operator.numKeyedStateEntries()).as("a day that is over").isZero();
    }

    @Test
    void aDayBecomesBytesAndBack() throws Exception {
        TreeMap<Long, HourLoad> hours = new TreeMap<>();
        ServiceLoad minute = minutes().get(0);
        hours.put(START, HourLoad.of(minute));
        hours.put(START + HOUR, new HourLoad(2, 3, 4, Optional.empty()));
        hours.put(START + 2 * HOUR, new HourLoad(1, 1, 1, Optional.of(LatencyCounts.NONE)));
        RequestDay day = new RequestDay(START, hours);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        new RequestDayForm().write(day, new DataOutputStream(bytes));
        RequestDay read =
                new RequestDayForm()
                        .read(
                                new DataInputStream(new ByteArrayInputStream(bytes.toByteArray())),
                                1);
        assertThat(read).isEqualTo(day);
    }
}
