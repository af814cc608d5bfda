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
                        predicted(
                                avro.getRightSizingCoresLow(),
                                avro.getRightSizingCores(),
                                avro.getRightSizingCoresHigh()),
                        predicted(
                                avro.getReclaimableCoresLow(),
                                avro.getReclaimableCores(),
                                avro.getReclaimableCoresHigh()));
        Optional<Predicted> usd =
                sum(
                        predicted(
                                avro.getRightSizingUsdPerYearLow(),
                                avro.getRightSizingUsdPerYear(),
                                avro.getRightSizingUsdPerYearHigh()),
                        predicted(
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

    private static Optional<Predicted> predicted(Double low, Double value, Double high) {
        return value == null || low == null || high == null
                ? Optional.empty()
                : Optional.of(new Predicted(Math.max(0, low), value, high));
    }

    /** Both errors come from one cliff, so the bounds of the sum are the sums of the bounds. */
    private static Optional<Predicted> sum(Optional<Predicted> one, Optional<Predicted> other) {
        return one.flatMap(
                a ->
                        other.map(
                                b ->
                                        new Predicted(
                                                a.low() + b.low(),
                                                a.value() + b.value(),
                                                a.high() + b.high())));
    }
}
