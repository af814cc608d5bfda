package io.quotascope.validate.estimators;

import io.quotascope.domain.cfs.CpuLimit;
import io.quotascope.domain.risk.Persistence;
import io.quotascope.domain.risk.ShardSituation;
import io.quotascope.domain.whatif.Allowance;
import io.quotascope.domain.whatif.ClientPolicy;
import io.quotascope.domain.whatif.CostGrowth;
import io.quotascope.domain.whatif.DemandEvidence;
import io.quotascope.domain.whatif.DemandSeries;
import io.quotascope.domain.whatif.Reconstruction;
import io.quotascope.domain.window.ServiceSums;
import io.quotascope.domain.window.WindowPart;
import io.quotascope.validate.estimate.Estimator;
import io.quotascope.validate.estimate.Observation;
import java.util.List;
import java.util.Optional;

/** The shard whose cliff is asked for, as an observation shows it. */
public final class ShardSeen {
    private ShardSeen() {}

    /** Reconstructed demand under the quota, on as many cores as there are threads and CPUs. */
    public static Optional<ShardSituation> of(Observation seen) {
        return demand(seen).map(series -> of(seen, series, capCores(seen)));
    }

    /** All draws of the demand; absent when nothing was sampled. */
    static Optional<List<DemandSeries>> demand(Observation seen) {
        ServiceSums last = Estimator.latest(seen);
        long seed =
                Reconstruction.seed(
                        last.key().service(), last.windowStartUs() + WindowPart.MINUTE_US);
        Optional<CpuLimit.Quota> quota = Optional.of(seen.limit());
        return DemandEvidence.of(seen.minutes(), quota, seen.hostCpus(), false)
                .map(evidence -> Reconstruction.synthesize(evidence, seed).series());
    }

    private static ShardSituation of(Observation seen, List<DemandSeries> demand, double cap) {
        Optional<ClientPolicy> clients =
                seen.client().map(client -> new ClientPolicy(client.timeoutUs(), client.retries()));
        boolean known = seen.kappa().isPresent();
        CostGrowth cost =
                known
                        ? new CostGrowth(seen.kappa().getAsDouble(), seen.quotaCores())
                        : CostGrowth.NONE;
        return new ShardSituation(
                demand.stream().map(series -> series.pricedAt(cost)).toList(),
                new Allowance(Optional.of(seen.limit()), cap),
                clients,
                cost,
                known,
                Persistence.of(seen.minutes()));
    }

    private static double capCores(Observation seen) {
        long threads = Estimator.latest(seen).threads().max();
        return threads > 0 ? Math.min(seen.hostCpus(), threads) : seen.hostCpus();
    }
}
