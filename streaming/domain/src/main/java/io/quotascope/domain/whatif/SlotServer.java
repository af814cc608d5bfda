package io.quotascope.domain.whatif;

/** Serves demand slot by slot under an allowance, without delays or clients. Mutable, reusable. */
final class SlotServer {
    private static final long SLOT_US = DemandSeries.SLOT_US;

    private final QuotaMeter meter = new QuotaMeter();
    private double capCores;
    private CostGrowth cost = CostGrowth.NONE;
    private double waitingUs;
    private double servedUs;
    private long nowUs;

    /** Begins anew with a full pool and no backlog. */
    void reset(Allowance allowance, CostGrowth growth) {
        meter.reset(allowance.quota());
        cost = growth;
        capCores = allowance.capCores();
        waitingUs = 0.0;
        servedUs = 0.0;
        nowUs = 0;
    }

    /** Work done by {@link #serve(double)} since the beginning, at the price of no concurrency. */
    double servedUs() {
        return servedUs;
    }

    QuotaMeter meter() {
        return meter;
    }

    /** One slot; the answer is used cores. */
    double serve(double cores) {
        long endUs = nowUs + SLOT_US;
        double usedUs = 0.0;
        while (meter.refillAtUs() <= endUs) {
            long refillUs = meter.refillAtUs();
            usedUs += flow(refillUs - nowUs, cores);
            meter.refill(waitingUs);
            nowUs = refillUs;
        }
        if (nowUs < endUs) {
            usedUs += flow(endUs - nowUs, cores);
            nowUs = endUs;
        }
        return usedUs / SLOT_US;
    }

    /** Consecutive slots, and the cores that each of them used. */
    void serve(double[] cores, double[] used) {
        if (nowUs % SLOT_US != 0 || !meter.isOnGrid(SLOT_US) || cost.kappa() > 0.0) {
            for (int slot = 0; slot < cores.length; slot++) {
                used[slot] = serve(cores[slot]);
            }
            return;
        }
        double capUs = capCores * SLOT_US;
        int slot = 0;
        while (slot < cores.length) {
            int end = (int) Math.min(cores.length, slot + (meter.refillAtUs() - nowUs) / SLOT_US);
            nowUs += (end - slot) * SLOT_US;
            double allowedUs = meter.availableUs();
            double leftUs = allowedUs;
            double queueUs = waitingUs;
            for (; slot < end; slot++) {
                queueUs += cores[slot] * SLOT_US;
                double mostUs = capUs < leftUs ? capUs : leftUs;
                double doneUs = queueUs < mostUs ? queueUs : mostUs;
                queueUs -= doneUs;
                leftUs -= doneUs;
                used[slot] = doneUs / SLOT_US;
            }
            waitingUs = queueUs;
            meter.draw(allowedUs - leftUs);
            if (nowUs == meter.refillAtUs()) {
                meter.refill(waitingUs);
            }
        }
    }

    /** Slots of a series from one to before another; what they used is not asked for. */
    void serve(DemandSeries series, int from, int to) {
        boolean onGrid = nowUs == from * SLOT_US && meter.isOnGrid(SLOT_US);
        if (!onGrid || cost.kappa() > 0.0) {
            for (int slot = from; slot < to; slot++) {
                serve(series.cores(slot));
            }
            return;
        }
        double capUs = capCores * SLOT_US;
        int slot = from;
        while (slot < to) {
            int end = (int) Math.min(to, meter.refillAtUs() / SLOT_US);
            double allowedUs = meter.availableUs();
            double leftUs = allowedUs;
            double queueUs = waitingUs;
            for (; slot < end; slot++) {
                queueUs += series.cores(slot) * SLOT_US;
                // Comparisons, because Math.min has to look for NaN and -0.
                double mostUs = capUs < leftUs ? capUs : leftUs;
                double doneUs = queueUs < mostUs ? queueUs : mostUs;
                queueUs -= doneUs;
                leftUs -= doneUs;
            }
            waitingUs = queueUs;
            meter.draw(allowedUs - leftUs);
            nowUs = end * SLOT_US;
            if (nowUs == meter.refillAtUs()) {
                meter.refill(waitingUs);
            }
        }
    }

    private double flow(long elapsedUs, double cores) {
        waitingUs += cores * elapsedUs;
        double allowedUs = Math.min(capCores * elapsedUs, meter.availableUs());
        double factor = 1.0;
        if (cost.kappa() > 0.0 && elapsedUs > 0) {
            factor = cost.at(Math.min(capCores, waitingUs / elapsedUs));
        }
        double doneUs = Math.min(waitingUs, allowedUs / factor);
        meter.draw(doneUs * factor);
        waitingUs -= doneUs;
        servedUs += doneUs;
        return doneUs * factor;
    }
}
