package io.quotascope.jobs.savings;

import io.quotascope.domain.analysis.Estimate;
import io.quotascope.domain.analysis.FleetPart;
import io.quotascope.domain.analysis.FleetTotal;
import io.quotascope.domain.savings.FleetSavings;
import io.quotascope.domain.window.Origin;
import io.quotascope.domain.window.ServiceKey;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.streaming.api.operators.KeyedProcessOperator;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.util.KeyedOneInputStreamOperatorTestHarness;

/** An operator that adds up estimates, and estimates for it; minutes count from its start. */
final class TotalsHarness implements AutoCloseable {
    static final long START_US = 1_795_164_000_000_000L;
    static final long MINUTE_US = 60_000_000L;
    static final long TURN_US = 10 * MINUTE_US;

    private final KeyedOneInputStreamOperatorTestHarness<String, FleetPart, FleetTotal> operator;

    private TotalsHarness(
            KeyedProcessFunction<String, FleetPart, FleetTotal> function,
            Optional<OperatorSubtaskState> state)
            throws Exception {
        operator =
                new KeyedOneInputStreamOperatorTestHarness<>(
                        new KeyedProcessOperator<>(function),
                        part -> part.key().origin().label(),
                        Types.STRING);
        if (state.isPresent()) {
            operator.initializeState(state.get());
        }
        operator.open();
    }

    static TotalsHarness begun() throws Exception {
        return of(new TotalsFunction<>(total -> total, TURN_US));
    }

    static TotalsHarness of(KeyedProcessFunction<String, FleetPart, FleetTotal> function)
            throws Exception {
        return new TotalsHarness(function, Optional.empty());
    }

    /** Goes on with what another one knew. */
    static TotalsHarness after(TotalsHarness earlier) throws Exception {
        OperatorSubtaskState state = earlier.operator.snapshot(1, 1);
        earlier.close();
        return new TotalsHarness(new TotalsFunction<>(total -> total, TURN_US), Optional.of(state));
    }

    static FleetPart part(String service, long minute, double need) {
        return part(service, minute, 0, need);
    }

    /** An estimate by the parts of a minute up to one. */
    static FleetPart part(String service, long minute, long part, double need) {
        return new FleetPart(
                new ServiceKey(Origin.MEASURED, "c", service, "2000m/100ms"),
                Optional.of("payments"),
                instantUs(minute),
                part,
                OptionalDouble.of(2 * need),
                Optional.of(new Estimate(1, 0, 2)),
                Optional.empty(),
                Optional.of(new FleetSavings.Part(2, 0.2, need, 1, false, 1)),
                OptionalDouble.empty());
    }

    static long instantUs(long minute) {
        return START_US + minute * MINUTE_US;
    }

    /** The topic's clock in a minute, milliseconds. */
    static long clockMs(long minute) {
        return instantUs(minute) / 1_000;
    }

    /** As soon as its row is there. */
    void read(FleetPart part) throws Exception {
        operator.processElement(part, part.analysedAtUs() / 1_000 + 31_000);
    }

    void read(FleetPart part, long minute) throws Exception {
        operator.processElement(part, clockMs(minute));
    }

    void clock(long minute) throws Exception {
        operator.processWatermark(new Watermark(clockMs(minute)));
    }

    List<FleetTotal> written() {
        return operator.extractOutputValues();
    }

    List<FleetTotal> fleets() {
        return written().stream().filter(total -> total.of() == FleetTotal.Of.FLEET).toList();
    }

    boolean isEmpty() {
        return operator.numKeyedStateEntries() == 0;
    }

    int timers() {
        return operator.numEventTimeTimers();
    }

    long checkpointBytes() throws Exception {
        return operator.snapshot(7, 7).getManagedKeyedState().stream()
                .mapToLong(handle -> handle.getStateSize())
                .sum();
    }

    @Override
    public void close() throws Exception {
        operator.close();
    }
}
