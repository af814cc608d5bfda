package io.quotascope.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotascope.domain.analysis.Cadence;
import io.quotascope.domain.analysis.CollapseRisk;
import io.quotascope.domain.analysis.RiskSettings;
import io.quotascope.domain.analysis.SavingsSettings;
import io.quotascope.domain.savings.Kappa;
import io.quotascope.domain.window.ServiceKey;
import io.quotascope.domain.window.ServiceWindow;
import io.quotascope.jobs.fixture.SimulatedRows;
import io.quotascope.jobs.io.parts.AnalysingFunction;
import io.quotascope.jobs.io.parts.Reference;
import io.quotascope.jobs.io.parts.ReferencesFixture;
import io.quotascope.jobs.io.state.KeyText;
import io.quotascope.jobs.risk.RiskFunction;
import io.quotascope.jobs.savings.SavingsFunction;
import io.quotascope.jobs.whatif.WhatIfFunction;
import io.quotascope.oracle.Judgements;
import io.quotascope.wire.CollapseRisks;
import io.quotascope.wire.SavingsEstimates;
import io.quotascope.wire.WhatIfOutcomes;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.operators.co.CoBroadcastWithKeyedOperator;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.util.KeyedTwoInputStreamOperatorTestHarness;
import org.junit.jupiter.api.Test;

/**
 * Whatever the order in which rows may arrive, the jobs of analyses write what the program writes
 * that sorts them and knows neither state nor time.
 */
class OracleTest {
    private static final int TURN = 4;
    private static final int HORIZON = 3;
    private static final Judgements.Options OPTIONS =
            new Judgements.Options(TURN, 1, 2, 3, HORIZON, HORIZON, 8);
    private static final List<ServiceWindow> ROWS = rows();

    /** Two services of eight minutes; a host of one comes back with three of them. */
    private static List<ServiceWindow> rows() {
        List<ServiceWindow> rows = new ArrayList<>();
        for (int minute = 0; minute < 8; minute++) {
            rows.add(SimulatedRows.row("growing", minute, 0, 2, 6 + 2 * minute));
            if (minute != 3) {
                rows.add(SimulatedRows.row("steady", minute, 0, 1, 8));
            }
        }
        long part = SimulatedRows.closesMs(rows.get(0)) / 900_000;
        for (int minute = 2; minute < 5; minute++) {
            rows.add(SimulatedRows.row("steady", minute, part, 1, 10));
        }
        return rows;
    }

    private static AnalysingFunction.Settings<Cadence> cadence(int moved) {
        return () -> new Cadence(TURN, moved, Cadence.DEFAULT.rule());
    }

    @Test
    void risksAreTheSame() throws Exception {
        List<String> expected =
                oracle((judgements, rows) -> judgements.risks(rows)).stream()
                        .map(row -> CollapseRisks.toAvro(row).toString())
                        .toList();
        assertThat(oracle((judgements, rows) -> judgements.risks(rows)))
                .anyMatch(row -> row.trigger().isPresent())
                .anyMatch(row -> row.trigger().isEmpty() && row.cliff().isPresent())
                .extracting(CollapseRisk::alarm)
                .contains(true);
        for (long seed = 1; seed <= 3; seed++) {
            assertThat(
                            run(
                                    seed,
                                    new RiskFunction<>(
                                            new RiskFunction.Plan(
                                                    cadence(1),
                                                    () -> RiskSettings.DEFAULT,
                                                    HORIZON,
                                                    8,
                                                    1),
                                            row -> CollapseRisks.toAvro(row).toString())))
                    .as("order %d", seed)
                    .containsExactlyInAnyOrderElementsOf(expected);
        }
    }

    @Test
    void outcomesAreTheSame() throws Exception {
        List<String> expected =
                oracle((judgements, rows) -> judgements.outcomes(rows)).stream()
                        .map(row -> WhatIfOutcomes.toAvro(row).toString())
                        .toList();
        assertThat(expected).hasSizeGreaterThan(60);
        for (long seed = 1; seed <= 2; seed++) {
            assertThat(
                            run(
                                    seed,
                                    new WhatIfFunction<>(
                                            new WhatIfFunction.Plan(cadence(2), HORIZON, 8, 1),
                                            row -> WhatIfOutcomes.toAvro(row).toString())))
                    .as("order %d", seed)
                    .containsExactlyInAnyOrderElementsOf(expected);
        }
    }

    @Test
    void savingsAreTheSame() throws Exception {
        List<String> expected =
                oracle((judgements, rows) -> judgements.savings(rows)).stream()
                        .map(row -> SavingsEstimates.toAvro(row).toString())
                        .toList();
        assertThat(expected).hasSizeGreaterThan(24);
        for (long seed = 1; seed <= 2; seed++) {
            assertThat(
                            run(
                                    seed,
                                    new SavingsFunction<>(
                                            new SavingsFunction.Plan(
                                                    cadence(3),
                                                    () -> SavingsSettings.DEFAULT,
                                                    HORIZON,
                                                    8,
                                                    1),
                                            row -> SavingsEstimates.toAvro(row).toString())))
                    .as("order %d", seed)
                    .containsExactlyInAnyOrderElementsOf(expected);
        }
    }

    /**
     * The clock of the topic leaps while the rollup stands; what was known before is known after.
     */
    @Test
    void risksAreTheSameHoweverFarTheRollupLiesBehind() throws Exception {
        List<String> expected =
                oracle((judgements, rows) -> judgements.risks(rows)).stream()
                        .map(row -> CollapseRisks.toAvro(row).toString())
                        .toList();
        RiskFunction.Plan plan =
                new RiskFunction.Plan(cadence(1), () -> RiskSettings.DEFAULT, HORIZON, 8, 1);
        assertThat(
                        run(
                                4,
                                new RiskFunction<>(
                                        plan, row -> CollapseRisks.toAvro(row).toString()),
                                2 * 3_600_000L))
                .containsExactlyInAnyOrderElementsOf(expected);
    }

    private static <R> List<R> oracle(BiFunction<Judgements, List<ServiceWindow>, List<R>> of) {
        Map<ServiceKey, List<ServiceWindow>> services = new LinkedHashMap<>();
        for (ServiceWindow row : ROWS) {
            services.computeIfAbsent(row.sums().key(), key -> new ArrayList<>()).add(row);
        }
        List<R> judged = new ArrayList<>();
        for (List<ServiceWindow> rows : services.values()) {
            judged.addAll(
                    of.apply(
                            new Judgements(
                                    OPTIONS, Optional.empty(), Optional.empty(), Kappa.PRIOR),
                            rows));
        }
        return judged;
    }

    private static List<String> run(long seed, AnalysingFunction<String> function)
            throws Exception {
        return run(seed, function, 0);
    }

    /**
     * Lets a function read rows.
     *
     * @param leapMs how far the clock goes on before each row, until the first late one: rows that
     *     closed together are written together
     */
    private static List<String> run(long seed, AnalysingFunction<String> function, long leapMs)
            throws Exception {
        try (KeyedTwoInputStreamOperatorTestHarness<String, ServiceWindow, Reference, String>
                operator =
                        new KeyedTwoInputStreamOperatorTestHarness<>(
                                new CoBroadcastWithKeyedOperator<>(
                                        function, ReferencesFixture.descriptors()),
                                each -> KeyText.of(each.sums().key()),
                                null,
                                Types.STRING)) {
            operator.open();
            boolean late = false;
            long leaptMs = 0;
            for (ServiceWindow row : SimulatedRows.legalOrder(ROWS, seed)) {
                late |= row.part() != 0;
                leaptMs += late ? 0 : leapMs;
                long writtenMs = SimulatedRows.closesMs(row) + 1_000 + leaptMs;
                if (leapMs > 0 && !late) {
                    operator.processBothWatermarks(new Watermark(writtenMs - 1));
                }
                operator.processElement1(row, writtenMs);
            }
            operator.processBothWatermarks(new Watermark(Long.MAX_VALUE / 2));
            return operator.extractOutputValues();
        }
    }
}
