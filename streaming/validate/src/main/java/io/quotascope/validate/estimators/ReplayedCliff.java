package io.quotascope.validate.estimators;

import io.quotascope.domain.cfs.CpuLimit;
import io.quotascope.domain.risk.Cliff;
import io.quotascope.domain.risk.CliffSearch;
import io.quotascope.domain.risk.DeathSpiralRisk;
import io.quotascope.domain.risk.EarlyWarning;
import io.quotascope.domain.risk.Multiple;
import io.quotascope.domain.risk.RiskPolicy;
import io.quotascope.domain.risk.ShardSituation;
import io.quotascope.domain.savings.Fix;
import io.quotascope.domain.savings.FixSet;
import io.quotascope.domain.savings.JointGains;
import io.quotascope.domain.savings.Kappa;
import io.quotascope.domain.savings.LatencyObjective;
import io.quotascope.domain.whatif.ClientPolicy;
import io.quotascope.domain.whatif.CostGrowth;
import io.quotascope.domain.whatif.DemandEnsemble;
import io.quotascope.domain.whatif.DemandEvidence;
import io.quotascope.domain.whatif.Reconstruction;
import io.quotascope.domain.whatif.Situation;
import io.quotascope.domain.window.ServiceSums;
import io.quotascope.domain.window.WindowPart;
import io.quotascope.validate.estimate.Estimate;
import io.quotascope.validate.estimate.Estimator;
import io.quotascope.validate.estimate.Observation;
import io.quotascope.validate.estimate.Scenario;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** Risk and savings of the domain: reconstructed demand, replayed with impatient clients. */
public final class ReplayedCliff implements Estimator {
    private static final long HORIZON_US = 40_000_000;

    private record Known(Observation seen, Optional<Situation> now, Optional<Cliff> cliff) {}

    /** One reconstruction answers all questions about one observation. */
    private final ThreadLocal<Known> latest = new ThreadLocal<>();

    @Override
    public String name() {
        return "cliff and savings";
    }

    @Override
    public Optional<Estimate> collapseLoadMultiple(Observation seen) {
        return known(seen).cliff().map(Cliff::collapse).map(ReplayedCliff::estimate);
    }

    @Override
    public Optional<Estimate> recoveryLoadMultiple(Observation seen) {
        return known(seen).cliff().map(Cliff::recovery).map(ReplayedCliff::estimate);
    }

    @Override
    public OptionalDouble collapseProbability(Observation seen, double loadMultiple) {
        Optional<Cliff> cliff = known(seen).cliff();
        if (cliff.isEmpty()) {
            return OptionalDouble.empty();
        }
        return DeathSpiralRisk.of(
                        cliff.get(),
                        new DeathSpiralRisk.LoadForecast(loadMultiple, 0, HORIZON_US),
                        RiskPolicy.DEFAULT)
                .probability();
    }

    @Override
    public Optional<Estimate> capacityMultiple(
            Observation seen, Scenario change, long objectiveUs) {
        List<Fix> fixes = fixes(seen, change);
        if (fixes.isEmpty()) {
            return Optional.empty();
        }
        return known(seen)
                .now()
                .map(
                        now -> {
                            List<FixSet> sets =
                                    new JointGains()
                                            .of(
                                                    now.demand().series(),
                                                    now.allowance(),
                                                    fixes,
                                                    kappa(seen),
                                                    new LatencyObjective(objectiveUs, true));
                            FixSet all = sets.get(sets.size() - 1);
                            return new Estimate(all.gain(), all.gainLow(), all.gainHigh());
                        });
    }

    @Override
    public Optional<Watch> watch() {
        return Optional.of(this::alarm);
    }

    private boolean alarm(Observation minute) {
        Optional<Cliff> cliff = known(minute).cliff();
        if (cliff.isEmpty()) {
            return false;
        }
        ServiceSums last = Estimator.latest(minute);
        EarlyWarning.Minute now =
                new EarlyWarning.Minute(
                        Math.max(1e-6, minute.usedCores()),
                        minute.throttledPeriodRatio(),
                        last.throttling().throttledRunPeriodsMax());
        return EarlyWarning.judge(cliff.get().collapse(), now, now, EarlyWarning.Rule.DEFAULT)
                .alarm();
    }

    private Known known(Observation seen) {
        Known known = latest.get();
        if (known == null || known.seen() != seen) {
            Optional<Situation> now = situation(seen);
            known = new Known(seen, now, now.map(situation -> cliff(seen, situation)));
            latest.set(known);
        }
        return known;
    }

    private static Optional<Situation> situation(Observation seen) {
        ServiceSums last = Estimator.latest(seen);
        long endUs = last.windowStartUs() + WindowPart.MINUTE_US;
        long seed = Reconstruction.seed(last.key().service(), endUs);
        Optional<CpuLimit.Quota> quota = Optional.of(seen.limit());
        return DemandEvidence.of(seen.minutes(), quota, seen.hostCpus(), false)
                .map(
                        evidence -> {
                            DemandEnsemble demand = Reconstruction.synthesize(evidence, seed);
                            return new Situation(
                                    demand, quota, seen.hostCpus(), 0, CostGrowth.NONE);
                        });
    }

    private static Cliff cliff(Observation seen, Situation now) {
        Optional<ClientPolicy> clients =
                seen.client().map(client -> new ClientPolicy(client.timeoutUs(), client.retries()));
        CostGrowth cost =
                seen.kappa().isPresent()
                        ? new CostGrowth(seen.kappa().getAsDouble(), seen.quotaCores())
                        : CostGrowth.NONE;
        return new CliffSearch(RiskPolicy.DEFAULT)
                .of(
                        new ShardSituation(
                                now.demand().series().subList(0, 2),
                                now.allowance(),
                                clients,
                                cost));
    }

    private static Kappa kappa(Observation seen) {
        return seen.kappa().isPresent() ? new Kappa(seen.kappa().getAsDouble(), true) : Kappa.PRIOR;
    }

    private static Estimate estimate(Multiple multiple) {
        return new Estimate(multiple.value(), multiple.low(), multiple.high());
    }

    /** The change as fixes; empty when it is none of ours. */
    private static List<Fix> fixes(Observation seen, Scenario change) {
        List<Fix> fixes = new ArrayList<>();
        change.poolThreads().ifPresent(threads -> fixes.add(Fix.pools(threads)));
        CpuLimit limit = change.limit();
        if (limit instanceof CpuLimit.ConcurrencyCap cap) {
            fixes.add(Fix.concurrencyCap(cap.cores()));
        } else if (limit instanceof CpuLimit.Pinned pinned) {
            fixes.add(Fix.pinning(pinned.cpus()));
        } else if (limit instanceof CpuLimit.Quota quota) {
            if (quota.burstUs() != seen.limit().burstUs()) {
                fixes.add(Fix.burst(quota.burstUs()));
            }
            if (quota.periodUs() != seen.limit().periodUs()) {
                fixes.add(Fix.period(quota.periodUs()));
            }
        }
        return fixes;
    }
}
