package io.quotascope.domain.analysis;

import io.quotascope.domain.cfs.CpuLimit;
import io.quotascope.domain.fleet.CatalogView;
import io.quotascope.domain.fleet.ServiceCatalogEntry;
import io.quotascope.domain.rank.StrandedHorizon;
import io.quotascope.domain.whatif.CostGrowth;
import io.quotascope.domain.whatif.DemandEvidence;
import io.quotascope.domain.whatif.Outcome;
import io.quotascope.domain.whatif.Scenario;
import io.quotascope.domain.whatif.ShardMemory;
import io.quotascope.domain.whatif.Situation;
import io.quotascope.domain.whatif.Trust;
import io.quotascope.domain.whatif.WhatIf;
import io.quotascope.domain.whatif.advice.Setting;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * Every scenario of the grid for one service. Which change is recommended is decided elsewhere, by
 * {@link SavingsAnalysis}. An instance is scratch memory for one thread.
 */
public final class WhatIfAnalysis {
    private static final long GIB = 1L << 30;

    /** The rows, the present setting first; none when no demand is known. */
    public List<WhatIfOutcome> of(
            HorizonEvidence evidence, CatalogView catalog, AnalysisTrigger trigger) {
        if (evidence.demand().isEmpty() || !(evidence.demand().get().meanCores() > 0)) {
            return List.of();
        }
        Optional<CostGrowth> price = catalog.kappa().measuredGrowth(evidence.quotaCores());
        WhatIf whatIf = whatIf(evidence, catalog);
        List<ScenarioGrid.Asked> grid =
                ScenarioGrid.of(ScenarioGrid.Ground.of(evidence), whatIf.now());
        boolean loses = StrandedHorizon.cores(evidence.minutes()).isPresent();
        Outcome baseline = outcome(whatIf, grid.get(0).scenario(), loses);
        List<WhatIfOutcome> rows = new ArrayList<>();
        for (ScenarioGrid.Asked asked : grid) {
            Outcome outcome = rows.isEmpty() ? baseline : outcome(whatIf, asked.scenario(), loses);
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
                            asked.setting().map(set -> page(set, evidence)),
                            reasons));
        }
        return rows;
    }

    /** Demand explains what happens under a quota, unless the kernel loses some of it. */
    private static Outcome outcome(WhatIf whatIf, Scenario scenario, boolean kernelLosesQuota) {
        Outcome outcome = whatIf.outcome(scenario);
        return kernelLosesQuota && scenario.after(whatIf.now()).quota().isPresent()
                ? outcome.doubtedFor(Trust.Reason.KERNEL_LOSES_QUOTA)
                : outcome;
    }

    /** Scenarios of a horizon that has demand. */
    static WhatIf whatIf(HorizonEvidence evidence, CatalogView catalog) {
        DemandEvidence demand = evidence.demand().orElseThrow();
        return catalog.kappa()
                .measuredGrowth(evidence.quotaCores())
                .map(price -> WhatIf.of(demand, price, evidence.seed()))
                .orElseGet(() -> WhatIf.of(demand, evidence.seed()));
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
