package io.quotascope.inputs.ledger;

import io.quotascope.console.InvalidInputException;
import io.quotascope.domain.ledger.Advice;
import io.quotascope.domain.ledger.Forecast;
import io.quotascope.domain.ledger.Forecast.Money;
import io.quotascope.domain.ledger.Forecast.Predicted;
import io.quotascope.domain.ledger.Forecast.PredictedEffect;
import io.quotascope.domain.verification.Quantity;
import io.quotascope.domain.window.Origin;
import io.quotascope.inputs.text.Fields;
import io.quotascope.inputs.text.InputFile;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * The fields of one recommendation, named as in schemas/recommendation.avsc. Kinds of fix_set are
 * divided by semicolons; a predicted effect is three fields named after its quantity.
 */
final class RecommendationFields {
    /** Effects that a file may state; reserved_cores is what the estimate began with there. */
    private static final List<String> QUANTITIES =
            Arrays.stream(Quantity.values())
                    .filter(quantity -> quantity != Quantity.RESERVED_CORES)
                    .map(Quantity::label)
                    .toList();

    private static final double MOST = 1e9 - 1;
    static final InputFile.Form FORM =
            new InputFile.Form(
                    "recommendations",
                    List.of(),
                    List.of(
                            "origin",
                            "cluster",
                            "service",
                            "recommendation_id",
                            "quota_class",
                            "fix_set",
                            "setting_text",
                            "owner",
                            "proposed_at",
                            "accepted_at",
                            "reserved_cores",
                            "reclaimable_cores",
                            "reclaimable_cores_low",
                            "reclaimable_cores_high",
                            "savings_usd_per_year",
                            "savings_usd_per_year_low",
                            "savings_usd_per_year_high",
                            "price_book_version"),
                    name ->
                            QUANTITIES.stream()
                                    .anyMatch(
                                            quantity ->
                                                    name.equals(quantity)
                                                            || name.equals(quantity + "_low")
                                                            || name.equals(quantity + "_high")));

    /**
     * One recommendation of a file.
     *
     * @param proposedAtUs when it was proposed; absent = now
     * @param acceptedAtUs when it was accepted; absent = now
     * @param owner who carries it out
     */
    record Stated(
            Fields fields,
            Advice advice,
            Forecast forecast,
            OptionalLong proposedAtUs,
            OptionalLong acceptedAtUs,
            Optional<String> owner) {}

    private RecommendationFields() {}

    static Stated read(Fields fields) throws InvalidInputException {
        Origin origin =
                Origin.valueOf(
                        fields.oneOf("origin", List.of("measured", "replayed", "simulated"))
                                .orElse("measured")
                                .toUpperCase(Locale.ROOT));
        String cluster = fields.requiredText("cluster");
        String service = fields.requiredText("service");
        String id = fields.requiredText("recommendation_id");
        String setting = fields.requiredText("setting_text");
        Optional<String> quotaClass = fields.text("quota_class");
        List<String> fixSet =
                fields.text("fix_set").stream()
                        .flatMap(text -> Arrays.stream(text.split(";")))
                        .map(String::strip)
                        .filter(kind -> !kind.isEmpty())
                        .toList();
        Advice advice =
                fields.made(
                        () ->
                                new Advice(
                                        origin, cluster, service, quotaClass, id, fixSet, setting));
        OptionalDouble reserved = fields.decimal("reserved_cores", 0, MOST);
        Optional<Predicted> cores = predicted(fields, "reclaimable_cores", 0);
        Optional<Money> money = money(fields);
        List<PredictedEffect> effects = new ArrayList<>();
        for (String quantity : QUANTITIES) {
            predicted(fields, quantity, -MOST)
                    .ifPresent(effect -> effects.add(new PredictedEffect(quantity, effect)));
        }
        Forecast forecast = fields.made(() -> new Forecast(reserved, cores, money, effects));
        return new Stated(
                fields,
                advice,
                forecast,
                fields.instantUs("proposed_at"),
                fields.instantUs("accepted_at"),
                fields.text("owner"));
    }

    private static Optional<Money> money(Fields fields) throws InvalidInputException {
        Optional<Predicted> usd = predicted(fields, "savings_usd_per_year", -MOST);
        OptionalLong version = fields.number("price_book_version", 1, Long.MAX_VALUE);
        if (usd.isPresent() && version.isEmpty()) {
            throw fields.missing("price_book_version");
        }
        return usd.map(value -> new Money(value, version.getAsLong()));
    }

    private static Optional<Predicted> predicted(Fields fields, String name, double least)
            throws InvalidInputException {
        OptionalDouble value = fields.decimal(name, least, MOST);
        OptionalDouble low = fields.decimal(name + "_low", least, MOST);
        OptionalDouble high = fields.decimal(name + "_high", least, MOST);
        if (value.isEmpty() && low.isEmpty() && high.isEmpty()) {
            return Optional.empty();
        }
        if (value.isEmpty()) {
            throw fields.missing(name);
        }
        // A prediction without its interval promises nothing that could be verified.
        if (low.isEmpty() || high.isEmpty()) {
            throw fields.missing(low.isEmpty() ? name + "_low" : name + "_high");
        }
        if (!(low.getAsDouble() <= value.getAsDouble()
                && value.getAsDouble() <= high.getAsDouble())) {
            throw fields.fault(name, name + " must lie between " + name + "_low and _high");
        }
        return Optional.of(
                new Predicted(value.getAsDouble(), low.getAsDouble(), high.getAsDouble()));
    }
}
