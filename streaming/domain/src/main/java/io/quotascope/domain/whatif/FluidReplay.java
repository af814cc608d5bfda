package io.quotascope.domain.whatif;

import io.quotascope.domain.cfs.CpuLimit;

/**
 * Demand as a fluid through an allowance. In every slot: backlog += demand x slot; served =
 * min(backlog, cap x slot, pool); backlog and pool -= served. At a period's end the period is
 * throttled if backlog is left and the pool is empty; then pool = min(pool + quota, quota + burst).
 * Slots are cut at period ends, so any period length is exact.
 *
 * <p>An instance is scratch memory for one thread and may be used for any number of replays; its
 * loops allocate nothing. The same case always gives the same outcome.
 */
public final class FluidReplay {
    private static final long SLOT_US = DemandSeries.SLOT_US;

    private final QuotaMeter meter = new QuotaMeter();
    private final SlotServer counter = new SlotServer();
    private final ArrivalQueue queue = new ArrivalQueue();
    private final DelayTally stalls = new DelayTally();
    private double backlogUs;
    private double backlogUsMax;
    private double servedUs;
    private double usedUs;
    private double throttledWallUs;

    /**
     * Replays a case from its first slot to its last, beginning with a full pool and no backlog.
     */
    public ReplayOutcome run(ReplayCase given) {
        DemandSeries demand = given.demand();
        int slots = demand.slots();
        reset(given);
        for (int slot = 0; slot < slots; slot++) {
            double beforeUs = servedUs;
            double arrivedUs = queue.arrive(slot, demand.cores(slot) * SLOT_US, beforeUs);
            serveSlot(slot * SLOT_US, arrivedUs / SLOT_US, given);
            queue.served(slot, beforeUs, servedUs);
            backlogUsMax = Math.max(backlogUsMax, backlogUs);
        }
        queue.end();
        return new ReplayOutcome(
                meter.periods(),
                meter.throttledPeriods(),
                meter.throttledRunPeriodsMax(),
                throttledWallUs,
                queue.arrivedUs(),
                servedUs,
                usedUs,
                backlogUs,
                backlogUsMax,
                stalls.percentiles(),
                queue.delays(),
                queue.timeouts());
    }

    /**
     * Throttled period ratio alone, 0..1, without clients and delays: the same number as {@link
     * #run} gives, several times faster when the quota's period is a whole number of slots.
     */
    public double throttledPeriodRatio(DemandSeries demand, Allowance allowance) {
        if (allowance.quota().isEmpty()) {
            return 0.0;
        }
        CpuLimit.Quota quota = allowance.quota().get();
        if (quota.periodUs() % SLOT_US != 0 || quota.phaseUs() % SLOT_US != 0) {
            return run(ReplayCase.of(demand, allowance)).throttledPeriodRatio();
        }
        counter.reset(allowance, CostGrowth.NONE);
        counter.serve(demand, 0, demand.slots());
        QuotaMeter counted = counter.meter();
        return counted.periods() == 0
                ? 0.0
                : counted.throttledPeriods() / (double) counted.periods();
    }

    /**
     * Share of the work of the last 40 % that timed out, 0..1, without delays: the same number as
     * {@link #run} gives, several times faster. A search for a collapse asks for nothing else.
     */
    public double tailTimedOutRatio(ReplayCase given) {
        DemandSeries demand = given.demand();
        int slots = demand.slots();
        queue.reset(slots, given.clients());
        counter.reset(given.allowance(), given.cost());
        for (int slot = 0; slot < slots; slot++) {
            double firstUs = demand.cores(slot) * SLOT_US;
            counter.serve(queue.arrive(slot, firstUs, counter.servedUs()) / SLOT_US);
        }
        return queue.tailTimedOutRatio();
    }

    private void reset(ReplayCase given) {
        meter.reset(given.allowance().quota());
        queue.reset(given.demand().slots(), given.clients());
        stalls.reset();
        backlogUs = 0.0;
        backlogUsMax = 0.0;
        servedUs = 0.0;
        usedUs = 0.0;
        throttledWallUs = 0.0;
    }

    private void serveSlot(long startUs, double cores, ReplayCase given) {
        long nowUs = startUs;
        long endUs = startUs + SLOT_US;
        while (nowUs < endUs) {
            long untilUs = Math.min(endUs, meter.refillAtUs());
            serve(untilUs - nowUs, untilUs, cores, given);
            if (untilUs == meter.refillAtUs()) {
                meter.refill(backlogUs);
            }
            nowUs = untilUs;
        }
    }

    private void serve(long elapsedUs, long untilUs, double cores, ReplayCase given) {
        double capCores = given.allowance().capCores();
        double beforeUs = backlogUs;
        double waitingUs = beforeUs + cores * elapsedUs;
        double factor = 1.0;
        if (given.cost().kappa() > 0.0) {
            factor = given.cost().at(Math.min(capCores, waitingUs / elapsedUs));
        }
        double poolUs = meter.availableUs();
        double doneUs = Math.min(waitingUs, Math.min(capCores * elapsedUs, poolUs) / factor);
        meter.draw(doneUs * factor);
        backlogUs = waitingUs - doneUs;
        servedUs += doneUs;
        usedUs += doneUs * factor;
        if (meter.isSpent() && backlogUs > QuotaMeter.NEGLIGIBLE_US) {
            double ranUs = spentAfterUs(beforeUs, cores * factor, capCores, poolUs, factor);
            double stalledUs = Math.max(0.0, elapsedUs - ranUs);
            throttledWallUs += stalledUs;
            stalls.add(meter.refillAtUs() - untilUs + stalledUs / 2.0, cores * stalledUs);
            stalls.add(0.0, cores * (elapsedUs - stalledUs));
        } else {
            stalls.add(0.0, cores * elapsedUs);
        }
    }

    /** Wall time until the pool is empty: at the cap while work waits, then at the demand. */
    private static double spentAfterUs(
            double waitingUs, double cores, double capCores, double poolUs, double factor) {
        double atCapUs = poolUs / capCores;
        if (cores >= capCores) {
            return atCapUs;
        }
        double drainedAfterUs = waitingUs * factor / (capCores - cores);
        if (atCapUs <= drainedAfterUs) {
            return atCapUs;
        }
        return drainedAfterUs + (poolUs - capCores * drainedAfterUs) / cores;
    }
}
