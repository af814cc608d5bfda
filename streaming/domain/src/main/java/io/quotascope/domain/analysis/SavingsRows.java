package io.quotascope.domain.analysis;

import io.quotascope.domain.cfs.CpuLimit;
import io.quotascope.domain.fleet.CatalogView;
import io.quotascope.domain.fleet.ServiceCatalogEntry;
import io.quotascope.domain.risk.Multiple;
import io.quotascope.domain.savings.Fix;
import io.quotascope.domain.savings.FixKind;
import io.quotascope.domain.savings.FixSet;
import io.quotascope.domain.savings.LatencyObjective;
import io.quotascope.domain.savings.PriceBook;
import io.quotascope.domain.savings.Provisioning;
import io.quotascope.domain.savings.SavingsValue;
import io.quotascope.domain.savings.ServiceSavings;
import io.quotascope.domain.whatif.Allowance;
import io.quotascope.domain.whatif.Trust;
import io.quotascope.domain.whatif.advice.Setting;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/** Rows of one analysis of savings: cores, money and words for each set of fixes. */
final class SavingsRows {
    /** A peak of fewer hours than a day is no peak. */
    private static final int HOURS_MIN = 24;

    private static final double CENSORED_FROM = 0.25;
    private static final double SATURATED_FROM = 0.9;
    private static final double COMPLETE = 0.99;
    private static final String FLOOR = "the peak, failures, memory and the least number of shards";

    private final HorizonEvidence evidence;
    private final CatalogView catalog;
    private final LoadPeaks peaks;
    private final Optional<Multiple> headroom;
    private final SavingsSettings settings;
    private final LatencyObjective objective;
    private final Optional<PriceBook> prices;
    private final AnalysisTrigger trigger;

    SavingsRows(
            HorizonEvidence evidence,
            CatalogView catalog,
            LoadPeaks peaks,
            Optional<Multiple> headroom,
            SavingsSettings settings,
            LatencyObjective objective,
            Optional<PriceBook> prices,
            AnalysisTrigger trigger) {
        this.evidence = evidence;
        this.catalog = catalog;
        this.peaks = peaks;
        this.headroom = headroom;
        this.settings = settings;
        this.objective = objective;
        this.prices = prices;
        this.trigger = trigger;
    }

    List<SavingsEstimate> of(List<FixSet> sets) {
        Optional<Provisioning> provisioning = headroom.flatMap(at -> provisioning(at.value()));
        Optional<FixSet> best =
                provisioning.flatMap(
                        known ->
                                ServiceSavings.of(known, settings.targets(), sets, settings.kappa())
                                        .best());
        List<SavingsEstimate> rows = new ArrayList<>();
        rows.add(row(provisioning, Optional.empty(), 0, best.isEmpty()));
        for (FixSet set : sets) {
            boolean chosen = best.isPresent() && best.get().fixes().equals(set.fixes());
            rows.add(row(provisioning, Optional.of(set), rows.size(), chosen));
        }
        return rows;
    }

    private Optional<Provisioning> provisioning(double at) {
        return SavingsAnalysis.provisioning(evidence, catalog, peaks, at);
    }

    private SavingsEstimate row(
            Optional<Provisioning> provisioning, Optional<FixSet> set, int order, boolean best) {
        Optional<ServiceSavings> savings =
                provisioning.map(known -> SavingsAnalysis.savings(known, set, settings));
        Optional<SavingsEstimate.Freed> freed = savings.map(known -> freed(known, set));
        Optional<PriceBook.Price> price = price();
        OptionalDouble reserved =
                evidence.scope().reservedCores().isPresent()
                        ? OptionalDouble.of(
                                evidence.scope().reservedCores().getAsDouble()
                                        * evidence.scope().shards())
                        : OptionalDouble.empty();
        return new SavingsEstimate(
                evidence.scope(),
                evidence.analysed(trigger),
                new SavingsEstimate.Choice(SavingsAnalysis.nameOf(set), order, best, set),
                new SavingsEstimate.Reservation(
                        reserved,
                        peaks.most(evidence.endUs()),
                        headroom.isPresent()
                                ? OptionalDouble.of(headroom.get().value())
                                : OptionalDouble.empty(),
                        settings.targets().headroomTarget(),
                        optional(savings.map(ServiceSavings::needCores)),
                        optional(savings.map(ServiceSavings::floorCores))),
                Optional.empty(),
                freed,
                freed.flatMap(cores -> price.map(at -> value(cores, savings.get(), at))),
                objective,
                settings.kappa(),
                trust(),
                set.map(fixes -> page(fixes, savings)),
                reasons(savings, set, price));
    }

    private static OptionalDouble optional(Optional<Double> value) {
        return value.isPresent() ? OptionalDouble.of(value.get()) : OptionalDouble.empty();
    }

    /**
     * A cliff that is nearer leaves fewer cores free without a fix, and more to be freed by one.
     */
    private SavingsEstimate.Freed freed(ServiceSavings savings, Optional<FixSet> set) {
        Multiple at = headroom.orElseThrow();
        return new SavingsEstimate.Freed(
                new Estimate(
                        savings.rightSizingCores(), rightSized(at.low()), rightSized(at.high())),
                byFixes(savings, reclaimable(at.high(), set), reclaimable(at.low(), set)));
    }

    /**
     * How sure the gain is and how sure the need is that it lessens: two errors that know nothing
     * of each other.
     *
     * @param leastNeed what the fixes free when the cliff is as far as it may be
     * @param mostNeed the same when it is as near
     */
    private static Estimate byFixes(ServiceSavings savings, double leastNeed, double mostNeed) {
        double value = savings.reclaimableCores();
        double below =
                Math.hypot(value - savings.reclaimableCoresLow(), Math.max(0, value - leastNeed));
        double above =
                Math.hypot(savings.reclaimableCoresHigh() - value, Math.max(0, mostNeed - value));
        double most = savings.rightSizingCores() + savings.needCores() - savings.floorCores();
        return new Estimate(
                value, Math.max(0, value - below), Math.max(value, Math.min(most, value + above)));
    }

    private double reclaimable(double at, Optional<FixSet> set) {
        return SavingsAnalysis.savings(provisioning(at).orElseThrow(), set, settings)
                .reclaimableCores();
    }

    private double rightSized(double at) {
        Provisioning known = provisioning(at).orElseThrow();
        return known.reservedCoresTotal() - known.rightSizedCores(settings.targets());
    }

    private Optional<String> priceClass() {
        return catalog.entry().flatMap(ServiceCatalogEntry::priceClass);
    }

    private Optional<PriceBook.Price> price() {
        return prices.flatMap(book -> book.of(priceClass(), evidence.endUs()));
    }

    private SavingsEstimate.Value value(
            SavingsEstimate.Freed freed, ServiceSavings savings, PriceBook.Price price) {
        double usd = price.usdPerReservedCoreYear();
        return new SavingsEstimate.Value(
                price.priceClass(),
                prices.orElseThrow().version(),
                freed.rightSizing().times(usd),
                freed.byFixes().times(usd),
                optional(price.packing().map(hosts -> cashable(savings, price, hosts))));
    }

    private double cashable(
            ServiceSavings savings, PriceBook.Price price, PriceBook.Packing hosts) {
        return SavingsValue.of(
                        savings,
                        price,
                        prices.orElseThrow().version(),
                        evidence.endUs(),
                        hosts.hostCores(),
                        hosts.packingRatio())
                .cashableUsdPerYear();
    }

    private Trust.Verdict trust() {
        double throttled = evidence.demand().orElseThrow().throttledPeriodRatio();
        if (headroom.isEmpty() || throttled > SATURATED_FROM) {
            return Trust.Verdict.UNUSABLE;
        }
        boolean doubtful =
                throttled > CENSORED_FROM
                        || peaks.hours().size() < HOURS_MIN
                        || evidence.scope().completeness().orElse(0) < COMPLETE;
        return doubtful ? Trust.Verdict.DOUBTFUL : Trust.Verdict.SOUND;
    }

    private String page(FixSet set, Optional<ServiceSavings> savings) {
        Allowance after =
                Fix.applyAll(
                        new Allowance(evidence.quota(), evidence.demand().orElseThrow().cpus()),
                        set.fixes());
        boolean pools = set.fixes().stream().anyMatch(fix -> fix.kind() == FixKind.POOLS);
        CpuLimit.Quota whole =
                new CpuLimit.Quota(Math.round(after.capCores() * 100_000), 100_000, 0, 0);
        Setting setting =
                new Setting(
                        after.quota().orElse(whole),
                        pools ? OptionalInt.of((int) after.capCores()) : OptionalInt.empty(),
                        after.quota().isEmpty());
        String page = SettingPage.of(setting, evidence.scope().key().service());
        return savings.map(known -> shards(known) + page).orElse(page);
    }

    /** The same shards carry more, so fewer of them are needed. */
    private String shards(ServiceSavings savings) {
        double kept = savings.needCores() - savings.reclaimableCores();
        int now = evidence.scope().shards();
        double each = evidence.scope().reservedCores().orElseThrow();
        int needed = (int) Math.max(1, Math.ceil(kept / each - 1e-9));
        return needed < now ? text("# shards: %d of %d carry the load\n", needed, now) : "";
    }

    private List<String> reasons(
            Optional<ServiceSavings> savings,
            Optional<FixSet> set,
            Optional<PriceBook.Price> price) {
        List<String> reasons = new ArrayList<>();
        savings.ifPresent(known -> reasons.addAll(words(known, set)));
        if (evidence.quota().isEmpty()) {
            reasons.add(
                    "no quota: what is reserved is not what limits it, so nothing is estimated");
        } else if (evidence.scope().reservedCores().isEmpty()) {
            reasons.add("nothing is reserved");
        } else if (headroom.isEmpty()) {
            reasons.add("the cliff is not known");
        }
        if (prices.isEmpty()) {
            reasons.add("no price book");
        } else if (price.isEmpty()) {
            reasons.add(
                    "the price book has no class " + priceClass().orElse(PriceBook.DEFAULT_CLASS));
        }
        reasons.add(settings.kappa().words());
        if (!objective.stated()) {
            reasons.add(text("latency objective assumed: %d ms", objective.sloUs() / 1_000));
        }
        if (peaks.hours().size() < HOURS_MIN) {
            reasons.add(
                    text("the peak is that of %d hours only, not of weeks", peaks.hours().size()));
        }
        return reasons;
    }

    private List<String> words(ServiceSavings savings, Optional<FixSet> set) {
        List<String> words = new ArrayList<>();
        double reserved =
                evidence.scope().reservedCores().orElseThrow() * evidence.scope().shards();
        set.ifPresent(
                known ->
                        words.add(
                                text(
                                        "the same reservation carries %.2f times the load (%.2f .. %.2f)",
                                        known.gain(), known.gainLow(), known.gainHigh())));
        words.add(
                text(
                        "%.2f of %.2f reserved cores are free without any fix at headroom %.1f",
                        savings.rightSizingCores(), reserved, settings.targets().headroomTarget()));
        if (savings.floorDecides()) {
            words.add(
                    text(
                            "%.2f cores must stay for %s: that decides what the fixes free, not how much they gain",
                            savings.floorCores(), FLOOR));
        } else if (savings.needCores() <= savings.floorCores() * 1.001) {
            words.add(text("%.2f cores must stay for %s", savings.floorCores(), FLOOR));
        }
        return words;
    }

    private static String text(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
