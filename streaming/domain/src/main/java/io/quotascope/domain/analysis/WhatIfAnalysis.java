package io.quotascope.domain.analysis;

import io.quotascope.domain.cfs.CpuLimit;
import io.quotascope.domain.fleet.CatalogView;
import io.quotascope.domain.fleet.ServiceCatalogEntry;
import io.quotascope.domain.risk.CliffSearch;
import io.quotascope.domain.risk.ReplayedHeadroom;
import io.quotascope.domain.risk.RiskPolicy;
import io.quotascope.domain.whatif.CostGrowth;
import io.quotascope.domain.whatif.Outcome;
import io.quotascope.domain.whatif.Scenario;
import io.quotascope.domain.whatif.ShardMemory;
import io.quotascope.domain.whatif.Situation;
import io.quotascope.domain.whatif.Trust;
import io.quotascope.domain.whatif.WhatIf;
import io.quotascope.domain.whatif.advice.Recommendation;
import io.quotascope.domain.whatif.advice.Recommender;
import io.quotascope.domain.whatif.advice.Setting;
import io.quotascope.domain.whatif.advice.Target;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * Every scenario of the grid for one service, and the change that is recommended. An instance is
 * scratch memory for one thread.
 */
public final class WhatIfAnalysis {
    /** A peak so far above what was measured would be more assumption than measurement. */
    private static final double PEAK_MAX = 4;

    private static final long GIB = 1L << 30;

    private final RiskPolicy policy;
    private final Target target;
    private final CliffSearch search;

    /**
     * @param policy of the risk model, which a recommendation has to satisfy
     * @param target what a recommendation is to reach
     */
    public WhatIfAnalysis(RiskPolicy policy, Target target) {
        this.policy = policy;
        this.target = target;
        this.search = new CliffSearch(policy);
    }

    /** The rows, the present setting first; none when no demand is known. */
    public List<WhatIfOutcome> of(
            HorizonEvidence evidence,
            CatalogView catalog,
            LoadPeaks peaks,
            AnalysisTrigger trigger) {
        if (evidence.demand().isEmpty() || !(evidence.demand().get().meanCores() > 0)) {
            return List.of();
        }
        Optional<CostGrowth> price = catalog.kappa().measuredGrowth(evidence.quotaCores());
        WhatIf whatIf =
                price.isPresent()
                        ? WhatIf.of(evidence.demand().get(), price.get(), evidence.seed())
                        : WhatIf.of(evidence.demand().get(), evidence.seed());
        List<ScenarioGrid.Asked> grid =
                ScenarioGrid.of(ScenarioGrid.Ground.of(evidence), whatIf.now());
        Outcome baseline = whatIf.outcome(grid.get(0).scenario());
        List<WhatIfOutcome> rows = new ArrayList<>();
        for (ScenarioGrid.Asked asked : grid) {
            Outcome outcome = rows.isEmpty() ? baseline : whatIf.outcome(asked.scenario());
            List<String> reasons = new ArrayList<>(asked.doubts());
            outcome.trust().reasons().stream().map(Trust.Reason::words).forEach(reasons::add);
            if (asked.kind() == ScenarioKind.CONSOLIDATION) {
                reasons.add(memory(catalog));
            }
            price.ifPresent(known -> reasons.add(catalog.kappa().words()));
            rows.add(
                    new WhatIfOutcome(
                            evidence.scope(),
                            evidence.analysed(trigger),
                            new WhatIfOutcome.Question(asked.name(), asked.kind(), rows.size()),
                            figures(asked.scenario().after(whatIf.now()), whatIf.now()),
                            baseline,
                            outcome,
                            Optional.empty(),
                            asked.setting().map(set -> page(set, evidence)),
                            reasons));
        }
        recommended(evidence, catalog, peaks, whatIf)
                .map(advice -> row(advice, evidence, trigger, whatIf, baseline, rows.size()))
                .ifPresent(rows::add);
        return rows;
    }

    private Optional<WhatIfOutcome.Advice> recommended(
            HorizonEvidence evidence, CatalogView catalog, LoadPeaks peaks, WhatIf whatIf) {
        double peak = peakMultiple(evidence, peaks);
        return Recommender.of(
                        whatIf,
                        new ReplayedHeadroom(
                                search, CatalogClients.of(catalog, policy.assumedClients())),
                        target.atPeak(peak))
                .map(recommendation -> new WhatIfOutcome.Advice(recommendation, peak));
    }

    /** Peak of the last weeks over the mean of the horizon, at least 1. */
    static double peakMultiple(HorizonEvidence evidence, LoadPeaks peaks) {
        OptionalDouble most = peaks.mostPerShard(evidence.endUs());
        double mean = evidence.demand().orElseThrow().meanCores();
        return Math.max(1, Math.min(PEAK_MAX, most.orElse(mean) / mean));
    }

    private static WhatIfOutcome row(
            WhatIfOutcome.Advice advice,
            HorizonEvidence evidence,
            AnalysisTrigger trigger,
            WhatIf whatIf,
            Outcome baseline,
            int order) {
        Recommendation recommendation = advice.recommendation();
        CpuLimit.Quota quota = whatIf.now().quota().orElseThrow();
        List<Scenario> changes = recommendation.setting().changesFrom(quota);
        Scenario change =
                changes.isEmpty() ? new Scenario.AsItIs() : new Scenario.Together(changes);
        List<String> reasons = new ArrayList<>();
        reasons.add(
                changes.isEmpty() ? "leave it as it is" : words(recommendation.setting(), quota));
        if (advice.peakMultiple() > 1) {
            reasons.add(
                    text(
                            "sized for %.2f times the load of the horizon, its peak of two weeks",
                            advice.peakMultiple()));
        }
        reasons.addAll(recommendation.reasons());
        return new WhatIfOutcome(
                evidence.scope(),
                evidence.analysed(trigger),
                new WhatIfOutcome.Question("recommended", ScenarioKind.RECOMMENDED, order),
                figures(change.after(whatIf.now()), whatIf.now()),
                baseline,
                whatIf.outcome(change),
                Optional.of(advice),
                Optional.of(page(recommendation.setting(), evidence)),
                reasons);
    }

    private static String words(Setting setting, CpuLimit.Quota now) {
        List<String> words = new ArrayList<>();
        if (setting.wholeCpus()) {
            words.add(text("%.0f whole CPUs in place of the quota", setting.cores()));
        } else {
            words.add(text("quota %.2f cores", setting.cores()));
            if (setting.quota().burstUs() != now.burstUs()) {
                words.add(text("burst %.0f ms", setting.quota().burstUs() / 1e3));
            }
        }
        setting.poolThreads()
                .ifPresent(threads -> words.add("at most " + threads + " threads at once"));
        return String.join(", ", words);
    }

    /** Whether two shards fit into the memory of one, as far as the owner says. */
    private static String memory(CatalogView catalog) {
        long floor =
                catalog.entry()
                        .map(ServiceCatalogEntry::memoryFloorBytes)
                        .orElse(OptionalLong.empty())
                        .orElse(0);
        long has =
                catalog.entry()
                        .map(ServiceCatalogEntry::memoryBytes)
                        .orElse(OptionalLong.empty())
                        .orElse(0);
        if (floor == 0 || has == 0) {
            return "whether their memory fits into one shard is not known";
        }
        boolean fits = new ShardMemory(floor, 0).mergeable(has) >= 2;
        return text(
                fits
                        ? "two shards need %.1f GiB, one has %.1f"
                        : "not without more memory: two shards need %.1f GiB, one has %.1f",
                2.0 * floor / GIB,
                (double) has / GIB);
    }

    private static WhatIfOutcome.Figures figures(Situation after, Situation now) {
        Optional<CpuLimit.Quota> quota = after.quota();
        return new WhatIfOutcome.Figures(
                quota.isPresent()
                        ? OptionalDouble.of(quota.get().quotaUs() / (double) quota.get().periodUs())
                        : OptionalDouble.empty(),
                quota.map(CpuLimit.Quota::periodUs),
                quota.map(CpuLimit.Quota::burstUs),
                after.capCores(),
                after.demand().meanCores() / now.demand().meanCores());
    }

    private static String page(Setting setting, HorizonEvidence evidence) {
        return SettingPage.of(setting, evidence.scope().key().service());
    }

    private static String text(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
