package io.quotascope.wire;

import io.quotascope.domain.ledger.Forecast.Money;
import io.quotascope.domain.ledger.Forecast.Predicted;
import io.quotascope.domain.ledger.Proposal;
import io.quotascope.domain.window.ServiceKey;
import io.quotascope.wire.avro.SavingsEstimate;
import java.util.Optional;
import java.util.OptionalDouble;

/** What the ledger reads of topic savings-estimates.v1. */
public final class Proposals {
    /** Topic savings-estimates.v1; a proposal is less than an estimate and cannot become one. */
    public static final RecordCodec<Proposal> CODEC =
            RecordCodec.of(
                    new SingleObject<>(SavingsEstimate.class, "savings_estimate"),
                    Proposals::of,
                    proposal -> {
                        throw new UnsupportedOperationException("a proposal is no estimate");
                    });

    private Proposals() {}

    static Proposal of(SavingsEstimate avro) {
        Optional<Predicted> cores =
                sum(
                        ends(
                                avro.getRightSizingCoresLow(),
                                avro.getRightSizingCores(),
                                avro.getRightSizingCoresHigh()),
                        ends(
                                avro.getReclaimableCoresLow(),
                                avro.getReclaimableCores(),
                                avro.getReclaimableCoresHigh()));
        Optional<Predicted> usd =
                sum(
                        ends(
                                avro.getRightSizingUsdPerYearLow(),
                                avro.getRightSizingUsdPerYear(),
                                avro.getRightSizingUsdPerYearHigh()),
                        ends(
                                avro.getSavingsUsdPerYearLow(),
                                avro.getSavingsUsdPerYear(),
                                avro.getSavingsUsdPerYearHigh()));
        return new Proposal(
                new ServiceKey(
                        Nullable.origin(avro.getOrigin()),
                        avro.getCluster(),
                        avro.getService(),
                        avro.getQuotaClass()),
                avro.getAnalysedAtUs(),
                avro.getFixSet(),
                avro.getBest(),
                Optional.ofNullable(avro.getSettingText()),
                avro.getReservedCoresTotal() == null
                        ? OptionalDouble.empty()
                        : OptionalDouble.of(avro.getReservedCoresTotal()),
                cores,
                usd.flatMap(
                        value ->
                                Optional.ofNullable(avro.getPriceBookVersion())
                                        .map(book -> new Money(value, book))));
    }

    /** Ends in order; both errors come from one cliff, so the bounds of a sum are their sums. */
    private record Ends(double low, double value, double high) {
        /** What is promised; a change that needs more cores than it frees promises none. */
        Optional<Predicted> promised() {
            return value < 0
                    ? Optional.empty()
                    : Optional.of(new Predicted(value, Math.max(0, Math.min(low, value)), high));
        }
    }

    private static Optional<Ends> ends(Double low, Double value, Double high) {
        return value == null || low == null || high == null
                ? Optional.empty()
                : Optional.of(new Ends(low, value, high));
    }

    private static Optional<Predicted> sum(Optional<Ends> one, Optional<Ends> other) {
        return one.flatMap(
                a ->
                        other.flatMap(
                                b ->
                                        new Ends(
                                                        a.low() + b.low(),
                                                        a.value() + b.value(),
                                                        a.high() + b.high())
                                                .promised()));
    }
}
