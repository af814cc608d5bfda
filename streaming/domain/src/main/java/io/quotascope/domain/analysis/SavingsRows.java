package io.quotascope.domain.analysis;

import io.quotascope.domain.advice.AdviceWords;
import io.quotascope.domain.advice.Candidate;
import io.quotascope.domain.advice.Decision;
import io.quotascope.domain.advice.Freed;
import io.quotascope.domain.advice.Sentence;
import io.quotascope.domain.fleet.CatalogView;
import io.quotascope.domain.fleet.ServiceCatalogEntry;
import io.quotascope.domain.risk.Multiple;
import io.quotascope.domain.savings.FixKind;
import io.quotascope.domain.savings.LatencyObjective;
import io.quotascope.domain.savings.PriceBook;
import io.quotascope.domain.savings.SavingsValue;
import io.quotascope.domain.whatif.Trust;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

/** Rows of one analysis of savings: cores, money and words for each set of fixes. */
final class SavingsRows {
    /** A peak of fewer hours than a day is no peak. */
    private static final int HOURS_MIN = 24;

    private static final double CENSORED_FROM = 0.25;
    private static final double SATURATED_FROM = 0.9;
    private static final double COMPLETE = 0.99;
    private static final String UNCHANGED = "as it is";
    private static final String RESIZED = "right-sizing";

    private final HorizonEvidence evidence;
    private final CatalogView catalog;
    private final LoadPeaks peaks;
    private final Optional<Multiple> headroom;
    private final OptionalDouble strandedCores;
    private final SavingsSettings settings;
    private final LatencyObjective objective;
    private final Optional<PriceBook> prices;
    private final AnalysisTrigger trigger;

    SavingsRows(
            HorizonEvidence evidence,
            CatalogView catalog,
            LoadPeaks peaks,
            Optional<Multiple> headroom,
            OptionalDouble strandedCores,
            SavingsSettings settings,
            LatencyObjective objective,
            Optional<PriceBook> prices,
            AnalysisTrigger trigger) {
        this.evidence = evidence;
        this.catalog = catalog;
        this.peaks = peaks;
        this.headroom = headroom;
        this.strandedCores = strandedCores;
        this.settings = settings;
        this.objective = objective;
        this.prices = prices;
        this.trigger = trigger;
    }

    List<SavingsEstimate> of(Optional<Decision> decision) {
        if (decision.isEmpty()) {
            return List.of(row(Optional.empty(), Optional.empty(), 0));
        }
        List<SavingsEstimate> rows = new ArrayList<>();
        for (Candidate candidate : decision.get().candidates()) {
            rows.add(row(decision, Optional.of(candidate), rows.size()));
        }
        return rows;
    }

    private SavingsEstimate row(
            Optional<Decision> decision, Optional<Candidate> candidate, int order) {
        Optional<SavingsEstimate.Freed> freed =
                decision.map(known -> freed(known, candidate.orElseThrow()));
        Optional<PriceBook.Price> price = price();
        return new SavingsEstimate(
                evidence.scope(),
                evidence.analysed(trigger),
                new SavingsEstimate.Choice(
                        nameOf(candidate),
                        order,
                        decision.isEmpty()
                                || decision.get().chosen().equals(candidate.orElseThrow()),
                        candidate.flatMap(Candidate::fixes)),
                catalog.aim(),
                reservation(decision),
                decision.map(
                        known ->
                                new SavingsEstimate.Change(
                                        candidate.orElseThrow(), known.now(), known.target())),
                freed,
                freed.flatMap(cores -> price.map(at -> value(cores, at))),
                objective,
                settings.kappa(),
                trust(candidate),
                candidate.filter(each -> each.changes() && each.reached()).map(this::page),
                reasons(decision, candidate, freed, price));
    }

    private SavingsEstimate.Reservation reservation(Optional<Decision> decision) {
        OptionalDouble each = evidence.scope().reservedCores();
        return new SavingsEstimate.Reservation(
                each.isPresent()
                        ? OptionalDouble.of(each.getAsDouble() * evidence.scope().shards())
                        : OptionalDouble.empty(),
                peaks.most(evidence.endUs()),
                optional(headroom.map(Multiple::value)),
                settings.targets().headroomTarget(),
                optional(
                        decision.filter(known -> !known.coresStay())
                                .map(known -> known.withoutFixes().cores())),
                optional(decision.map(known -> known.service().floorCores())));
    }

    /** Name of a candidate in rows. */
    private static String nameOf(Optional<Candidate> candidate) {
        return candidate
                .flatMap(Candidate::fixes)
                .map(
                        known ->
                                known.fixes().stream()
                                        .map(fix -> fix.kind().label())
                                        .collect(Collectors.joining(" + ")))
                .orElse(candidate.filter(Candidate::changes).isPresent() ? RESIZED : UNCHANGED);
    }

    private static OptionalDouble optional(Optional<Double> value) {
        return value.isPresent() ? OptionalDouble.of(value.get()) : OptionalDouble.empty();
    }

    private SavingsEstimate.Freed freed(Decision decision, Candidate candidate) {
        Multiple at = headroom.orElseThrow();
        Freed freed = Freed.of(decision, candidate, at.low(), at.high());
        return new SavingsEstimate.Freed(estimate(freed.rightSizing()), estimate(freed.byFixes()));
    }

    private static Estimate estimate(Freed.Ends ends) {
        return new Estimate(ends.value(), ends.low(), ends.high());
    }

    private Optional<String> priceClass() {
        return catalog.entry().flatMap(ServiceCatalogEntry::priceClass);
    }

    private Optional<PriceBook.Price> price() {
        return prices.flatMap(book -> book.of(priceClass(), evidence.endUs()));
    }

    private SavingsEstimate.Value value(SavingsEstimate.Freed freed, PriceBook.Price price) {
        double usd = price.usdPerReservedCoreYear();
        return new SavingsEstimate.Value(
                price.priceClass(),
                prices.orElseThrow().version(),
                freed.rightSizing().times(usd),
                freed.byFixes().times(usd),
                optional(price.packing().map(hosts -> cashable(freed, price, hosts))));
    }

    private double cashable(
            SavingsEstimate.Freed freed, PriceBook.Price price, PriceBook.Packing hosts) {
        Estimate cores = freed.byFixes();
        return SavingsValue.of(
                        cores.value(),
                        cores.low(),
                        cores.high(),
                        price,
                        prices.orElseThrow().version(),
                        evidence.endUs(),
                        hosts.hostCores(),
                        hosts.packingRatio())
                .cashableUsdPerYear();
    }

    /** The worse of what the evidence and what the replay of the candidate allow. */
    private Trust.Verdict trust(Optional<Candidate> candidate) {
        double throttled = evidence.demand().orElseThrow().throttledPeriodRatio();
        if (headroom.isEmpty() || strandedCores.isPresent() || throttled > SATURATED_FROM) {
            return Trust.Verdict.UNUSABLE;
        }
        boolean doubtful =
                throttled > CENSORED_FROM
                        || peaks.hours().size() < HOURS_MIN
                        || evidence.scope().completeness().orElse(0) < COMPLETE;
        Trust.Verdict seen = doubtful ? Trust.Verdict.DOUBTFUL : Trust.Verdict.SOUND;
        Trust.Verdict replayed =
                candidate.map(each -> each.after().trust().verdict()).orElse(Trust.Verdict.SOUND);
        return replayed.compareTo(seen) > 0 ? replayed : seen;
    }

    private String page(Candidate candidate) {
        return SettingPage.of(candidate.setting(), evidence.scope().key().service());
    }

    private List<Sentence> reasons(
            Optional<Decision> decision,
            Optional<Candidate> candidate,
            Optional<SavingsEstimate.Freed> freed,
            Optional<PriceBook.Price> price) {
        List<Sentence> reasons = new ArrayList<>();
        decision.ifPresent(
                known ->
                        reasons.addAll(
                                AdviceWords.of(
                                        known,
                                        candidate.orElseThrow(),
                                        freed.orElseThrow().rightSizing().value(),
                                        freed.orElseThrow().byFixes().value())));
        decision.flatMap(known -> slower(known, candidate.orElseThrow())).ifPresent(reasons::add);
        strandedCores.ifPresent(
                cores ->
                        reasons.add(
                                limit(
                                        "the kernel loses at least %.2f cores of its quota: install a kernel with the fix first; until then no other change is recommended or priced",
                                        cores)));
        BurstKernels kernels = evidence.burstKernels();
        boolean burst =
                candidate.flatMap(Candidate::fixes).stream()
                        .flatMap(known -> known.fixes().stream())
                        .anyMatch(fix -> fix.kind() == FixKind.BURST);
        kernels.words().filter(words -> burst || kernels.none()).ifPresent(reasons::add);
        if (evidence.quota().isEmpty()) {
            reasons.add(
                    Sentence.limit(
                            "no quota: what is reserved is not what limits it, so nothing is estimated"));
        } else if (evidence.scope().reservedCores().isEmpty()) {
            reasons.add(Sentence.limit("nothing is reserved"));
        } else if (headroom.isEmpty()) {
            reasons.add(Sentence.limit("the cliff is not known"));
        }
        if (prices.isEmpty()) {
            reasons.add(Sentence.limit("no price book"));
        } else if (price.isEmpty()) {
            reasons.add(
                    Sentence.limit(
                            "the price book has no class "
                                    + priceClass().orElse(PriceBook.DEFAULT_CLASS)));
        }
        reasons.add(new Sentence(settings.kappa().words(), !settings.kappa().measured()));
        if (!objective.stated()) {
            reasons.add(limit("latency objective assumed: %d ms", objective.sloUs() / 1_000));
        }
        if (peaks.hours().size() < HOURS_MIN) {
            int hours = peaks.hours().size();
            reasons.add(
                    limit(
                            "the peak is that of %d %s only, not of weeks",
                            hours, hours == 1 ? "hour" : "hours"));
        }
        completeness().ifPresent(reasons::add);
        candidate.ifPresent(
                each ->
                        each.after().trust().reasons().stream()
                                .map(Trust.Reason::words)
                                .map(Sentence::limit)
                                .filter(words -> !reasons.contains(words))
                                .forEach(reasons::add));
        return reasons;
    }

    /** A change that is throttled little enough may still make the slowest work wait too long. */
    private Optional<Sentence> slower(Decision decision, Candidate candidate) {
        double nowUs = decision.now().tailDelayUs();
        double afterUs = candidate.after().tailDelayUs();
        return afterUs > objective.sloUs() && afterUs > nowUs
                ? Optional.of(
                        limit(
                                "tail delay at peak rises from %.1f to %.1f ms, beyond the latency objective of %d ms",
                                nowUs / 1e3, afterUs / 1e3, objective.sloUs() / 1_000))
                : Optional.empty();
    }

    private Optional<Sentence> completeness() {
        OptionalDouble complete = evidence.scope().completeness();
        if (complete.isEmpty()) {
            return Optional.of(
                    Sentence.limit("no host says what it sent: what is missing is not known"));
        }
        return complete.getAsDouble() < COMPLETE
                ? Optional.of(limit("%.1f %% of the records arrived", 100 * complete.getAsDouble()))
                : Optional.empty();
    }

    private static Sentence limit(String format, Object... values) {
        return Sentence.limit(String.format(Locale.ROOT, format, values));
    }
}
