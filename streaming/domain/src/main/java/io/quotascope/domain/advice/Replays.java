package io.quotascope.domain.advice;

import io.quotascope.domain.cfs.CpuLimit;
import io.quotascope.domain.savings.Fix;
import io.quotascope.domain.savings.FixKind;
import io.quotascope.domain.savings.FixSet;
import io.quotascope.domain.savings.LatencyObjective;
import io.quotascope.domain.whatif.DemandSeries;
import io.quotascope.domain.whatif.Outcome;
import io.quotascope.domain.whatif.Scenario;
import io.quotascope.domain.whatif.WhatIf;
import io.quotascope.domain.whatif.advice.HeadroomModel;
import io.quotascope.domain.whatif.advice.Setting;
import io.quotascope.domain.whatif.advice.Target;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/** Whole settings of one service, replayed at its peak once each, and whether they reach. */
final class Replays {
    /** Least quota that the kernel takes, microseconds. */
    private static final long QUOTA_US_MIN = 1_000;

    private final WhatIf whatIf;
    private final Service service;
    private final HeadroomModel risk;
    private final Target target;
    private final LatencyObjective objective;
    private final boolean objectiveHolds;
    private final Map<Setting, Tried> replayed;

    record Tried(Setting setting, Outcome outcome, OptionalDouble headroom) {}

    private Replays(
            WhatIf whatIf,
            Service service,
            HeadroomModel risk,
            Target target,
            LatencyObjective objective,
            boolean objectiveHolds,
            Map<Setting, Tried> replayed) {
        this.whatIf = whatIf;
        this.service = service;
        this.risk = risk;
        this.target = target;
        this.objective = objective;
        this.objectiveHolds = objectiveHolds;
        this.replayed = replayed;
    }

    static Replays of(
            WhatIf whatIf,
            Service service,
            HeadroomModel risk,
            Target target,
            LatencyObjective objective) {
        return new Replays(whatIf, service, risk, target, objective, true, new HashMap<>());
    }

    /** The same without the latency objective; what was replayed is not replayed again. */
    Replays withoutObjective() {
        return new Replays(whatIf, service, risk, target, objective, false, replayed);
    }

    /** Whether a setting that was tried reaches everything but the latency objective. */
    boolean refusedAny() {
        return replayed.values().stream()
                .anyMatch(tried -> reachesBesides(tried) && !keepsObjective(tried));
    }

    /**
     * A multiple of the quota. Pools may fill it or stay below it: as many threads as cores,
     * rounded up, use all of a quota of part of a core but can still run it dry; rounded down they
     * cannot.
     */
    Tried sized(Optional<FixSet> fixes, double multiple) {
        CpuLimit.Quota now = service.quota();
        long quotaUs = Math.max(QUOTA_US_MIN, (long) Math.ceil(multiple * now.quotaUs() - 1e-6));
        long burstUs = has(fixes, FixKind.BURST) ? quotaUs : now.burstUs();
        CpuLimit.Quota quota = new CpuLimit.Quota(quotaUs, now.periodUs(), burstUs, now.phaseUs());
        if (!has(fixes, FixKind.POOLS)) {
            return tried(new Setting(quota, OptionalInt.empty(), false));
        }
        double cores = quotaUs / (double) now.periodUs();
        int filling = (int) Math.max(1, Math.ceil(cores - 1e-9));
        Tried filled = tried(new Setting(quota, OptionalInt.of(filling), false));
        if (filling == 1 || filling <= cores + 1e-9 || reaches(filled)) {
            return filled;
        }
        Tried below = tried(new Setting(quota, OptionalInt.of(filling - 1), false));
        return reaches(below) ? below : filled;
    }

    Setting cpus(Optional<FixSet> fixes, int cpus) {
        long periodUs = service.quota().periodUs();
        return new Setting(
                new CpuLimit.Quota(cpus * periodUs, periodUs, 0, 0),
                has(fixes, FixKind.POOLS) ? OptionalInt.of(cpus) : OptionalInt.empty(),
                true);
    }

    static boolean has(Optional<FixSet> fixes, FixKind kind) {
        return fixes.map(FixSet::fixes).orElse(List.of()).stream()
                .map(Fix::kind)
                .anyMatch(kind::equals);
    }

    /** As it is set now. */
    Tried now() {
        return tried(new Setting(service.quota(), OptionalInt.empty(), false));
    }

    /** Sets that come to the same setting are replayed once. */
    Tried tried(Setting setting) {
        return replayed.computeIfAbsent(setting, this::replay);
    }

    private Tried replay(Setting setting) {
        List<Scenario> changes = new ArrayList<>();
        if (target.peakMultiple() != 1.0) {
            changes.add(new Scenario.Load(target.peakMultiple(), DemandSeries.INDEPENDENT));
        }
        changes.addAll(setting.changesFrom(whatIf.now().quota()));
        Scenario scenario =
                changes.isEmpty() ? new Scenario.AsItIs() : new Scenario.Together(changes);
        Outcome outcome = whatIf.outcome(scenario);
        boolean calm = outcome.throttledPeriodRatio().value() <= target.throttledPeriodRatio();
        // The risk model costs more than the rest together: ask it only where it decides.
        return new Tried(
                setting,
                outcome,
                calm ? risk.headroom(scenario.after(whatIf.now())) : OptionalDouble.empty());
    }

    private static double capacity(Setting setting) {
        return Math.min(setting.cores(), setting.poolThreads().orElse(Integer.MAX_VALUE));
    }

    /** Whether throttling, headroom, room for the load and the objective are as asked for. */
    boolean reaches(Tried tried) {
        return reachesBesides(tried) && (!objectiveHolds || keepsObjective(tried));
    }

    private boolean keepsObjective(Tried tried) {
        return objective.keptBy(tried.outcome(), now().outcome());
    }

    private boolean reachesBesides(Tried tried) {
        return tried.outcome().throttledPeriodRatio().value() <= target.throttledPeriodRatio()
                && tried.headroom().orElse(target.headroom()) >= target.headroom()
                && tried.outcome().meanCores() < capacity(tried.setting());
    }
}
