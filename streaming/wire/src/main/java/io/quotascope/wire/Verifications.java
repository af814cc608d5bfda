package io.quotascope.wire;

import io.quotascope.domain.ledger.Forecast;
import io.quotascope.domain.ledger.Recommendation;
import io.quotascope.domain.verification.Effect;
import io.quotascope.domain.verification.HourReading;
import io.quotascope.domain.verification.VerifiedChange;
import io.quotascope.domain.verification.VerifiedChange.Realised;
import io.quotascope.wire.avro.ChangeEffect;
import io.quotascope.wire.avro.Verification;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/** Rows of table verifications. */
public final class Verifications {
    private static final int REVISION_SHIFT = 32;

    private Verifications() {}

    /**
     * The row as it is stored. Money is what the ledger froze: the price of a core is that of the
     * accepted recommendation.
     *
     * @param newest the newest hour of the service, for what it says of the catalog
     * @param entry the recommendation that the change carries out
     */
    public static Verification toAvro(
            VerifiedChange judged,
            HourReading newest,
            OptionalDouble completeness,
            Optional<Recommendation> entry,
            long revision) {
        Verification avro = new Verification();
        avro.setOrigin(Nullable.origin(judged.change().origin()));
        avro.setCluster(judged.change().cluster());
        avro.setService(judged.change().service());
        avro.setChangedAtUs(judged.change().atUs());
        avro.setChangeId(judged.change().eventId());
        avro.setVersion((revision << REVISION_SHIFT) + judged.hoursAfter());
        avro.setWindowStartUs(judged.windowStartUs());
        avro.setKind(judged.change().kind().label());
        avro.setRecommendationId(judged.change().recommendationId().orElse(null));
        avro.setCatalogVersion(newest.catalogVersion());
        avro.setTeam(newest.team().isEmpty() ? null : newest.team());
        avro.setOutcome(judged.outcome().label());
        avro.setSettled(judged.settled());
        avro.setEffects(judged.effects().stream().map(Verifications::effect).toList());
        avro.setCompleteness(Nullable.orNull(completeness));
        avro.setReasons(judged.reasons());
        judged.realised().ifPresent(realised -> setRealised(avro, realised, entry));
        entry.flatMap(known -> known.forecast().reclaimableCores())
                .ifPresent(
                        predicted -> {
                            avro.setPredictedCores(predicted.value());
                            avro.setPredictedCoresLow(predicted.low());
                            avro.setPredictedCoresHigh(predicted.high());
                        });
        return avro;
    }

    private static ChangeEffect effect(Effect effect) {
        return new ChangeEffect(
                effect.quantity().label(),
                effect.verdict().name().toLowerCase(Locale.ROOT),
                effect.effect(),
                effect.low(),
                effect.high(),
                effect.pairs(),
                effect.controls());
    }

    private static void setRealised(
            Verification avro, Realised realised, Optional<Recommendation> entry) {
        avro.setRealisedCores(realised.cores());
        avro.setRealisedCoresLow(realised.low());
        avro.setRealisedCoresHigh(realised.high());
        Optional<Forecast> forecast = entry.map(Recommendation::forecast);
        double predicted =
                forecast.flatMap(Forecast::reclaimableCores)
                        .map(Forecast.Predicted::value)
                        .orElse(0.0);
        forecast.flatMap(Forecast::money)
                .filter(money -> predicted > 0)
                .ifPresent(
                        money -> {
                            double usdPerCore = money.usdPerYear().value() / predicted;
                            avro.setRealisedUsdPerYear(realised.cores() * usdPerCore);
                            avro.setRealisedUsdPerYearLow(realised.low() * usdPerCore);
                            avro.setRealisedUsdPerYearHigh(realised.high() * usdPerCore);
                            avro.setPriceBookVersion(money.priceBookVersion());
                        });
    }
}
