package io.quotascope.domain.cfs.offered;

import java.util.PriorityQueue;

/** Instants of arrival in ascending order, microseconds. */
@FunctionalInterface
interface Instants {
    /** No more before the end. */
    long NONE = Long.MAX_VALUE;

    /** The next instant, below the end; {@link #NONE} when no more come. */
    long next();

    /**
     * A Poisson process at a changing rate: unit exponentials laid along the integral of the rate,
     * so that a higher load moves the same arrivals closer together.
     */
    static Instants poisson(Rates rates, LoadCurve load, Draws draws, long endUs) {
        double[] missing = {draws.exponential()};
        double[] position = {Rates.SLOT_US, 0};
        long[] slotStartUs = {-Rates.SLOT_US};
        return () -> {
            while (true) {
                double roomUs = Rates.SLOT_US - position[0];
                double perUs = position[1];
                if (perUs > 0 && missing[0] <= perUs * roomUs) {
                    position[0] += missing[0] / perUs;
                    missing[0] = draws.exponential();
                    long at = slotStartUs[0] + (long) position[0];
                    return at < endUs ? at : NONE;
                }
                missing[0] -= perUs * roomUs;
                slotStartUs[0] += Rates.SLOT_US;
                if (slotStartUs[0] >= endUs) {
                    return NONE;
                }
                position[0] = 0;
                position[1] = rates.next() * load.at(slotStartUs[0]) / 1e6;
            }
        };
    }

    /** Every instant becomes a clump. */
    static Instants clumps(Instants centres, ArrivalLaw.Clumps law, Draws draws, long endUs) {
        PriorityQueue<Long> open = new PriorityQueue<>();
        long[] nextCentreUs = {centres.next()};
        return () -> {
            while (nextCentreUs[0] != NONE && (open.isEmpty() || nextCentreUs[0] <= open.peek())) {
                int requests = draws.geometric(law.requests());
                for (int request = 0; request < requests; request++) {
                    open.add(nextCentreUs[0] + (long) (draws.uniform() * law.withinUs()));
                }
                nextCentreUs[0] = centres.next();
            }
            return open.isEmpty() || open.peek() >= endUs ? NONE : open.remove();
        };
    }

    /** Batches; a part of a request is one more request as often as its size says. */
    static Instants schedule(ArrivalLaw.Schedule law, LoadCurve load, Draws draws, long endUs) {
        long[] batchUs = {law.firstUs() - law.everyUs()};
        int[] left = {0, 0};
        return () -> {
            while (left[0] == 0) {
                batchUs[0] += law.everyUs();
                if (batchUs[0] >= endUs) {
                    return NONE;
                }
                left[0] = (int) (law.requests() * load.at(batchUs[0]) + draws.uniform());
                left[1] = left[0];
            }
            long at = batchUs[0] + law.withinUs() * (left[1] - left[0]) / left[1];
            left[0]--;
            return at < endUs ? at : NONE;
        };
    }
}
