package io.quotascope.validate.fit;

import io.quotascope.domain.cfs.service.Client;
import io.quotascope.domain.cfs.service.ServiceRun;
import io.quotascope.domain.risk.CliffCalibration;
import io.quotascope.domain.risk.CliffSearch;
import io.quotascope.domain.risk.RiskPolicy;
import io.quotascope.domain.risk.ShardSituation;
import io.quotascope.domain.whatif.ClientPolicy;
import io.quotascope.domain.whatif.CostGrowth;
import io.quotascope.domain.whatif.DemandSeries;
import io.quotascope.validate.estimate.Input;
import io.quotascope.validate.estimate.Observation;
import io.quotascope.validate.estimators.ShardSeen;
import io.quotascope.validate.population.Subject;
import io.quotascope.validate.truth.Seen;
import io.quotascope.validate.truth.Truths;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * One observation of a service below its cliff with all that the lines are fitted to.
 *
 * @param share load seen / collapse load
 * @param used ln utilization
 * @param dear ln of the dear replay's utilization, timeout stated
 * @param plain the same without a price
 * @param mayBe the same at a price that it may have
 * @param dearAssumed the dear replay with assumed clients
 * @param plainAssumed the same without a price
 * @param mayBeAssumed the same at a price that it may have
 * @param priced ln of the replay's utilization at the real price, timeout stated
 * @param timeout ln timeout in seconds
 * @param attempts ln (1 + retries)
 * @param crowd ln (cap / quota), at least 0
 * @param crowdPrice ln price at the cap
 * @param persistence how long throttling lasted
 * @param collapse ln collapse load / load seen
 * @param recovery ln recovery load / load seen
 */
record SeenCliff(
        double share,
        double used,
        double dear,
        double plain,
        double mayBe,
        double dearAssumed,
        double plainAssumed,
        double mayBeAssumed,
        double priced,
        double timeout,
        double attempts,
        double crowd,
        double crowdPrice,
        double persistence,
        double collapse,
        double recovery) {
    private static final long SEEN_US = 60_000_000;
    private static final double[] SEEN_AT = {0.3, 0.5, 0.6, 0.7, 0.85, 0.93};

    /** Whether it stood where the error of the collapse load is judged. */
    boolean isJudgedByError() {
        return share >= 0.5 && share <= 0.7;
    }

    /** How much the timeout matters, by ln of a replay's utilization. */
    double impatience(double replayed) {
        return CliffCalibration.Collapse.impatience(Math.exp(replayed), Math.exp(timeout));
    }

    /** The same by the assumed timeout and the replay without a price. */
    double impatienceAssumed() {
        return CliffCalibration.Collapse.impatience(
                Math.exp(plainAssumed), RiskPolicy.DEFAULT.assumedClients().timeoutUs() / 1e6);
    }

    /** A service at all loads at which it has not collapsed. */
    static List<SeenCliff> of(Subject subject, Truths truths) {
        double collapse = truths.collapseLoad(subject);
        double recovery = truths.recoveryLoad(subject) / collapse;
        List<SeenCliff> all = new ArrayList<>();
        for (double share : SEEN_AT) {
            ServiceRun run = Truths.observed(subject, subject.load().at(share * collapse), SEEN_US);
            if (!run.requests().collapsed()) {
                all.add(of(subject, run, share, recovery));
            }
        }
        return all;
    }

    private static SeenCliff of(Subject subject, ServiceRun run, double share, double recovery) {
        Client client = subject.plan().client();
        Observation seen =
                Seen.of(subject, run, Input.SUMMARIES, Optional.of(client), OptionalDouble.empty());
        ShardSituation stated = ShardSeen.of(seen).orElseThrow();
        ShardSituation assumed = with(stated, Optional.empty());
        CostGrowth dear = new CostGrowth(CliffCalibration.FITTED.dearKappa(), subject.quotaCores());
        CostGrowth may = new CostGrowth(CliffCalibration.FITTED.mayKappa(), subject.quotaCores());
        CostGrowth real = new CostGrowth(subject.cost().kappa(), subject.quotaCores());
        ShardSituation priced = at(real, stated);
        double cap = stated.allowance().capCores();
        double used = share(stated, subject);
        return new SeenCliff(
                share,
                used,
                used + replayed(at(dear, stated)),
                used + replayed(stated),
                used + replayed(at(may, stated)),
                used + replayed(at(dear, assumed)),
                used + replayed(assumed),
                used + replayed(at(may, assumed)),
                used + replayed(priced),
                Math.log(client.timeoutUs() / 1e6),
                Math.log(1.0 + client.retries()),
                Math.log(Math.max(1, cap / subject.quotaCores())),
                Math.log(real.at(cap)),
                stated.persistence().orElseThrow(),
                -Math.log(share),
                Math.log(recovery / share));
    }

    private static double replayed(ShardSituation shard) {
        return Math.log(new CliffSearch(RiskPolicy.DEFAULT).replayedCollapse(shard));
    }

    private static ShardSituation with(ShardSituation shard, Optional<ClientPolicy> clients) {
        return new ShardSituation(shard.demand(), shard.allowance(), clients, shard.cost());
    }

    private static ShardSituation at(CostGrowth cost, ShardSituation shard) {
        List<DemandSeries> priced =
                shard.demand().stream().map(series -> series.pricedAt(cost)).toList();
        return new ShardSituation(priced, shard.allowance(), shard.clients(), cost);
    }

    private static double share(ShardSituation shard, Subject subject) {
        double mean =
                shard.demand().stream()
                        .mapToDouble(DemandSeries::meanCores)
                        .average()
                        .orElseThrow();
        return Math.log(mean / subject.quotaCores());
    }
}
