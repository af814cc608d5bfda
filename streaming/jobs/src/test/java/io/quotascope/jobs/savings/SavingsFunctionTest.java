package io.quotascope.jobs.savings;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotascope.domain.analysis.Cadence;
import io.quotascope.domain.analysis.SavingsSettings;
import io.quotascope.domain.fleet.ServiceCatalogEntry;
import io.quotascope.domain.fleet.ServiceCatalogEntry.ClientPolicy;
import io.quotascope.domain.whatif.advice.Target;
import io.quotascope.domain.window.ServiceKey;
import io.quotascope.domain.window.ServiceWindow;
import io.quotascope.jobs.fixture.SimulatedRows;
import io.quotascope.jobs.io.parts.Reference;
import io.quotascope.jobs.io.parts.ReferencesFixture;
import io.quotascope.jobs.io.state.AvroForm;
import io.quotascope.jobs.io.state.ByteFormType;
import io.quotascope.jobs.io.state.KeyText;
import io.quotascope.wire.SavingsEstimates;
import io.quotascope.wire.avro.Aim;
import io.quotascope.wire.avro.SavingsEstimate;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.api.operators.co.CoBroadcastWithKeyedOperator;
import org.apache.flink.streaming.util.KeyedTwoInputStreamOperatorTestHarness;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What an owner wants reaches the estimates, and outlives a restart. */
class SavingsFunctionTest {
    private static final Cadence EVERY_MINUTE = new Cadence(1, 1, Cadence.DEFAULT.rule());

    private KeyedTwoInputStreamOperatorTestHarness<
                    String, ServiceWindow, Reference, SavingsEstimate>
            operator;

    private static KeyedTwoInputStreamOperatorTestHarness<
                    String, ServiceWindow, Reference, SavingsEstimate>
            harness() throws Exception {
        SavingsFunction.Plan plan =
                new SavingsFunction.Plan(
                        () -> EVERY_MINUTE, () -> SavingsSettings.DEFAULT, 3, 8, 1);
        KeyedTwoInputStreamOperatorTestHarness<String, ServiceWindow, Reference, SavingsEstimate>
                harness =
                        new KeyedTwoInputStreamOperatorTestHarness<>(
                                new CoBroadcastWithKeyedOperator<>(
                                        new SavingsFunction<>(plan, SavingsEstimates::toAvro),
                                        ReferencesFixture.descriptors()),
                                each -> KeyText.of(each.sums().key()),
                                null,
                                Types.STRING);
        harness.setup(
                new ByteFormType<>(new AvroForm<>(SavingsEstimate.class, "savings_estimate"))
                        .createSerializer(harness.getExecutionConfig().getSerializerConfig()));
        return harness;
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

    private List<SavingsEstimate> analysed(int minute) throws Exception {
        ServiceWindow row = SimulatedRows.row("checkout", minute, 0, 1, 2);
        operator.processElement1(row, SimulatedRows.closesMs(row) + 1_000);
        List<SavingsEstimate> rows = List.copyOf(operator.extractOutputValues());
        operator.getOutput().clear();
        return rows;
    }

    private void owner(long version, Optional<Target.Aim> aim) throws Exception {
        ServiceKey key = SimulatedRows.row("checkout", 0, 0, 1, 1).sums().key();
        ServiceCatalogEntry entry =
                new ServiceCatalogEntry(
                        key.cluster(),
                        key.service(),
                        version,
                        Optional.empty(),
                        Optional.empty(),
                        OptionalLong.of(1_000),
                        Optional.empty(),
                        new ClientPolicy(
                                OptionalLong.empty(), OptionalInt.empty(), OptionalLong.empty()),
                        OptionalLong.empty(),
                        OptionalInt.empty(),
                        false);
        operator.processElement2(
                new Reference.Entry(aim.isPresent() ? entry.with(aim.get()) : entry), 0);
    }

    private static SavingsEstimate best(List<SavingsEstimate> rows) {
        return rows.stream().filter(SavingsEstimate::getBest).findFirst().orElseThrow();
    }

    @Test
    void estimatesFollowWhatTheOwnerWants() throws Exception {
        assertThat(analysed(0)).hasSize(8).allMatch(row -> row.getAim() == Aim.savings);
        owner(1, Optional.of(Target.Aim.LATENCY));
        List<SavingsEstimate> wanted = analysed(1);
        assertThat(wanted).allMatch(row -> row.getAim() == Aim.latency);
        assertThat(best(wanted).getReasons())
                .anyMatch(words -> words.contains("owner wants latency"));

        OperatorSubtaskState state = operator.snapshot(1, 1);
        operator.close();
        operator = harness();
        operator.initializeState(state);
        operator.open();
        assertThat(analysed(2)).allMatch(row -> row.getAim() == Aim.latency);

        owner(2, Optional.empty());
        List<SavingsEstimate> again = analysed(3);
        assertThat(again).allMatch(row -> row.getAim() == Aim.savings);
        assertThat(best(again).getReasons())
                .noneMatch(words -> words.contains("owner wants latency"));
    }
}
