package io.quotascope.validate.estimators;

import io.quotascope.domain.cfs.CpuLimit;
import io.quotascope.domain.cfs.service.Client;
import io.quotascope.domain.histogram.BucketCounts;
import io.quotascope.domain.risk.Cliff;
import io.quotascope.domain.risk.CliffSearch;
import io.quotascope.domain.risk.DeathSpiralRisk;
import io.quotascope.domain.risk.Multiple;
import io.quotascope.domain.risk.RiskPolicy;
import io.quotascope.domain.savings.Fix;
import io.quotascope.domain.savings.FixSet;
import io.quotascope.domain.savings.JointGains;
import io.quotascope.domain.savings.Kappa;
import io.quotascope.domain.savings.LatencyObjective;
import io.quotascope.domain.whatif.CostGrowth;
import io.quotascope.domain.whatif.DemandEnsemble;
import io.quotascope.domain.whatif.Situation;
import io.quotascope.domain.window.ServiceSums;
import io.quotascope.domain.window.ThrottlingSums;
import io.quotascope.domain.window.UsageSums;
import io.quotascope.validate.estimate.Estimate;
import io.quotascope.validate.estimate.Estimator;
import io.quotascope.validate.estimate.Observation;
import io.quotascope.validate.estimate.Scenario;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/** Risk and savings of the domain: reconstructed demand, replayed with impatient clients. */
public final class ReplayedCliff implements Estimator {
    private static final long HORIZON_US = 40_000_000;

    private static final int REMEMBERED = 4;

    /** What the answers depend on: exemplars do not take part. */
    private record Evidence(
            String service,
            List<UsageSums> usage,
            List<ThrottlingSums> throttling,
            List<BucketCounts> histograms,
            Optional<Client> client,
            OptionalDouble kappa) {
        static Evidence of(Observation seen) {
            List<ServiceSums> minutes = seen.minutes();
            return new Evidence(
                    Estimator.latest(seen).key().service(),
                    minutes.stream().map(ServiceSums::usage).toList(),
                    minutes.stream().map(ServiceSums::throttling).toList(),
                    minutes.stream().map(minute -> minute.distributions().usage()).toList(),
                    seen.client(),
                    seen.kappa());
        }
    }

    private record Known(Optional<Situation> now, Optional<Cliff> cliff) {}

    /** One reconstruction answers all questions about one subject seen in one way. */
    private final ThreadLocal<Map<Evidence, Known>> latest =
            ThreadLocal.withInitial(
                    () ->
                            new LinkedHashMap<>() {
                                @Override
                                protected boolean removeEldestEntry(
                                        Map.Entry<Evidence, Known> eldest) {
                                    return size() > REMEMBERED;
                                }
                            });

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

    private Known known(Observation seen) {
        return latest.get()
                .computeIfAbsent(
                        Evidence.of(seen), evidence -> new Known(situation(seen), cliff(seen)));
    }

    private static Optional<Situation> situation(Observation seen) {
        return ShardSeen.demand(seen)
                .map(
                        series ->
                                new Situation(
                                        new DemandEnsemble(series),
                                        Optional.of(seen.limit()),
                                        seen.hostCpus(),
                                        0,
                                        CostGrowth.NONE));
    }

    private static Optional<Cliff> cliff(Observation seen) {
        return ShardSeen.of(seen).map(new CliffSearch(RiskPolicy.DEFAULT)::of);
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
