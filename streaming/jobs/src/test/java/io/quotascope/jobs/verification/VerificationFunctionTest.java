package io.quotascope.jobs.verification;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotascope.domain.alert.AlertRules;
import io.quotascope.domain.ledger.Advice;
import io.quotascope.domain.ledger.Forecast;
import io.quotascope.domain.ledger.Forecast.Predicted;
import io.quotascope.domain.ledger.Recommendation;
import io.quotascope.domain.ledger.RecommendationState;
import io.quotascope.domain.verification.ChangeEvent;
import io.quotascope.domain.verification.HourHistory;
import io.quotascope.domain.verification.HourReading;
import io.quotascope.domain.verification.PredictionScore;
import io.quotascope.domain.verification.ServiceHour;
import io.quotascope.domain.verification.VerificationPolicy;
import io.quotascope.domain.verification.VerifiedChange;
import io.quotascope.domain.verification.VerifiedChange.Outcome;
import io.quotascope.domain.window.Origin;
import io.quotascope.domain.window.ServiceKey;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.api.operators.KeyedProcessOperator;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.KeyedOneInputStreamOperatorTestHarness;
import org.apache.flink.util.OutputTag;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class VerificationFunctionTest {
    static final long HOUR = ServiceHour.HOUR_US;
    static final long START = 1_767_225_600_000_000L;
    static final long BEFORE = 72;
    private static final long CHANGE = START + BEFORE * HOUR + HOUR / 2;
    private static final VerificationPolicy POLICY =
            new VerificationPolicy(1, 72, 72, 24, 199, 0.005, 0.02);
    private static final OutputTag<PredictionScore> SCORES =
            new OutputTag<>("scores", Types.GENERIC(PredictionScore.class));

    private KeyedOneInputStreamOperatorTestHarness<String, ClusterEvidence, VerifiedChange>
            operator;

    static KeyedOneInputStreamOperatorTestHarness<String, ClusterEvidence, VerifiedChange> harness()
            throws Exception {
        return new KeyedOneInputStreamOperatorTestHarness<>(
                new KeyedProcessOperator<>(
                        new VerificationFunction<>(
                                (judged, newest, completeness, entry) -> judged,
                                Scores.to(SCORES, (score, quantity, last, window) -> score),
                                new Regressions(() -> AlertRules.DEFAULT, 1),
                                () -> POLICY,
                                8)),
                VerificationTopology::keyOf,
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

    /** Hours of a service with a daily swing and noise; what changes, changes at the event. */
    private static List<HourReading> hours(String service, double throttledAfter, double reserved) {
        SplittableRandom random = new SplittableRandom(service.hashCode());
        List<HourReading> hours = new ArrayList<>();
        for (int hour = 0; hour < BEFORE + 90; hour++) {
            boolean after = hour > BEFORE;
            double cores =
                    4 + StrictMath.sin(hour / 24.0 * 2 * StrictMath.PI) + 0.1 * random.nextDouble();
            double ratio = (after ? throttledAfter : 0.2) + 0.01 * random.nextDouble();
            hours.add(
                    new HourReading(
                            new ServiceKey(Origin.MEASURED, "lab", service, "2000m/100ms"),
                            START + hour * HOUR,
                            0,
                            1,
                            36_000,
                            Math.round(36_000 * ratio),
                            cores,
                            OptionalDouble.of(after ? reserved : 10),
                            3_600,
                            4_000,
                            "payments",
                            3));
        }
        return hours;
    }

    static List<HourReading> cluster(double throttledAfter, double reserved) {
        List<HourReading> all = new ArrayList<>(hours("checkout", throttledAfter, reserved));
        for (int other = 0; other < 6; other++) {
            all.addAll(hours("other-" + other, 0.2, 10));
        }
        all.sort(java.util.Comparator.comparingLong(HourReading::hourStartUs));
        return all;
    }

    static ChangeEvent event(Optional<String> recommendation) {
        return ChangeEvent.declared(
                Origin.MEASURED,
                "lab",
                "checkout",
                CHANGE,
                ChangeEvent.Kind.POOLS,
                recommendation,
                ChangeEvent.Wording.NONE);
    }

    static Recommendation applied(double predictedCores) throws Exception {
        Forecast forecast =
                new Forecast(
                        OptionalDouble.of(10),
                        Optional.of(
                                new Predicted(
                                        predictedCores, predictedCores - 1, predictedCores + 1)),
                        Optional.empty(),
                        List.of(
                                new Forecast.PredictedEffect(
                                        "throttled_period_ratio",
                                        new Predicted(-0.15, -0.25, -0.1))));
        Advice advice =
                new Advice(
                        Origin.MEASURED,
                        "lab",
                        "checkout",
                        Optional.empty(),
                        "r-1",
                        List.of("pools"),
                        "pool.size = 2");
        return Recommendation.propose(advice, forecast, START, Optional.of("ann"))
                .accept(
                        List.of(),
                        "ann",
                        new Recommendation.Step(START + 1, Optional.of("ann"), Optional.empty()))
                .apply(new Recommendation.Step(CHANGE, Optional.of("ann"), Optional.empty()));
    }

    static long closedMs(long hourStartUs) {
        return (hourStartUs + HOUR) / 1000 + 91_000;
    }

    private void read(HourReading reading) throws Exception {
        operator.processElement(new ClusterEvidence.Hour(reading), closedMs(reading.hourStartUs()));
    }

    private void clock(long ms) throws Exception {
        operator.processWatermark(new Watermark(ms));
    }

    private void readAll(List<HourReading> readings) throws Exception {
        for (HourReading reading : readings) {
            read(reading);
            clock(closedMs(reading.hourStartUs()) - 1);
        }
        clock(closedMs(START + (BEFORE + 90) * HOUR) + 8 * 3_600_000);
    }

    private List<VerifiedChange> judged() {
        return operator.extractOutputValues();
    }

    /** The oracle: the same hours without Flink. */
    private static VerifiedChange expected(
            List<HourReading> readings, ChangeEvent event, long hoursAfter) {
        TreeMap<String, HourHistory> services = new TreeMap<>();
        for (HourReading reading : readings) {
            services.computeIfAbsent(reading.key().service(), name -> new HourHistory())
                    .add(reading, 168);
        }
        long endUs = VerifiedChange.firstHourUs(event.atUs(), POLICY) + hoursAfter * HOUR;
        TreeMap<String, HourHistory> others = new TreeMap<>();
        services.forEach(
                (name, history) -> {
                    if (!name.equals(event.service())) {
                        int hash = (event.eventId() + '/' + name).hashCode();
                        others.put(String.format("%08x", hash) + name, history);
                    }
                });
        return VerifiedChange.judge(
                event,
                hoursAfter,
                services.get(event.service()).until(endUs),
                others.values().stream().map(history -> history.until(endUs)).toList(),
                POLICY);
    }

    @Test
    void aChangeIsJudgedAfterEveryFullDayOfItsHours() throws Exception {
        ChangeEvent event = event(Optional.empty());
        operator.processElement(new ClusterEvidence.Change(event), 0);
        List<HourReading> readings = cluster(0.05, 8);
        readAll(readings);
        assertThat(judged())
                .containsExactly(
                        expected(readings, event, 24),
                        expected(readings, event, 48),
                        expected(readings, event, 72));
        VerifiedChange last = judged().get(2);
        assertThat(last.outcome()).isEqualTo(Outcome.VERIFIED);
        assertThat(last.settled()).isTrue();
        assertThat(last.effects().get(0).effect()).isBetween(-0.16, -0.14);
        assertThat(last.realised().orElseThrow().cores()).isBetween(1.9, 2.1);
        assertThat(last.effects().get(0).controls()).isEqualTo(6);
    }

    @Test
    void nothingHappenedIsAnAnswer() throws Exception {
        operator.processElement(new ClusterEvidence.Change(event(Optional.empty())), 0);
        readAll(cluster(0.2, 10));
        assertThat(judged()).hasSize(3);
        assertThat(judged().get(2).outcome()).isEqualTo(Outcome.NO_DETECTABLE_CHANGE);
        assertThat(judged().get(2).reasons().get(0)).startsWith("no detectable change");
    }

    @Test
    void theLastRowIsTheSameInAnyOrder() throws Exception {
        List<HourReading> readings = cluster(0.05, 8);
        ChangeEvent event = event(Optional.empty());
        for (int seed = 0; seed < 3; seed++) {
            close();
            open();
            List<ClusterEvidence> shuffled = new ArrayList<>();
            readings.forEach(reading -> shuffled.add(new ClusterEvidence.Hour(reading)));
            shuffled.add(new ClusterEvidence.Change(event));
            Collections.shuffle(shuffled, new Random(seed));
            long endMs = closedMs(START + (BEFORE + 90) * HOUR);
            for (ClusterEvidence evidence : shuffled) {
                operator.processElement(evidence, endMs);
            }
            clock(endMs + 8 * 3_600_000);
            VerifiedChange last = judged().get(judged().size() - 1);
            assertThat(last).as("seed %d", seed).isEqualTo(expected(readings, event, 72));
        }
    }

    @Test
    void theLedgerLearnsWhatWasMeasuredAndThePredictionIsScored() throws Exception {
        operator.processElement(new ClusterEvidence.Change(event(Optional.of("r-1"))), 0);
        operator.processElement(new ClusterEvidence.Entry(applied(2)), 0);
        readAll(cluster(0.05, 8));
        List<Recommendation> steps = side(VerificationFunction.STEPS);
        assertThat(steps).hasSize(1);
        assertThat(steps.get(0).state()).isEqualTo(RecommendationState.VERIFIED);
        assertThat(steps.get(0).version()).isEqualTo(4);
        List<PredictionScore> scores = side(SCORES);
        assertThat(scores).hasSize(2).allMatch(score -> score.predictions() == 1);
        assertThat(scores.get(0).coverage()).as("2 cores of 1 to 3").isEqualTo(1);
        assertThat(scores.get(1).coverage()).as("-0.15 of -0.25 to -0.1").isEqualTo(1);
    }

    @Test
    void whatRegressesIsTakenBack() throws Exception {
        operator.processElement(new ClusterEvidence.Change(event(Optional.of("r-1"))), 0);
        operator.processElement(new ClusterEvidence.Entry(applied(2)), 0);
        readAll(cluster(0.4, 10));
        List<Recommendation> steps = side(VerificationFunction.STEPS);
        assertThat(steps).hasSize(1);
        assertThat(steps.get(0).state()).isEqualTo(RecommendationState.REGRESSED);
        assertThat(steps.get(0).step().reason().orElseThrow())
                .contains("throttled_period_ratio risen");
        assertThat(side(SCORES)).as("a promise that was not kept counts as much").hasSize(2);
        assertThat(side(SCORES).get(1).coverage()).as("0.2 more of 0.15 less").isZero();
    }

    @Test
    void aPromiseThatWasNotKeptEndsWithItsChange() throws Exception {
        operator.processElement(new ClusterEvidence.Change(event(Optional.of("r-1"))), 0);
        operator.processElement(new ClusterEvidence.Entry(applied(2)), 0);
        readAll(cluster(0.4, 10));
        clock(closedMs(START + (BEFORE + 90) * HOUR) + 9 * 86_400_000L);
        assertThat(operator.numKeyedStateEntries()).as("the scores").isEqualTo(1);
    }

    private <T> List<T> side(OutputTag<T> tag) {
        var output = operator.getSideOutput(tag);
        return output == null ? List.of() : output.stream().map(StreamRecord::getValue).toList();
    }

    @Test
    void aServiceWithAChangeOfItsOwnIsNoComparison() throws Exception {
        operator.processElement(new ClusterEvidence.Change(event(Optional.empty())), 0);
        ChangeEvent other =
                ChangeEvent.declared(
                        Origin.MEASURED,
                        "lab",
                        "other-3",
                        CHANGE - 5 * HOUR,
                        ChangeEvent.Kind.DEPLOY,
                        Optional.empty(),
                        ChangeEvent.Wording.NONE);
        operator.processElement(new ClusterEvidence.Change(other), 0);
        readAll(cluster(0.05, 8));
        assertThat(judged())
                .filteredOn(each -> each.change().service().equals("checkout"))
                .allMatch(each -> each.effects().get(0).controls() == 5);
    }

    @Test
    void nothingIsLeftWhenAllIsOver() throws Exception {
        operator.processElement(new ClusterEvidence.Change(event(Optional.empty())), 0);
        readAll(cluster(0.05, 8));
        assertThat(operator.numKeyedStateEntries()).isPositive();
        clock(closedMs(START + (BEFORE + 90) * HOUR) + 9 * 86_400_000L);
        assertThat(operator.numKeyedStateEntries()).isZero();
        assertThat(operator.numEventTimeTimers()).isZero();
    }

    @Test
    void goesOnAfterARestore() throws Exception {
        ChangeEvent event = event(Optional.of("r-1"));
        operator.processElement(new ClusterEvidence.Change(event), 0);
        operator.processElement(new ClusterEvidence.Entry(applied(2)), 0);
        List<HourReading> readings = cluster(0.05, 8);
        int middle = readings.size() * 3 / 4;
        for (HourReading reading : readings.subList(0, middle)) {
            read(reading);
        }
        OperatorSubtaskState state = operator.snapshot(1, 1);
        operator.close();
        operator = harness();
        operator.initializeState(state);
        operator.open();
        readAll(readings.subList(middle, readings.size()));
        List<VerifiedChange> after = judged();
        assertThat(after.get(after.size() - 1)).isEqualTo(expected(readings, event, 72));
        assertThat(side(VerificationFunction.STEPS)).hasSize(1);
    }

    @Test
    void aServiceIsAsSmallAsItsClassSays() {
        HourHistory history = new HourHistory();
        for (int hour = 0; hour < 36 * 24; hour++) {
            history.add(
                    new HourReading(
                            new ServiceKey(Origin.MEASURED, "lab", "s", "2000m/100ms"),
                            START + hour * HOUR,
                            0,
                            (1L << 32) + (7L << 12) + 60,
                            3_600_000,
                            123_456,
                            17.25,
                            OptionalDouble.of(20),
                            36_000,
                            36_000,
                            "payments",
                            7),
                    36 * 24);
        }
        KeptHistory kept = KeptHistory.of(history, 0);
        assertThat(kept.packed().length).isLessThan(42 * 1024);
        assertThat(kept.history(36 * 24).readings()).containsExactlyElementsOf(history.readings());
    }
}
