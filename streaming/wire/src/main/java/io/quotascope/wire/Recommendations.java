package io.quotascope.wire;

import io.quotascope.domain.ledger.Advice;
import io.quotascope.domain.ledger.CoreSpans;
import io.quotascope.domain.ledger.Forecast;
import io.quotascope.domain.ledger.Forecast.Money;
import io.quotascope.domain.ledger.Forecast.Predicted;
import io.quotascope.domain.ledger.Recommendation;
import io.quotascope.domain.ledger.RecommendationState;
import io.quotascope.wire.avro.CreditedSpan;
import io.quotascope.wire.avro.PredictedEffect;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/** Recommendation and its domain form. */
public final class Recommendations {
    private Recommendations() {}

    /**
     * The domain form.
     *
     * @throws IllegalArgumentException for an entry that the domain refuses
     */
    public static Recommendation toDomain(io.quotascope.wire.avro.Recommendation avro) {
        return new Recommendation(
                new Advice(
                        Nullable.origin(avro.getOrigin()),
                        avro.getCluster(),
                        avro.getService(),
                        Optional.ofNullable(avro.getQuotaClass()),
                        avro.getRecommendationId(),
                        avro.getFixSet(),
                        avro.getSettingText()),
                forecast(avro),
                avro.getVersion(),
                RecommendationState.valueOf(avro.getState().name().toUpperCase(Locale.ROOT)),
                new Recommendation.Step(
                        avro.getStateAtUs(),
                        Optional.ofNullable(avro.getActor()),
                        Optional.ofNullable(avro.getReason())),
                Optional.ofNullable(avro.getOwner()),
                new Recommendation.Dates(
                        avro.getProposedAtUs(),
                        Nullable.optional(avro.getAcceptedAtUs()),
                        Nullable.optional(avro.getAppliedAtUs())),
                new CoreSpans(
                        avro.getCreditedSpans().stream()
                                .map(
                                        span ->
                                                new CoreSpans.Span(
                                                        span.getFromMillicores(),
                                                        span.getUntilMillicores()))
                                .toList()));
    }

    private static Forecast forecast(io.quotascope.wire.avro.Recommendation avro) {
        Optional<Predicted> usd =
                predicted(
                        avro.getSavingsUsdPerYear(),
                        avro.getSavingsUsdPerYearLow(),
                        avro.getSavingsUsdPerYearHigh());
        return new Forecast(
                avro.getReservedCores() == null
                        ? OptionalDouble.empty()
                        : OptionalDouble.of(avro.getReservedCores()),
                predicted(
                        avro.getReclaimableCores(),
                        avro.getReclaimableCoresLow(),
                        avro.getReclaimableCoresHigh()),
                usd.map(value -> new Money(value, priceBook(avro.getPriceBookVersion()))),
                avro.getPredictedEffects().stream()
                        .map(
                                effect ->
                                        new Forecast.PredictedEffect(
                                                effect.getQuantity(),
                                                new Predicted(
                                                        effect.getPredicted(),
                                                        effect.getLow(),
                                                        effect.getHigh())))
                        .toList());
    }

    private static long priceBook(Long version) {
        if (version == null) {
            throw new IllegalArgumentException("savings need their price_book_version");
        }
        return version;
    }

    private static Optional<Predicted> predicted(Double value, Double low, Double high) {
        return value == null || low == null || high == null
                ? Optional.empty()
                : Optional.of(new Predicted(value, low, high));
    }

    /** The record as it travels and the row as it is stored. */
    public static io.quotascope.wire.avro.Recommendation toAvro(Recommendation entry) {
        io.quotascope.wire.avro.Recommendation avro = new io.quotascope.wire.avro.Recommendation();
        Advice advice = entry.advice();
        avro.setOrigin(Nullable.origin(advice.origin()));
        avro.setCluster(advice.cluster());
        avro.setService(advice.service());
        avro.setRecommendationId(advice.recommendationId());
        avro.setVersion(entry.version());
        avro.setQuotaClass(advice.quotaClass().orElse(null));
        avro.setState(io.quotascope.wire.avro.RecommendationState.valueOf(entry.state().label()));
        avro.setStateAtUs(entry.step().atUs());
        avro.setActor(entry.step().actor().orElse(null));
        avro.setReason(entry.step().reason().orElse(null));
        avro.setOwner(entry.owner().orElse(null));
        avro.setFixSet(advice.fixSet());
        avro.setSettingText(advice.settingText());
        avro.setProposedAtUs(entry.dates().proposedAtUs());
        avro.setAcceptedAtUs(Nullable.orNull(entry.dates().acceptedAtUs()));
        avro.setAppliedAtUs(Nullable.orNull(entry.dates().appliedAtUs()));
        setForecast(avro, entry.forecast());
        avro.setCreditedSpans(
                entry.credited().spans().stream()
                        .map(
                                span ->
                                        new CreditedSpan(
                                                span.fromMillicores(), span.untilMillicores()))
                        .toList());
        avro.setCreditedCores(entry.credited().cores());
        avro.setCreditedUsdPerYear(Nullable.orNull(entry.creditedUsdPerYear()));
        return avro;
    }

    private static void setForecast(
            io.quotascope.wire.avro.Recommendation avro, Forecast forecast) {
        avro.setReservedCores(Nullable.orNull(forecast.reservedCores()));
        Optional<Predicted> cores = forecast.reclaimableCores();
        avro.setReclaimableCores(cores.map(Predicted::value).orElse(null));
        avro.setReclaimableCoresLow(cores.map(Predicted::low).orElse(null));
        avro.setReclaimableCoresHigh(cores.map(Predicted::high).orElse(null));
        Optional<Predicted> usd = forecast.money().map(Money::usdPerYear);
        avro.setSavingsUsdPerYear(usd.map(Predicted::value).orElse(null));
        avro.setSavingsUsdPerYearLow(usd.map(Predicted::low).orElse(null));
        avro.setSavingsUsdPerYearHigh(usd.map(Predicted::high).orElse(null));
        avro.setPriceBookVersion(forecast.money().map(Money::priceBookVersion).orElse(null));
        avro.setPredictedEffects(
                forecast.effects().stream()
                        .map(
                                each ->
                                        new PredictedEffect(
                                                each.quantity(),
                                                each.effect().value(),
                                                each.effect().low(),
                                                each.effect().high()))
                        .toList());
    }
}
