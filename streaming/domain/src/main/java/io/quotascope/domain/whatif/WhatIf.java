package io.quotascope.domain.whatif;

import io.quotascope.domain.cfs.CpuLimit;
import io.quotascope.domain.cfs.KernelRules;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Answers scenarios for one shard of a service: its demand is reconstructed once, every scenario is
 * replayed, and what the replay of the setting in force misses is corrected in all of them.
 */
public final class WhatIf {
    private static final double CENSORED_FROM = 0.25;
    private static final double SATURATED_FROM = 0.9;
    private static final double SECONDS_WANTED = 60.0;
    private static final double SECONDS_NEEDED = 10.0;
    private static final long SHORT_PERIOD_US = 20_000;
    private static final double FAR_LOAD = 2.0;

    /** Ratio by which a slice e times as long moved nine of ten simulated services at most. */
    private static final double SLICE_REACH = 0.011;

    /** Series whose delays are counted; ratios come from all. */
    private static final int DELAYED = 1;

    private final DemandEvidence evidence;
    private final Situation now;
    private final boolean costKnown;
    private final Anchor anchor;
    private final BlockReplay blocks = new BlockReplay();
    private final FluidReplay replay = new FluidReplay();

    private WhatIf(DemandEvidence evidence, Situation now, boolean costKnown) {
        this.evidence = evidence;
        this.costKnown = costKnown;
        this.now = now;
        anchor =
                new Anchor(
                        now.demand(),
                        blocks.run(now.demand(), now.allowance(), now.cost()),
                        evidence.throttledPeriodRatio(),
                        runRatio(evidence));
    }

    /**
     * Reconstructs the demand of a shard whose cost of concurrency is not known.
     *
     * @param evidence what was measured
     * @param seed of the synthetic series ({@link Reconstruction#seed})
     */
    public static WhatIf of(DemandEvidence evidence, long seed) {
        return of(evidence, CostGrowth.NONE, seed, false);
    }

    /** The same where it was measured how much dearer work grows, if at all. */
    public static WhatIf of(DemandEvidence evidence, CostGrowth cost, long seed) {
        return of(evidence, cost, seed, true);
    }

    private static WhatIf of(
            DemandEvidence evidence, CostGrowth cost, long seed, boolean costKnown) {
        DemandEnsemble demand = Reconstruction.synthesize(evidence, cost, seed);
        return new WhatIf(
                evidence,
                new Situation(demand, evidence.quota(), evidence.cpus(), 0, cost),
                costKnown);
    }

    /**
     * The same for known demand or a kernel that strands quota.
     *
     * @param demand reconstructed or recorded demand
     * @param strandedUs quota lost in every period to slices that expire, microseconds
     */
    public static WhatIf of(DemandEvidence evidence, DemandEnsemble demand, long strandedUs) {
        return new WhatIf(
                evidence,
                new Situation(
                        demand, evidence.quota(), evidence.cpus(), strandedUs, CostGrowth.NONE),
                false);
    }

    private static OptionalDouble runRatio(DemandEvidence evidence) {
        boolean stated =
                evidence.throttling().throttledRunRecords() > 0
                        && evidence.throttling().throttledRunRecords()
                                == evidence.throttling().bandwidthRecords();
        return stated && evidence.throttling().periods() > 0
                ? OptionalDouble.of(
                        evidence.throttling().throttledRuns()
                                / (double) evidence.throttling().periods())
                : OptionalDouble.empty();
    }

    /** The situation that scenarios change. */
    public Situation now() {
        return now;
    }

    /** What a scenario would give. */
    public Outcome outcome(Scenario scenario) {
        Situation after = scenario.after(now);
        RatioEstimate ratio = ratio(scenario, after);
        List<ReplayOutcome> delays = new ArrayList<>();
        for (DemandSeries series : after.demand().series().subList(0, DELAYED)) {
            delays.add(replay.run(ReplayCase.of(series, after.allowance()).withCost(after.cost())));
        }
        return new Outcome(
                scenario,
                ratio,
                ratio.value() > Outcome.THROTTLED_FROM,
                delays.get(0).stall(),
                delays.get(0).delay(),
                after.demand().meanCores(),
                trust(scenario, after, ratio.value()));
    }

    private RatioEstimate ratio(Scenario scenario, Situation after) {
        if (after.quota().isEmpty()) {
            return new RatioEstimate(0.0, 0.0, 0.0);
        }
        Anchor.Anchored tied = tied(after);
        RatioEstimate known = RatioInterval.around(tied, evidence, after, changesDemand(scenario));
        RatioEstimate priced =
                costKnown || after.equals(now)
                        ? known
                        : UnknownCost.widen(
                                known, evidence.throttledPeriodRatio(), after, splits(scenario));
        return priced.widened(sliceReach(scenario));
    }

    /** What another bandwidth slice may do, which the fluid does not see. */
    private static double sliceReach(Scenario scenario) {
        if (scenario instanceof Scenario.Together together) {
            return together.changes().stream().mapToDouble(WhatIf::sliceReach).sum();
        }
        return scenario instanceof Scenario.BandwidthSlice slice
                ? SLICE_REACH
                        * Math.abs(
                                StrictMath.log(
                                        slice.sliceUs()
                                                / (double) KernelRules.EXACT.bandwidthSliceUs()))
                : 0;
    }

    Anchor.Anchored tied(Situation after) {
        return anchor.tie(blocks.run(after.demand(), after.allowance(), after.cost()));
    }

    private Trust trust(Scenario scenario, Situation after, double ratio) {
        List<Trust.Reason> reasons = new ArrayList<>(evidenceReasons());
        Optional<CpuLimit.Quota> quota = after.quota();
        if (quota.isPresent() && quota.get().periodUs() < DemandSeries.SLOT_US) {
            reasons.add(Trust.Reason.PERIOD_BELOW_SAMPLE);
        } else if (quota.isPresent() && quota.get().periodUs() <= SHORT_PERIOD_US) {
            reasons.add(Trust.Reason.SHORT_PERIOD);
        }
        if (!costKnown
                && !after.equals(now)
                && quota.isPresent()
                && UnknownCost.decides(
                        ratio, evidence.throttledPeriodRatio(), after, splits(scenario))) {
            reasons.add(Trust.Reason.COST_UNKNOWN);
        }
        addScenarioReasons(scenario, reasons);
        return Trust.because(reasons);
    }

    private List<Trust.Reason> evidenceReasons() {
        List<Trust.Reason> reasons = new ArrayList<>();
        double observed = evidence.throttledPeriodRatio();
        if (observed > SATURATED_FROM) {
            reasons.add(Trust.Reason.SATURATED);
        } else if (observed > CENSORED_FROM) {
            reasons.add(Trust.Reason.CENSORED);
        }
        if (evidence.seconds() < SECONDS_NEEDED) {
            reasons.add(Trust.Reason.FAR_TOO_LITTLE_DATA);
        } else if (evidence.seconds() < SECONDS_WANTED) {
            reasons.add(Trust.Reason.TOO_LITTLE_DATA);
        }
        if (evidence.polled()) {
            reasons.add(Trust.Reason.POLLED);
        }
        if (!evidence.structure().isKnown()) {
            reasons.add(Trust.Reason.NO_TIME_STRUCTURE);
        }
        if (evidence.quota().isEmpty()) {
            reasons.add(Trust.Reason.NEVER_LIMITED);
        }
        return reasons;
    }

    private static void addScenarioReasons(Scenario scenario, List<Trust.Reason> reasons) {
        if (scenario instanceof Scenario.Together together) {
            together.changes().forEach(change -> addScenarioReasons(change, reasons));
        } else if (scenario instanceof Scenario.BandwidthSlice) {
            reasons.add(Trust.Reason.OUTSIDE_MODEL);
        } else if (scenario instanceof Scenario.Consolidate) {
            reasons.add(Trust.Reason.SHARDS_MERGED);
        } else if (scenario instanceof Scenario.Split) {
            reasons.add(Trust.Reason.GROWTH_ASSUMED);
        } else if (scenario instanceof Scenario.Load load) {
            if (load.exponent() == DemandSeries.INDEPENDENT) {
                reasons.add(Trust.Reason.GROWTH_ASSUMED);
            }
            if (load.multiple() > FAR_LOAD || load.multiple() < 1.0 / FAR_LOAD) {
                reasons.add(Trust.Reason.FAR_LOAD);
            }
        }
    }

    private static boolean splits(Scenario scenario) {
        return scenario instanceof Scenario.Together together
                ? together.changes().stream().anyMatch(WhatIf::splits)
                : scenario instanceof Scenario.Split;
    }

    private static boolean changesDemand(Scenario scenario) {
        if (scenario instanceof Scenario.Together together) {
            return together.changes().stream().anyMatch(WhatIf::changesDemand);
        }
        return scenario instanceof Scenario.Load
                || scenario instanceof Scenario.Split
                || scenario instanceof Scenario.Consolidate;
    }
}
