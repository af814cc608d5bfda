package io.quotascope.domain.risk;

import io.quotascope.domain.cfs.CpuLimit;
import io.quotascope.domain.whatif.Allowance;
import io.quotascope.domain.whatif.ClientPolicy;
import io.quotascope.domain.whatif.CostGrowth;
import io.quotascope.domain.whatif.DemandSeries;
import io.quotascope.domain.whatif.FluidReplay;
import io.quotascope.domain.whatif.ReplayCase;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

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
        Optional<CliffCalibration> calibration = calibrationOf(shard);
        ShardSituation dear = calibration.map(fitted -> atPrice(shard, fitted)).orElse(shard);
        double[] collapses = new double[shard.demand().size()];
        double[] recoveries = new double[shard.demand().size()];
        for (int draw = 0; draw < collapses.length; draw++) {
            DemandSeries demand = longEnough(dear.demand().get(draw));
            collapses[draw] = search(demand, false, dear, clients, policy.multipleMax());
            recoveries[draw] =
                    search(
                            longEnough(shard.demand().get(draw)),
                            true,
                            shard,
                            clients,
                            calibration.isPresent() ? policy.multipleMax() : collapses[draw]);
        }
        Calibrated fit = new Calibrated(utilization(shard), clients, shard.clients().isPresent());
        Multiple collapse = fit.multiple(collapses, calibration.map(CliffCalibration::collapse));
        Multiple recovery =
                fit.multiple(recoveries, calibration.map(CliffCalibration::recovery))
                        .atMost(collapse);
        return new Cliff(
                collapse,
                recovery,
                RiskBand.of(collapse.value(), recovery.value()),
                shard.clients().isEmpty(),
                reasons(shard, collapse, shard.clients().isPresent()));
    }

    /** The fit is for services with a quota whose cost of concurrency is not known. */
    private Optional<CliffCalibration> calibrationOf(ShardSituation shard) {
        boolean applies =
                shard.allowance().quota().isPresent()
                        && shard.cost().kappa() == 0
                        && utilization(shard) > 0;
        return applies ? policy.calibration() : Optional.empty();
    }

    private static ShardSituation atPrice(ShardSituation shard, CliffCalibration fitted) {
        CostGrowth dear = new CostGrowth(fitted.dearKappa(), quotaCores(shard.allowance()));
        List<DemandSeries> priced =
                shard.demand().stream().map(series -> series.pricedAt(dear)).toList();
        return new ShardSituation(priced, shard.allowance(), shard.clients(), dear);
    }

    private static double utilization(ShardSituation shard) {
        double mean = 0;
        for (DemandSeries series : shard.demand()) {
            mean += series.meanCores() / shard.demand().size();
        }
        return mean / quotaCores(shard.allowance());
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

    /** The pulse comes after a quarter of the replay and leaves a third of it to recover. */
    private DemandSeries pulse(int slots, Allowance allowance) {
        double[] cores = new double[slots];
        int from = slots / 4;
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

    /** From replayed multiples to a calibrated one with its interval. */
    private final class Calibrated {
        private final double used;
        private final ClientPolicy clients;
        private final boolean clientsKnown;

        Calibrated(double used, ClientPolicy clients, boolean clientsKnown) {
            this.used = used;
            this.clients = clients;
            this.clientsKnown = clientsKnown;
        }

        /**
         * Geometric mean of the draws, calibrated; model error and spread of draws are independent.
         */
        Multiple multiple(double[] draws, Optional<CliffCalibration.Terms> terms) {
            double mean = 0;
            for (double draw : draws) {
                mean += StrictMath.log(draw) / draws.length;
            }
            double variance = 0;
            for (double draw : draws) {
                double distance = StrictMath.log(draw) - mean;
                variance += distance * distance / Math.max(1, draws.length - 1);
            }
            double value = StrictMath.exp(mean);
            boolean beyond = value >= policy.multipleMax() * 0.999;
            if (!beyond && terms.isPresent()) {
                double seconds = clients.timeoutUs() / 1e6;
                value = terms.get().of(value * used, seconds, clients.retries()) / used;
            }
            // The fitted error is that of draws too.
            double model = policy.deviation(clientsKnown);
            double spread = terms.isPresent() ? 0 : Math.sqrt(variance);
            double reach = StudentT.quantile95(policy.freedom()) * Math.hypot(model, spread);
            return new Multiple(
                    value, value * StrictMath.exp(-reach), value * StrictMath.exp(reach), beyond);
        }
    }

    private List<String> reasons(ShardSituation shard, Multiple collapse, boolean clientsKnown) {
        List<String> reasons = new ArrayList<>();
        if (!clientsKnown) {
            reasons.add(
                    "timeout and retries are assumed ("
                            + policy.assumedClients().timeoutUs() / 1_000
                            + " ms, "
                            + policy.assumedClients().retries()
                            + "); state them in the catalog for a surer estimate");
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
