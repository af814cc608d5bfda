package io.quotascope.wire;

import io.quotascope.domain.ledger.RealisedWorth;
import io.quotascope.domain.ledger.Recommendation;
import io.quotascope.domain.savings.PriceBook;
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

    /** Cores were realised, and nobody knows what they are worth. */
    private static final String NO_PRICE = "no_price";

    private Verifications() {}

    /**
     * The row as it is stored, with the price that the ledger froze where a recommendation was
     * accepted. For every other change see {@link #priced}.
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
        setWorth(avro, entry.flatMap(known -> RealisedWorth.asPromised(realised, known)));
    }

    private static void setWorth(Verification avro, Optional<RealisedWorth> worth) {
        avro.setPricedBy(worth.map(known -> known.by().label()).orElse(NO_PRICE));
        worth.ifPresent(
                known -> {
                    avro.setRealisedUsdPerYear(known.usdPerYear());
                    avro.setRealisedUsdPerYearLow(known.low());
                    avro.setRealisedUsdPerYearHigh(known.high());
                    avro.setPriceBookVersion(known.priceBookVersion());
                });
    }

    /** Whether cores were realised for which no price is known. */
    public static boolean lackPrice(Verification row) {
        return NO_PRICE.equals(row.getPricedBy());
    }

    /**
     * The row with the price that was in force at the change, where it lacks one; itself where the
     * book has none either.
     *
     * @param priceClass of the service's hosts; absent = the default
     */
    public static Verification priced(
            Verification row, PriceBook book, Optional<String> priceClass) {
        if (!lackPrice(row)) {
            return row;
        }
        Realised realised =
                new Realised(
                        row.getRealisedCores(),
                        row.getRealisedCoresLow(),
                        row.getRealisedCoresHigh());
        Verification priced = Verification.newBuilder(row).build();
        setWorth(priced, RealisedWorth.atChange(realised, book, priceClass, row.getChangedAtUs()));
        return priced;
    }

    /** Key of the change: origin, cluster, service and its number. */
    public static String keyOf(Verification row) {
        return String.join(
                "\n",
                row.getOrigin().toString(),
                row.getCluster(),
                row.getService(),
                row.getChangeId());
    }
}
