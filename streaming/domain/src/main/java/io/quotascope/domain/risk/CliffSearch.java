package io.quotascope.domain.risk;

import io.quotascope.domain.cfs.CpuLimit;
import io.quotascope.domain.whatif.Allowance;
import io.quotascope.domain.whatif.ClientPolicy;
import io.quotascope.domain.whatif.DemandSeries;
import io.quotascope.domain.whatif.FluidReplay;
import io.quotascope.domain.whatif.ReplayCase;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Finds the collapse load of a shard by replaying its demand at growing multiples with clients that
 * time out and try again.
 *
 * <p>A retry is more demand, demand beyond the quota is delay, and delay is more retries: from some
 * load on the replay does not come back. That load is found by bisection, once from an empty queue
 * (collapse) and once after a standard pulse (recovery); between them a service is metastable.
 *
 * <p>An instance is scratch memory for one thread.
 */
public final class CliffSearch {
    private final RiskPolicy policy;
    private final FluidReplay replay = new FluidReplay();

    /** A search with these thresholds. */
    public CliffSearch(RiskPolicy policy) {
        this.policy = policy;
    }

    /** The cliff of a shard. */
    public Cliff of(ShardSituation shard) {
        ClientPolicy clients = shard.clients().orElse(policy.assumedClients());
        double[] collapses = new double[shard.demand().size()];
        double[] recoveries = new double[shard.demand().size()];
        for (int draw = 0; draw < collapses.length; draw++) {
            DemandSeries demand = longEnough(shard.demand().get(draw));
            collapses[draw] = search(demand, false, shard, clients, policy.multipleMax());
            recoveries[draw] = search(demand, true, shard, clients, collapses[draw]);
        }
        boolean known = shard.clients().isPresent();
        Multiple collapse = interval(collapses, policy.bias(), known);
        Multiple recovery = interval(recoveries, 0, known);
        return new Cliff(
                collapse,
                recovery,
                RiskBand.of(collapse.value(), recovery.value()),
                !known,
                reasons(shard, collapse, known));
    }

    /**
     * Smallest multiple in the range that collapses, up to the precision; its end when none does.
     */
    private double search(
            DemandSeries demand,
            boolean pulsed,
            ShardSituation shard,
            ClientPolicy clients,
            double multipleMax) {
        double healthy = policy.multipleMin();
        double broken = multipleMax;
        // Most services collapse within a factor of a few of today's load: bracket from there.
        double step = 1;
        while (step < multipleMax && !collapses(demand, step, pulsed, shard, clients)) {
            healthy = step;
            step *= 1.5;
        }
        if (step >= multipleMax) {
            if (pulsed || !collapses(demand, multipleMax, false, shard, clients)) {
                return multipleMax;
            }
        } else {
            broken = step;
        }
        while (broken / healthy > policy.precision()) {
            double middle = Math.sqrt(healthy * broken);
            if (collapses(demand, middle, pulsed, shard, clients)) {
                broken = middle;
            } else {
                healthy = middle;
            }
        }
        return broken;
    }

    private boolean collapses(
            DemandSeries demand,
            double multiple,
            boolean pulsed,
            ShardSituation shard,
            ClientPolicy clients) {
        DemandSeries grown = demand.atLoad(multiple);
        DemandSeries wanted = pulsed ? grown.plus(pulse(grown.slots(), shard.allowance())) : grown;
        ReplayCase given =
                ReplayCase.of(wanted, shard.allowance())
                        .withClients(clients)
                        .withCost(shard.cost());
        double timedOut = replay.run(given).timeouts().orElseThrow().tailTimedOutRatio();
        return timedOut > policy.collapsedRatio();
    }

    /** The pulse comes after a tenth of the replay and leaves half of it to recover. */
    private DemandSeries pulse(int slots, Allowance allowance) {
        double[] cores = new double[slots];
        int from = slots / 10;
        int to = Math.min(slots, from + (int) (policy.pulseUs() / DemandSeries.SLOT_US));
        Arrays.fill(cores, from, to, policy.pulseQuotas() * quotaCores(allowance));
        return DemandSeries.of(cores, DemandSeries.Provenance.SYNTHETIC);
    }

    private static double quotaCores(Allowance allowance) {
        return allowance
                .quota()
                .map((CpuLimit.Quota quota) -> quota.quotaUs() / (double) quota.periodUs())
                .orElse(allowance.capCores());
    }

    private DemandSeries longEnough(DemandSeries demand) {
        int slots = (int) (policy.replayUsMin() / DemandSeries.SLOT_US);
        if (demand.slots() >= slots) {
            return demand;
        }
        double[] once = demand.toArray();
        double[] repeated = new double[slots];
        for (int slot = 0; slot < slots; slot++) {
            repeated[slot] = once[slot % once.length];
        }
        return DemandSeries.of(repeated, demand.provenance());
    }

    /** Median of the draws, corrected by the bias; the interval joins model and draws. */
    private Multiple interval(double[] multiples, double bias, boolean clientsKnown) {
        double[] sorted = multiples.clone();
        Arrays.sort(sorted);
        double median = sorted[sorted.length / 2];
        boolean beyond = median >= policy.multipleMax();
        double value = beyond ? median : median * StrictMath.exp(-bias);
        double reach =
                StudentT.quantile95(policy.freedom())
                        * deviation(sorted, policy.deviation(clientsKnown));
        return new Multiple(
                value, value * StrictMath.exp(-reach), value * StrictMath.exp(reach), beyond);
    }

    /** Model error and spread of the draws are independent. */
    private static double deviation(double[] multiples, double model) {
        double mean = 0;
        for (double multiple : multiples) {
            mean += StrictMath.log(multiple) / multiples.length;
        }
        double variance = 0;
        for (double multiple : multiples) {
            double distance = StrictMath.log(multiple) - mean;
            variance += distance * distance / Math.max(1, multiples.length - 1);
        }
        return Math.sqrt(model * model + variance);
    }

    private List<String> reasons(ShardSituation shard, Multiple collapse, boolean clientsKnown) {
        List<String> reasons = new ArrayList<>();
        if (!clientsKnown) {
            reasons.add(
                    "timeout and retries are assumed ("
                            + policy.assumedClients().timeoutUs() / 1_000
                            + " ms, "
                            + policy.assumedClients().retries()
                            + "); state them in the catalog to halve the interval");
        }
        if (shard.allowance().quota().isEmpty()) {
            reasons.add("there is no quota, so throttling cannot collapse it; only its CPUs can");
        }
        if (collapse.beyond()) {
            reasons.add(
                    "no collapse up to " + Math.round(policy.multipleMax()) + " times the load");
        }
        return reasons;
    }
}
