package io.quotascope.validate.truth;

import java.util.Arrays;
import java.util.function.DoublePredicate;

/**
 * The load from which most of several independent runs break. One run breaks at a load that depends
 * on the requests that happened to come; half of the runs do at a load that depends on the service.
 *
 * <p>A run that broke at some load is taken to break at every greater one, so a run is asked only
 * where its own answer is open. What comes out is the median of the runs' own loads.
 */
final class LoadVote {
    /** The search leaves the first answer in steps of this factor. */
    private static final double STEP = 1.12;

    /** The search ends when the bounds are this factor apart. */
    private static final double PRECISION = 1.02;

    private final DoublePredicate[] runs;
    private final double[] healthyAt;
    private final double[] brokenAt;

    /**
     * Runs that vote.
     *
     * @param runs whether each run breaks at a load; an odd number
     * @throws IllegalArgumentException for an even number: it may not decide
     */
    LoadVote(DoublePredicate... runs) {
        if (runs.length % 2 == 0) {
            throw new IllegalArgumentException(runs.length + " votes may not decide");
        }
        this.runs = runs.clone();
        healthyAt = new double[runs.length];
        brokenAt = new double[runs.length];
        Arrays.fill(brokenAt, Double.POSITIVE_INFINITY);
    }

    /**
     * The load, searched for around a first answer.
     *
     * @param first where to begin
     * @param low least load that is searched
     * @param high greatest
     */
    double load(double first, double low, double high) {
        double healthy = low;
        double broken = high;
        double step = Math.min(high, Math.max(low, first));
        boolean downwards = breaks(step);
        while (downwards ? step > low : step < high) {
            if (downwards) {
                broken = step;
            } else {
                healthy = step;
            }
            step = downwards ? step / STEP : step * STEP;
            step = Math.min(high, Math.max(low, step));
            if (breaks(step) != downwards) {
                break;
            }
        }
        if (downwards) {
            healthy = step;
        } else {
            broken = step;
        }
        while (broken / healthy > PRECISION) {
            double middle = Math.sqrt(healthy * broken);
            if (breaks(middle)) {
                broken = middle;
            } else {
                healthy = middle;
            }
        }
        return Math.sqrt(healthy * broken);
    }

    /** Whether most runs break; none is asked that cannot change the answer. */
    private boolean breaks(double load) {
        int needed = runs.length / 2 + 1;
        int forIt = 0;
        int against = 0;
        for (int run = 0; run < runs.length; run++) {
            forIt += load >= brokenAt[run] ? 1 : 0;
            against += load <= healthyAt[run] ? 1 : 0;
        }
        for (int run = 0; run < runs.length && forIt < needed && against < needed; run++) {
            if (load < brokenAt[run] && load > healthyAt[run]) {
                if (runs[run].test(load)) {
                    brokenAt[run] = load;
                    forIt++;
                } else {
                    healthyAt[run] = load;
                    against++;
                }
            }
        }
        return forIt >= needed;
    }
}
