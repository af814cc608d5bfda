package io.quotascope.jobs.alerts;

import static io.quotascope.jobs.fixture.ServiceRows.row;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotascope.domain.alert.ServiceReadings;
import io.quotascope.domain.fleet.ServiceCatalogEntry;
import io.quotascope.domain.fleet.ServiceCatalogEntry.ClientPolicy;
import io.quotascope.domain.window.ServiceWindow;
import io.quotascope.jobs.io.parts.CatalogState;
import io.quotascope.jobs.io.parts.JudgingInput;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.api.operators.co.CoBroadcastWithNonKeyedOperator;
import org.apache.flink.streaming.util.TwoInputStreamOperatorTestHarness;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ReadServiceFunctionTest {
    private static final CatalogState CATALOG = new CatalogState(JudgingInput.STATE.entry());

    private TwoInputStreamOperatorTestHarness<ServiceWindow, ServiceCatalogEntry, ServiceReadings>
            operator;

    private static TwoInputStreamOperatorTestHarness<
                    ServiceWindow, ServiceCatalogEntry, ServiceReadings>
            harness() throws Exception {
        return new TwoInputStreamOperatorTestHarness<>(
                new CoBroadcastWithNonKeyedOperator<>(
                        new ReadServiceFunction(CATALOG, 1), List.of(CATALOG.descriptor())));
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

    private void entry(long version, long reservedMillicores) throws Exception {
        ServiceCatalogEntry entry =
                new ServiceCatalogEntry(
                        "lab",
                        "checkout",
                        version,
                        Optional.of("payments"),
                        Optional.empty(),
                        OptionalLong.of(reservedMillicores),
                        Optional.empty(),
                        new ClientPolicy(
                                OptionalLong.empty(), OptionalInt.empty(), OptionalLong.empty()),
                        OptionalLong.empty(),
                        OptionalInt.empty(),
                        false);
        operator.processElement2(entry, 0);
    }

    /** 16 threads of the only shard, for each reserved core. */
    private double threadsPerCore(int minute) throws Exception {
        operator.processElement1(row(minute, 0, 6, r -> {}), minute);
        List<ServiceReadings> read = operator.extractOutputValues();
        return read.get(read.size() - 1).readings().get(0).value().orElseThrow();
    }

    @Test
    void aMinuteIsReadByTheCatalogInForce() throws Exception {
        assertThat(threadsPerCore(0)).isEqualTo(16 / 0.2);
        entry(2, 400);
        entry(1, 800);
        assertThat(threadsPerCore(1)).isEqualTo(16 / 0.4);
        assertThat(operator.extractOutputValues().get(1).context().team()).contains("payments");
    }

    @Test
    void laterPartsSayNothing() throws Exception {
        operator.processElement1(row(0, 1_963_600, 6, r -> {}), 0);
        assertThat(operator.extractOutputValues()).isEmpty();
    }

    @Test
    void theCatalogOutlivesARestart() throws Exception {
        entry(2, 400);
        OperatorSubtaskState snapshot = operator.snapshot(1, 1);
        operator.close();
        operator = harness();
        operator.initializeState(snapshot);
        operator.open();
        assertThat(threadsPerCore(1)).isEqualTo(16 / 0.4);
    }
}
