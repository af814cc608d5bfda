package io.quotascope.jobs.savings;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotascope.domain.analysis.Estimate;
import io.quotascope.domain.analysis.FleetPart;
import io.quotascope.domain.analysis.FleetTotal;
import io.quotascope.domain.savings.FleetSavings;
import io.quotascope.domain.window.Origin;
import io.quotascope.domain.window.ServiceKey;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Random;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.api.operators.KeyedProcessOperator;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.util.KeyedOneInputStreamOperatorTestHarness;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TotalsFunctionTest {
    private static final long START_US = 1_795_164_000_000_000L;
    private static final long MINUTE_US = 60_000_000L;

    private KeyedOneInputStreamOperatorTestHarness<String, FleetPart, FleetTotal> operator;

    @BeforeEach
    void open() throws Exception {
        operator = harness();
        operator.open();
    }

    private static KeyedOneInputStreamOperatorTestHarness<String, FleetPart, FleetTotal> harness()
            throws Exception {
        return new KeyedOneInputStreamOperatorTestHarness<>(
                new KeyedProcessOperator<>(
                        new TotalsFunction<>((total, startUs) -> total, 20 * MINUTE_US)),
                part -> part.key().origin().label(),
                Types.STRING);
    }

    @AfterEach
    void close() throws Exception {
        operator.close();
    }

    private static FleetPart part(String service, long minute, double need) {
        return new FleetPart(
                new ServiceKey(Origin.MEASURED, "c", service, "2000m/100ms"),
                Optional.of("payments"),
                START_US + minute * MINUTE_US,
                OptionalDouble.of(2 * need),
                Optional.of(new Estimate(1, 0, 2)),
                Optional.empty(),
                Optional.of(new FleetSavings.Part(2, 0.2, need, 1, false, 1)),
                OptionalDouble.empty());
    }

    private static FleetPart inClass(FleetPart part, String quotaClass) {
        ServiceKey key = part.key();
        return new FleetPart(
                new ServiceKey(key.origin(), key.cluster(), key.service(), quotaClass),
                part.team(),
                part.analysedAtUs(),
                part.reservedCoresTotal(),
                part.rightSizing(),
                part.taken(),
                part.tuning(),
                part.usdPerCoreYear());
    }

    private void read(FleetPart part) throws Exception {
        operator.processElement(part, part.analysedAtUs() / 1_000 + 31_000);
    }

    private void clock(long minute) throws Exception {
        operator.processWatermark(new Watermark(START_US / 1_000 + minute * 60_000));
    }

    private List<FleetTotal> fleets() {
        return operator.extractOutputValues().stream()
                .filter(total -> total.of() == FleetTotal.Of.FLEET)
                .toList();
    }

    @Test
    void aTotalIsOfWhatWasAnalysedUpToItsInstant() throws Exception {
        read(part("a", 2, 10));
        read(part("b", 9, 20));
        // Already of the next ten minutes when the first total is due.
        read(part("a", 12, 30));
        clock(12);
        assertThat(operator.extractOutputValues()).isEmpty();
        clock(13);
        assertThat(operator.extractOutputValues())
                .isEqualTo(
                        FleetTotal.all(
                                Origin.MEASURED,
                                START_US + 10 * MINUTE_US,
                                List.of(part("a", 2, 10), part("b", 9, 20))));
        clock(23);
        assertThat(fleets().get(1))
                .isEqualTo(
                        FleetTotal.all(
                                        Origin.MEASURED,
                                        START_US + 20 * MINUTE_US,
                                        List.of(part("a", 12, 30), part("b", 9, 20)))
                                .get(0));
    }

    @Test
    void aClassThatIsOverCountsNoLonger() throws Exception {
        read(part("a", 2, 10));
        read(part("b", 2, 20));
        // The shards of a have another quota now; b is not analysed, but is no other class either.
        FleetPart changed = inClass(part("a", 22, 30), "1000m/100ms");
        read(changed);
        clock(33);
        assertThat(fleets()).hasSize(2);
        List<FleetPart> both = List.of(part("a", 2, 10), part("b", 2, 20), changed);
        assertThat(fleets().get(1))
                .isEqualTo(FleetTotal.all(Origin.MEASURED, START_US + 30 * MINUTE_US, both).get(0));
        FleetPart later = inClass(part("a", 32, 30), "1000m/100ms");
        read(later);
        clock(43);
        assertThat(fleets().get(2))
                .isEqualTo(
                        FleetTotal.all(
                                        Origin.MEASURED,
                                        START_US + 40 * MINUTE_US,
                                        List.of(part("b", 2, 20), later))
                                .get(0));
    }

    @Test
    void theOrderOfArrivalChangesNothing() throws Exception {
        List<FleetPart> parts = new ArrayList<>();
        for (int service = 0; service < 12; service++) {
            parts.add(part("s" + service, service % 10, 10 + service));
        }
        List<FleetTotal> first = null;
        for (int seed = 0; seed < 3; seed++) {
            close();
            open();
            Collections.shuffle(parts, new Random(seed));
            for (FleetPart each : parts) {
                read(each);
            }
            clock(60);
            first = first == null ? operator.extractOutputValues() : first;
            assertThat(operator.extractOutputValues()).isEqualTo(first);
        }
        assertThat(first).hasSize(6);
    }

    @Test
    void nothingNewIsNoRowAndNothingIsLeftAfterADay() throws Exception {
        read(part("a", 2, 10));
        clock(13);
        clock(600);
        assertThat(fleets()).hasSize(1);
        assertThat(operator.numKeyedStateEntries()).isPositive();
        clock(26 * 60);
        assertThat(fleets()).hasSize(1);
        assertThat(operator.numKeyedStateEntries()).isZero();
        assertThat(operator.numEventTimeTimers()).isZero();
    }

    @Test
    void goesOnAfterARestore() throws Exception {
        read(part("a", 2, 10));
        OperatorSubtaskState state = operator.snapshot(1, 1);
        operator.close();
        operator = harness();
        operator.initializeState(state);
        operator.open();
        read(part("b", 9, 20));
        clock(13);
        assertThat(fleets()).singleElement().extracting(FleetTotal::services).isEqualTo(2);
    }
}
