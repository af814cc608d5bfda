package io.quotascope.domain.whatif.advice;

import io.quotascope.domain.cfs.CpuLimit;
import io.quotascope.domain.whatif.DemandSeries;
import io.quotascope.domain.whatif.Outcome;
import io.quotascope.domain.whatif.Scenario;
import io.quotascope.domain.whatif.Situation;
import io.quotascope.domain.whatif.WhatIf;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/**
 * Searches settings jointly: for every kind of change (none, burst, pools, whole CPUs, burst and
 * pools) the least quota that reaches the target at peak, then the cheapest of those. Gains of
 * single changes are never added up.
 */
public final class Recommender {
    /** A day of work is worth this share of the cores: a saving below it is not worth the day. */
    private static final double SHARE_PER_DAY = 0.02;

    /** Quotas tried, as multiples of the one in force, ascending. */
    private static final double[] MULTIPLES = {
        0.25, 0.35, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.1, 1.25, 1.5, 1.75, 2.0, 2.5, 3.0, 4.0
    };

    private static final double BURST_OF_QUOTA = 1.0;

    private final WhatIf whatIf;
    private final CpuLimit.Quota quota;
    private final HeadroomModel risk;
    private final Target target;

    private record Candidate(Setting setting, Outcome outcome, OptionalDouble headroom) {}

    /** What is changed besides the quota. */
    private record Kind(boolean burst, boolean pools, boolean wholeCpus) {
        static final List<Kind> ALL =
                List.of(
                        new Kind(false, false, false),
                        new Kind(true, false, false),
                        new Kind(false, true, false),
                        new Kind(true, true, false),
                        new Kind(false, false, true));
    }

    private Recommender(WhatIf whatIf, CpuLimit.Quota quota, HeadroomModel risk, Target target) {
        this.whatIf = whatIf;
        this.quota = quota;
        this.risk = risk;
        this.target = target;
    }

    /** The recommendation; absent for a shard without a quota. */
    public static Optional<Recommendation> of(WhatIf whatIf, HeadroomModel risk, Target target) {
        return whatIf.now()
                .quota()
                .map(quota -> new Recommender(whatIf, quota, risk, target).recommend());
    }

    private Recommendation recommend() {
        Candidate now = candidate(new Setting(quota, OptionalInt.empty(), false));
        List<Candidate> reached = new ArrayList<>();
        for (Kind kind : Kind.ALL) {
            if (target.aim() == Target.Aim.LATENCY) {
                Candidate same = candidate(setting(kind, 1.0));
                if (reaches(same)) {
                    reached.add(same);
                }
            } else {
                least(kind).ifPresent(reached::add);
            }
        }
        if (target.aim() == Target.Aim.LATENCY && reached.isEmpty()) {
            // With the cores of today nothing helps: then the least that does.
            Kind.ALL.forEach(kind -> least(kind).ifPresent(reached::add));
        }
        Comparator<Candidate> best =
                target.aim() == Target.Aim.LATENCY
                        ? Comparator.comparingDouble(Recommender::tailUs)
                                .thenComparingDouble(this::price)
                        : Comparator.comparingDouble(this::price);
        return reached.stream()
                .min(best)
                .map(chosen -> recommendation(now, chosen, true))
                .orElseGet(() -> recommendation(now, now, reaches(now)));
    }

    /** Cores, and work of people in cores. */
    private double price(Candidate candidate) {
        double days = candidate.setting().effortFrom(quota).days();
        return candidate.setting().cores() * (1.0 + SHARE_PER_DAY * days);
    }

    private static double tailUs(Candidate candidate) {
        return Math.max(candidate.outcome().stall().p99(), candidate.outcome().delay().p99());
    }

    /** By bisection: with more quota the target is reached sooner. */
    private Optional<Candidate> least(Kind kind) {
        int unreached = -1;
        int reached = MULTIPLES.length;
        Optional<Candidate> best = Optional.empty();
        while (reached - unreached > 1) {
            int middle = (reached + unreached) / 2;
            Candidate tried = candidate(setting(kind, MULTIPLES[middle]));
            if (reaches(tried)) {
                reached = middle;
                best = Optional.of(tried);
            } else {
                unreached = middle;
            }
        }
        return best;
    }

    private Setting setting(Kind kind, double multiple) {
        double cores = multiple * quota.quotaUs() / quota.periodUs();
        long quotaUs = Math.max(1_000, Math.round(multiple * quota.quotaUs()));
        if (kind.wholeCpus()) {
            quotaUs = (long) Math.ceil(cores) * quota.periodUs();
        }
        long burstUs = kind.burst() ? Math.round(BURST_OF_QUOTA * quotaUs) : quota.burstUs();
        OptionalInt threads =
                kind.pools()
                        ? OptionalInt.of((int) Math.max(1, Math.ceil(cores)))
                        : OptionalInt.empty();
        return new Setting(
                new CpuLimit.Quota(quotaUs, quota.periodUs(), burstUs, quota.phaseUs()),
                threads,
                kind.wholeCpus());
    }

    private Candidate candidate(Setting setting) {
        List<Scenario> changes = new ArrayList<>();
        if (target.peakMultiple() != 1.0) {
            changes.add(new Scenario.Load(target.peakMultiple(), DemandSeries.INDEPENDENT));
        }
        changes.addAll(setting.changesFrom(quota));
        Scenario scenario = new Scenario.Together(changes);
        Outcome outcome = whatIf.outcome(scenario);
        boolean calm = outcome.throttledPeriodRatio().value() <= target.throttledPeriodRatio();
        // The risk model costs more than the rest together: ask it only where it decides.
        Situation after = scenario.after(whatIf.now());
        return new Candidate(
                setting, outcome, calm ? risk.headroom(after) : OptionalDouble.empty());
    }

    private boolean reaches(Candidate tried) {
        return tried.outcome().throttledPeriodRatio().value() <= target.throttledPeriodRatio()
                && tried.headroom().orElse(target.headroom()) >= target.headroom()
                && tried.outcome().meanCores() < tried.setting().cores();
    }

    private Recommendation recommendation(Candidate now, Candidate chosen, boolean reached) {
        double saved = now.setting().cores() - chosen.setting().cores();
        return new Recommendation(
                chosen.setting(),
                now.outcome(),
                chosen.outcome(),
                chosen.headroom(),
                saved,
                chosen.setting().effortFrom(quota),
                reached,
                reasons(now, chosen, reached, saved));
    }

    private List<String> reasons(Candidate now, Candidate chosen, boolean reached, double saved) {
        List<String> reasons = new ArrayList<>();
        reasons.add(
                text(
                        "throttled periods at peak: %.1f %% now, %.1f %% (%.1f .. %.1f %%) after",
                        100 * now.outcome().throttledPeriodRatio().value(),
                        100 * chosen.outcome().throttledPeriodRatio().value(),
                        100 * chosen.outcome().throttledPeriodRatio().low(),
                        100 * chosen.outcome().throttledPeriodRatio().high()));
        if (!reached) {
            reasons.add("no setting up to four times the quota reaches the target");
        } else if (saved > 0) {
            reasons.add(text("%.2f of %.2f cores a shard are free", saved, now.setting().cores()));
        } else if (saved < 0) {
            reasons.add(text("needs %.2f cores a shard more", -saved));
        }
        reasons.add(
                chosen.headroom().isPresent()
                        ? text("collapses at %.2f times the peak", chosen.headroom().getAsDouble())
                        : "headroom before collapse is not known");
        chosen.outcome().trust().reasons().forEach(reason -> reasons.add(reason.words()));
        return reasons;
    }

    private static String text(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
