package io.quotascope.validate.estimators;

import io.quotascope.domain.cfs.CpuLimit;
import io.quotascope.domain.whatif.DemandEvidence;
import io.quotascope.domain.whatif.DemandSeries;
import io.quotascope.domain.whatif.RatioEstimate;
import io.quotascope.domain.whatif.Reconstruction;
import io.quotascope.domain.whatif.Scenario.ConcurrencyCap;
import io.quotascope.domain.whatif.Scenario.Load;
import io.quotascope.domain.whatif.Scenario.PoolThreads;
import io.quotascope.domain.whatif.Scenario.SetQuota;
import io.quotascope.domain.whatif.Scenario.Together;
import io.quotascope.domain.whatif.Scenario.WholeCpus;
import io.quotascope.domain.whatif.WhatIf;
import io.quotascope.domain.window.ServiceSums;
import io.quotascope.domain.window.WindowPart;
import io.quotascope.validate.estimate.Estimate;
import io.quotascope.validate.estimate.Estimator;
import io.quotascope.validate.estimate.Observation;
import io.quotascope.validate.estimate.Scenario;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The what-if of the domain: demand reconstructed from rows, replayed under the change. */
public final class ReplayedDemand implements Estimator {
    private record Known(Observation seen, Optional<WhatIf> whatIf) {}

    /** A reconstruction answers all scenarios of one observation. */
    private final ThreadLocal<Known> latest = new ThreadLocal<>();

    @Override
    public String name() {
        return "what-if";
    }

    @Override
    public Optional<Estimate> throttledPeriodRatio(Observation seen, Scenario scenario) {
        return whatIf(seen)
                .map(known -> known.outcome(change(seen, scenario)).throttledPeriodRatio())
                .map(ReplayedDemand::estimate);
    }

    private static Estimate estimate(RatioEstimate ratio) {
        return new Estimate(ratio.value(), ratio.low(), ratio.high());
    }

    private Optional<WhatIf> whatIf(Observation seen) {
        Known known = latest.get();
        if (known == null || known.seen() != seen) {
            known = new Known(seen, model(seen));
            latest.set(known);
        }
        return known.whatIf();
    }

    /** The what-if model of an observation; absent when nothing was sampled. */
    public static Optional<WhatIf> model(Observation seen) {
        ServiceSums last = Estimator.latest(seen);
        long endUs = last.windowStartUs() + WindowPart.MINUTE_US;
        long seed = Reconstruction.seed(last.key().service(), endUs);
        return DemandEvidence.of(seen.minutes(), Optional.of(seen.limit()), seen.hostCpus(), false)
                .map(evidence -> WhatIf.of(recorded(evidence, seen), seed));
    }

    private static DemandEvidence recorded(DemandEvidence evidence, Observation seen) {
        return seen.records().isEmpty()
                ? evidence
                : evidence.with(
                        seen.records().stream()
                                .flatMap(record -> record.exemplar().stream())
                                .toList());
    }

    private static io.quotascope.domain.whatif.Scenario change(Observation seen, Scenario asked) {
        List<io.quotascope.domain.whatif.Scenario> changes = new ArrayList<>();
        CpuLimit limit = asked.limit();
        if (limit instanceof CpuLimit.Quota quota && !quota.equals(seen.limit())) {
            changes.add(new SetQuota(quota));
        } else if (limit instanceof CpuLimit.ConcurrencyCap cap) {
            changes.add(new ConcurrencyCap(cap.cores()));
        } else if (limit instanceof CpuLimit.Pinned pinned) {
            changes.add(new WholeCpus(pinned.cpus()));
        } else if (limit instanceof CpuLimit.Unlimited) {
            changes.add(new WholeCpus(seen.hostCpus()));
        }
        asked.poolThreads().ifPresent(threads -> changes.add(new PoolThreads(threads)));
        if (asked.loadMultiple() != 1.0) {
            changes.add(new Load(asked.loadMultiple(), DemandSeries.INDEPENDENT));
        }
        return new Together(changes);
    }
}
