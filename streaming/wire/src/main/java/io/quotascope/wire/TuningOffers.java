package io.quotascope.wire;

import io.quotascope.domain.analysis.CollapseRisk;
import io.quotascope.domain.fleet.CatalogView;
import io.quotascope.domain.rank.ServiceOffer;
import io.quotascope.domain.rank.TuningOffer;
import io.quotascope.domain.rank.TuningOffer.Interval;
import io.quotascope.domain.risk.DeathSpiralRisk.LoadForecast;
import io.quotascope.domain.risk.Multiple;
import io.quotascope.domain.whatif.Trust;
import io.quotascope.domain.window.Origin;
import io.quotascope.domain.window.ServiceKey;
import io.quotascope.domain.window.WindowPart;
import io.quotascope.wire.avro.SavingsEstimate;
import io.quotascope.wire.avro.TrustVerdict;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/** What the ranking reads of savings estimates and judgements of risk. */
public final class TuningOffers {
    private static final RecordCodec<ServiceOffer> SAVINGS =
            RecordCodec.of(
                    new SingleObject<>(SavingsEstimate.class, "savings_estimate"),
                    TuningOffers::of,
                    offer -> {
                        throw new UnsupportedOperationException(
                                "an offer is less than an estimate and cannot become one");
                    });

    private TuningOffers() {}

    /** The offer of a message of topic savings-estimates.v1, or why there is none. */
    public static Decoded<ServiceOffer> savings(byte[] framed) {
        return SAVINGS.decode(framed);
    }

    /** The offer of a message of topic collapse-risks.v1, or why there is none. */
    public static Decoded<ServiceOffer> risk(byte[] framed) {
        Decoded<CollapseRisk> decoded = Codecs.COLLAPSE_RISKS.decode(framed);
        return decoded instanceof Decoded.Refused<CollapseRisk> refused
                ? new Decoded.Refused<>(refused.refusal())
                : new Decoded.Sound<>(of(decoded.orElseThrow()));
    }

    /** What the ranking reads of an estimate. */
    public static ServiceOffer of(SavingsEstimate avro) {
        Origin origin = Nullable.origin(avro.getOrigin());
        TuningOffer.Savings savings =
                new TuningOffer.Savings(
                        avro.getAnalysedAtUs(),
                        avro.getBest(),
                        avro.getFixSet(),
                        Optional.ofNullable(avro.getSettingText()),
                        both(
                                interval(
                                        avro.getRightSizingCoresLow(),
                                        avro.getRightSizingCores(),
                                        avro.getRightSizingCoresHigh()),
                                interval(
                                        avro.getReclaimableCoresLow(),
                                        avro.getReclaimableCores(),
                                        avro.getReclaimableCoresHigh())),
                        avro.getRightSizingCores() == null
                                ? OptionalDouble.empty()
                                : OptionalDouble.of(avro.getRightSizingCores()),
                        both(
                                interval(
                                        avro.getRightSizingUsdPerYearLow(),
                                        avro.getRightSizingUsdPerYear(),
                                        avro.getRightSizingUsdPerYearHigh()),
                                interval(
                                        avro.getSavingsUsdPerYearLow(),
                                        avro.getSavingsUsdPerYear(),
                                        avro.getSavingsUsdPerYearHigh())),
                        gain(avro),
                        avro.getSuccessProbability(),
                        avro.getEffortDays(),
                        trust(avro.getTrust()),
                        avro.getTrustReasons());
        return new ServiceOffer(
                new ServiceKey(origin, avro.getCluster(), avro.getService(), avro.getQuotaClass()),
                CatalogView.revisionOf(avro.getVersion()),
                savings);
    }

    /**
     * How far the whole change moves the cliff by its replay; else what its fixes gain while the
     * freed cores are still there.
     */
    private static OptionalDouble gain(SavingsEstimate avro) {
        Double before = avro.getHeadroom();
        Double after = avro.getHeadroomAfter();
        if (before != null && after != null && before > 0) {
            return OptionalDouble.of(after / before);
        }
        return avro.getGain() == null ? OptionalDouble.empty() : OptionalDouble.of(avro.getGain());
    }

    /** Right-sizing and tuning are one change, and both errors may go the same way. */
    private static Optional<Interval> both(
            Optional<Interval> rightSizing, Optional<Interval> tuning) {
        if (rightSizing.isEmpty() || tuning.isEmpty()) {
            return rightSizing.or(() -> tuning);
        }
        Interval one = rightSizing.get();
        Interval other = tuning.get();
        return Optional.of(
                new Interval(
                        one.low() + other.low(),
                        one.value() + other.value(),
                        one.high() + other.high()));
    }

    private static Trust.Verdict trust(TrustVerdict avro) {
        return switch (avro) {
            case sound -> Trust.Verdict.SOUND;
            case doubtful -> Trust.Verdict.DOUBTFUL;
            case unusable -> Trust.Verdict.UNUSABLE;
        };
    }

    private static Optional<Interval> interval(Double low, Double value, Double high) {
        return value == null || low == null || high == null
                ? Optional.empty()
                : Optional.of(new Interval(low, value, high));
    }

    /** What the ranking reads of a judgement of risk. */
    public static ServiceOffer of(CollapseRisk risk) {
        Optional<Multiple> collapse = risk.cliff().map(cliff -> cliff.cliff().service());
        Optional<LoadForecast> forecast = risk.outlook().forecast();
        TuningOffer.Risk offer =
                new TuningOffer.Risk(
                        risk.scope().windowStartUs() + WindowPart.MINUTE_US,
                        risk.band().name().toLowerCase(Locale.ROOT),
                        risk.outlook().probability(),
                        collapse.map(at -> new Interval(at.low(), at.value(), at.high())),
                        forecast.isEmpty()
                                ? OptionalDouble.empty()
                                : OptionalDouble.of(forecast.get().growth()),
                        forecast.isEmpty()
                                ? OptionalDouble.empty()
                                : OptionalDouble.of(forecast.get().deviation()),
                        risk.outlook().horizonUs());
        return new ServiceOffer(
                risk.scope().key(), CatalogView.revisionOf(risk.scope().version()), offer);
    }
}
