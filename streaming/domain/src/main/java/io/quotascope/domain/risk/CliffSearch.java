package io.quotascope.domain.risk;

import io.quotascope.domain.cfs.CpuLimit;
import io.quotascope.domain.whatif.Allowance;
import io.quotascope.domain.whatif.ClientPolicy;
import io.quotascope.domain.whatif.CostGrowth;
import io.quotascope.domain.whatif.DemandSeries;
import io.quotascope.domain.whatif.FluidReplay;
import io.quotascope.domain.whatif.LoadGrowth;
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
        Optional<CliffCalibration> fitted = calibrationOf(shard);
        Multiple collapse;
        Multiple recovery;
        if (fitted.isPresent()) {
            CliffCalibration.Fit fit = fitted.get().of(shard);
            collapse = fittedCollapse(shard, fitted.get());
            recovery = fittedRecovery(shard, fit).atMost(collapse);
        } else {
            double[] collapses = replayedCollapses(shard);
            collapse = asReplayed(shard, collapses);
            recovery = asReplayed(shard, replayedRecoveries(shard, collapses)).atMost(collapse);
        }
        return new Cliff(
                collapse,
                recovery,
                RiskBand.of(collapse.value(), recovery.value()),
                shard.clients().isEmpty(),
                reasons(shard, collapse, shard.clients().isPresent()));
    }

    /**
     * The multiple at which replays collapse, at the situation's own price and without any
     * calibration: the geometric mean over its draws. What a calibration is fitted to.
     */
    public double replayedCollapse(ShardSituation shard) {
        return StrictMath.exp(meanLog(replayedCollapses(shard)));
    }

    /** The fit is for services that use something of a quota. */
    private Optional<CliffCalibration> calibrationOf(ShardSituation shard) {
        boolean applies = shard.allowance().quota().isPresent() && utilization(shard) > 0;
        return applies ? policy.calibration() : Optional.empty();
    }

    /**
     * The collapse multiple of {@link #of} without its interval and without recovery, for two
     * thirds of the replays: a search over settings asks for nothing else.
     */
    public double collapseMultiple(ShardSituation shard) {
        double plain = replayedCollapse(shard);
        return calibrationOf(shard).map(fitted -> onLine(shard, fitted, plain)).orElse(plain);
    }

    /**
     * Half of the interval is the error of the line, and where the price is not known some of what
     * it would change: some services die of a price that others do not notice.
     */
    private Multiple fittedCollapse(ShardSituation shard, CliffCalibration fitted) {
        CliffCalibration.Fit fit = fitted.of(shard);
        double plain = replayedCollapse(shard);
        double reach = fit.collapseReach();
        if (!shard.priceKnown()) {
            double mayBe = replayedCollapse(atPrice(shard, fitted.mayKappa()));
            reach = Math.hypot(reach, fitted.mayShare() * StrictMath.log(plain / mayBe));
        }
        double value = onLine(shard, fitted, plain);
        return around(value, reach, value == policy.multipleMax());
    }

    /** The fitted multiple; the end of the range when no replay collapses within it. */
    private double onLine(ShardSituation shard, CliffCalibration fitted, double plain) {
        double dear =
                shard.priceKnown() ? plain : replayedCollapse(atPrice(shard, fitted.dearKappa()));
        if (Math.min(plain, dear) >= policy.multipleMax() * 0.999) {
            return policy.multipleMax();
        }
        double used = utilization(shard);
        double timeoutS = clientsOf(shard).timeoutUs() / 1e6;
        double lasts = shard.persistence().orElse(0);
        CliffCalibration.Collapse line = fitted.of(shard).lineOf(shard);
        return line.of(dear * used, plain * used, used, timeoutS, lasts) / used;
    }

    private Multiple fittedRecovery(ShardSituation shard, CliffCalibration.Fit fit) {
        double used = utilization(shard);
        ClientPolicy clients = clientsOf(shard);
        double crowd = crowdOf(shard);
        double share = fit.recovery().of(clients.retries(), crowd, used, clients.timeoutUs() / 1e6);
        return around(share / used, fit.recoveryReach(), false);
    }

    /** Cap / quota, at least 1; where the price of concurrency is known, that price at the cap. */
    private static double crowdOf(ShardSituation shard) {
        double cap = shard.allowance().capCores();
        return shard.priceKnown()
                ? shard.cost().at(cap)
                : Math.max(1, cap / quotaCores(shard.allowance()));
    }

    private static Multiple around(double value, double reach, boolean beyond) {
        return new Multiple(
                value, value * StrictMath.exp(-reach), value * StrictMath.exp(reach), beyond);
    }

    /** Geometric mean of the draws; model error and spread of draws are independent. */
    private Multiple asReplayed(ShardSituation shard, double[] draws) {
        double mean = meanLog(draws);
        double variance = 0;
        for (double draw : draws) {
            double distance = StrictMath.log(draw) - mean;
            variance += distance * distance / Math.max(1, draws.length - 1);
        }
        double value = StrictMath.exp(mean);
        double model = policy.deviation(shard.clients().isPresent());
        double reach =
                StudentT.quantile95(policy.freedom()) * Math.hypot(model, Math.sqrt(variance));
        return around(value, reach, value >= policy.multipleMax() * 0.999);
    }

    private static double meanLog(double[] draws) {
        double mean = 0;
        for (double draw : draws) {
            mean += StrictMath.log(draw) / draws.length;
        }
        return mean;
    }

    private double[] replayedCollapses(ShardSituation shard) {
        ClientPolicy clients = clientsOf(shard);
        return shard.demand().stream()
                .mapToDouble(
                        series ->
                                search(
                                        longEnough(series),
                                        false,
                                        shard,
                                        clients,
                                        policy.multipleMax()))
                .toArray();
    }

    /** A draw comes back below its own collapse or not at all. */
    private double[] replayedRecoveries(ShardSituation shard, double[] collapses) {
        double[] recoveries = new double[collapses.length];
        for (int draw = 0; draw < collapses.length; draw++) {
            DemandSeries series = longEnough(shard.demand().get(draw));
            recoveries[draw] = search(series, true, shard, clientsOf(shard), collapses[draw]);
        }
        return recoveries;
    }

    private ClientPolicy clientsOf(ShardSituation shard) {
        return shard.clients().orElse(policy.assumedClients());
    }

    private static ShardSituation atPrice(ShardSituation shard, double kappa) {
        CostGrowth dear = new CostGrowth(kappa, quotaCores(shard.allowance()));
        List<DemandSeries> priced =
                shard.demand().stream().map(series -> series.pricedAt(dear)).toList();
        return new ShardSituation(priced, shard.allowance(), shard.clients(), dear);
    }

    /**
     * Used share of the quota now. Of demand at the price of no concurrency it is what that demand
     * uses at its price: lines are fitted to what can be measured.
     */
    private static double utilization(ShardSituation shard) {
        double used = 0;
        for (DemandSeries series : shard.demand()) {
            used += series.meanUsedAt(shard.cost()) / shard.demand().size();
        }
        return used / quotaCores(shard.allowance());
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
        LoadGrowth growth = new LoadGrowth(demand);
        double healthy = policy.multipleMin();
        double broken = multipleMax;
        // Most services collapse within a factor of a few of today's load: bracket from there.
        double step = 1;
        while (step < multipleMax && !collapses(growth, step, pulsed, shard, clients)) {
            healthy = step;
            step *= 1.5;
        }
        if (step >= multipleMax) {
            if (pulsed || !collapses(growth, multipleMax, false, shard, clients)) {
                return multipleMax;
            }
        } else {
            broken = step;
        }
        while (broken / healthy > policy.precision()) {
            double middle = Math.sqrt(healthy * broken);
            if (collapses(growth, middle, pulsed, shard, clients)) {
                broken = middle;
            } else {
                healthy = middle;
            }
        }
        return broken;
    }

    private boolean collapses(
            LoadGrowth growth,
            double multiple,
            boolean pulsed,
            ShardSituation shard,
            ClientPolicy clients) {
        DemandSeries grown = growth.at(multiple);
        DemandSeries wanted = pulsed ? grown.plus(pulse(grown.slots(), shard.allowance())) : grown;
        ReplayCase given =
                ReplayCase.of(wanted, shard.allowance())
                        .withClients(clients)
                        .withCost(shard.cost());
        return replay.tailTimedOutRatio(given) > policy.collapsedRatio();
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
