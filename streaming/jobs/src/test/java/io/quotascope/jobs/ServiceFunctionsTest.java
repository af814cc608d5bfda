package io.quotascope.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotascope.domain.analysis.Cadence;
import io.quotascope.domain.analysis.RiskSettings;
import io.quotascope.domain.analysis.SavingsSettings;
import io.quotascope.domain.rank.RankPolicy;
import io.quotascope.domain.window.ServiceWindow;
import io.quotascope.jobs.fixture.SimulatedRows;
import io.quotascope.jobs.io.parts.AnalysingFunction;
import io.quotascope.jobs.io.parts.JudgingInput;
import io.quotascope.jobs.io.parts.ReferencesFixture;
import io.quotascope.jobs.io.state.KeyText;
import io.quotascope.jobs.rank.RankFunction;
import io.quotascope.jobs.risk.RiskFunction;
import io.quotascope.jobs.savings.SavingsFunction;
import io.quotascope.jobs.threads.ThreadsFunction;
import io.quotascope.jobs.throttling.ThrottlingFunction;
import io.quotascope.jobs.whatif.WhatIfFunction;
import io.quotascope.wire.CollapseRisks;
import io.quotascope.wire.SavingsEstimates;
import io.quotascope.wire.ThreadRatios;
import io.quotascope.wire.WhatIfOutcomes;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.api.functions.co.KeyedBroadcastProcessFunction;
import org.apache.flink.streaming.api.operators.co.CoBroadcastWithKeyedOperator;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.util.KeyedTwoInputStreamOperatorTestHarness;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What holds for every function that judges services: the order in which rows may arrive changes no
 * judgement, nor does a restart between any two of them, and in the end nothing is left.
 */
class ServiceFunctionsTest {
    private static final int MINUTES = 6;
    private static final long DAY_MS = 86_400_000;
    private static final List<ServiceWindow> ROWS = rows();

    private static List<ServiceWindow> rows() {
        List<ServiceWindow> rows = new ArrayList<>();
        for (int minute = 0; minute < MINUTES; minute++) {
            rows.add(SimulatedRows.row("growing", minute, 0, 2, 6 + 2 * minute));
            rows.add(SimulatedRows.row("steady", minute, 0, 1, 8));
        }
        long part = SimulatedRows.closesMs(rows.get(0)) / 900_000;
        rows.add(SimulatedRows.row("steady", 2, part, 1, 10));
        return rows;
    }

    /** A function whose judgements are text. */
    enum Judging {
        THREADS {
            @Override
            KeyedBroadcastProcessFunction<String, ServiceWindow, ?, String> function() {
                return new ThreadsFunction<>(
                        JudgingInput.STATE, judged -> ThreadRatios.toAvro(judged).toString(), 1);
            }
        },
        THROTTLING {
            @Override
            KeyedBroadcastProcessFunction<String, ServiceWindow, ?, String> function() {
                return new ThrottlingFunction<>(
                        JudgingInput.STATE,
                        judged -> judged.scope() + " " + judged.usedCores() + judged.histogram(),
                        1);
            }
        },
        RANK {
            @Override
            KeyedBroadcastProcessFunction<String, ServiceWindow, ?, String> function() {
                return new RankFunction<>(
                        JudgingInput.STATE,
                        judged -> judged.rank() + " " + judged.horizons(),
                        1,
                        () -> RankPolicy.DEFAULT);
            }
        },
        RISK {
            @Override
            KeyedBroadcastProcessFunction<String, ServiceWindow, ?, String> function() {
                return new RiskFunction<>(
                        new RiskFunction.Plan(cadence(), () -> RiskSettings.DEFAULT, 3, 8, 1),
                        judged -> CollapseRisks.toAvro(judged).toString());
            }
        },
        WHAT_IF {
            @Override
            KeyedBroadcastProcessFunction<String, ServiceWindow, ?, String> function() {
                return new WhatIfFunction<>(
                        new WhatIfFunction.Plan(cadence(), 3, 8, 1),
                        judged -> WhatIfOutcomes.toAvro(judged).toString());
            }
        },
        SAVINGS {
            @Override
            KeyedBroadcastProcessFunction<String, ServiceWindow, ?, String> function() {
                return new SavingsFunction<>(
                        new SavingsFunction.Plan(cadence(), () -> SavingsSettings.DEFAULT, 3, 8, 1),
                        judged -> SavingsEstimates.toAvro(judged).toString());
            }
        };

        abstract KeyedBroadcastProcessFunction<String, ServiceWindow, ?, String> function();

        private static AnalysingFunction.Settings<Cadence> cadence() {
            return () -> new Cadence(3, 2, Cadence.DEFAULT.rule());
        }

        List<MapStateDescriptor<?, ?>> broadcast() {
            return function() instanceof AnalysingFunction
                    ? ReferencesFixture.descriptors()
                    : List.of(JudgingInput.STATE.catalog());
        }

        KeyedTwoInputStreamOperatorTestHarness<String, ServiceWindow, ?, String> harness()
                throws Exception {
            return new KeyedTwoInputStreamOperatorTestHarness<>(
                    new CoBroadcastWithKeyedOperator<>(function(), broadcast()),
                    each -> KeyText.of(each.sums().key()),
                    null,
                    Types.STRING);
        }
    }

    /** Reads all rows, with a restart from a snapshot before one of them. */
    private static List<String> judged(Judging judging, List<ServiceWindow> rows, int restartAt)
            throws Exception {
        List<String> judged = new ArrayList<>();
        KeyedTwoInputStreamOperatorTestHarness<String, ServiceWindow, ?, String> operator =
                judging.harness();
        try {
            operator.open();
            for (int at = 0; at < rows.size(); at++) {
                if (at == restartAt) {
                    OperatorSubtaskState snapshot = operator.snapshot(1, 1);
                    judged.addAll(operator.extractOutputValues());
                    operator.close();
                    operator = judging.harness();
                    operator.initializeState(snapshot);
                    operator.open();
                }
                ServiceWindow row = rows.get(at);
                operator.processElement1(row, SimulatedRows.closesMs(row) + 1_000);
            }
            assertThat(operator.numKeyedStateEntries()).isPositive();
            long endMs = SimulatedRows.closesMs(ROWS.get(ROWS.size() - 1)) + 17 * DAY_MS;
            operator.processBothWatermarks(new Watermark(endMs));
            judged.addAll(operator.extractOutputValues());
            assertThat(operator.numKeyedStateEntries()).as("state at the end").isZero();
            assertThat(operator.numEventTimeTimers()).as("timers at the end").isZero();
            return judged;
        } finally {
            operator.close();
        }
    }

    @ParameterizedTest
    @EnumSource
    void theOrderOfArrivalChangesNothingAndNothingIsLeft(Judging judging) throws Exception {
        List<String> inOrder = judged(judging, ROWS, -1);
        assertThat(inOrder).hasSizeGreaterThanOrEqualTo(4);
        for (long seed = 1; seed <= 2; seed++) {
            assertThat(judged(judging, SimulatedRows.legalOrder(ROWS, seed), -1))
                    .as("order %d", seed)
                    .containsExactlyInAnyOrderElementsOf(inOrder);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aRestartBetweenTwoRowsChangesNothing(Judging judging) throws Exception {
        assertThat(judged(judging, ROWS, ROWS.size() / 2))
                .containsExactlyElementsOf(judged(judging, ROWS, -1));
        assertThat(judged(judging, ROWS, ROWS.size() - 1))
                .containsExactlyElementsOf(judged(judging, ROWS, -1));
    }
}
