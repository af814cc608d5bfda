package io.quotascope.domain.whatif;

/**
 * Replays an ensemble and keeps throttling apart by blocks of two seconds, so that a scenario can
 * be compared with the setting in force block by block. Mutable, reusable.
 */
final class BlockReplay {
    /** Slots of a block. */
    static final int BLOCK_SLOTS = 200;

    /** Seconds of a block. */
    static final double BLOCK_SECONDS = BLOCK_SLOTS * DemandSeries.SLOT_US / 1e6;

    private final SlotServer server = new SlotServer();

    /**
     * What the blocks gave.
     *
     * @param ratio throttled periods / periods over all blocks
     * @param runRatio runs of throttled periods / periods over all blocks
     * @param ratios for every block its linear part in the ratio; they sum up to 0
     * @param runRatios the same for runs
     * @param periods periods in all blocks
     */
    record Blocks(
            double ratio, double runRatio, double[] ratios, double[] runRatios, double periods) {}

    Blocks run(DemandEnsemble demand, Allowance allowance, CostGrowth cost) {
        int blocksPerSeries = demand.slots() / BLOCK_SLOTS;
        int blocks = blocksPerSeries * demand.series().size();
        double[] periods = new double[blocks];
        double[] throttled = new double[blocks];
        double[] runs = new double[blocks];
        int block = 0;
        for (DemandSeries series : demand.series()) {
            server.reset(allowance, cost);
            for (int inSeries = 0; inSeries < blocksPerSeries; inSeries++, block++) {
                int from = inSeries * BLOCK_SLOTS;
                QuotaMeter meter = server.meter();
                periods[block] = -meter.periods();
                throttled[block] = -meter.throttledPeriods();
                runs[block] = -meter.throttledRuns();
                server.serve(series, from, from + BLOCK_SLOTS);
                periods[block] += meter.periods();
                throttled[block] += meter.throttledPeriods();
                runs[block] += meter.throttledRuns();
            }
        }
        return blocks(periods, throttled, runs);
    }

    private static Blocks blocks(double[] periods, double[] throttled, double[] runs) {
        double all = sum(periods);
        double ratio = all > 0.0 ? sum(throttled) / all : 0.0;
        double runRatio = all > 0.0 ? sum(runs) / all : 0.0;
        double mean = Math.max(1e-9, all / periods.length);
        double[] ratios = new double[periods.length];
        double[] runRatios = new double[periods.length];
        for (int block = 0; block < periods.length; block++) {
            ratios[block] = (throttled[block] - ratio * periods[block]) / mean;
            runRatios[block] = (runs[block] - runRatio * periods[block]) / mean;
        }
        return new Blocks(ratio, runRatio, ratios, runRatios, all);
    }

    private static double sum(double[] values) {
        double sum = 0.0;
        for (double value : values) {
            sum += value;
        }
        return sum;
    }
}
