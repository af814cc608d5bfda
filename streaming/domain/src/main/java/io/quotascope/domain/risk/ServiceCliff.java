package io.quotascope.domain.risk;

import java.util.Arrays;

/**
 * The cliff of a whole service. Load is never even: the hottest shard collapses first, and what
 * clients then do with its load decides whether the others follow.
 *
 * @param hottestShard multiple of today's load at which the hottest shard collapses
 * @param service multiple at which so many shards have collapsed that the service has
 * @param gainFromBalancing multiple of a perfectly balanced service / the service's
 */
public record ServiceCliff(Multiple hottestShard, Multiple service, double gainFromBalancing) {
    /** What clients do with the load of a collapsed shard. */
    public enum Redistribution {
        /** They mark it dead and send its load to the others. */
        EJECT,
        /** They keep sending: its load is lost with it. */
        STAY
    }

    /** A service whose clients stay has collapsed when this share of the load is lost. */
    private static final double LOST_SHARE = 0.30;

    private static final double PRECISION = 1.0005;

    /**
     * The cliff of a service of like shards.
     *
     * @param shard multiple at which a shard with the mean load collapses
     * @param relativeLoads load of each shard / mean load, positive; their mean is 1
     */
    public static ServiceCliff of(
            Multiple shard, double[] relativeLoads, Redistribution redistribution) {
        double[] loads = sortedDescending(relativeLoads);
        double hottest = 1 / loads[0];
        double service = serviceMultiple(loads, redistribution);
        return new ServiceCliff(scaled(shard, hottest), scaled(shard, service), 1 / service);
    }

    /**
     * Loads of shards whose relative load has a standard deviation: quantiles of a log-normal
     * distribution, for services of which only the spread is known.
     *
     * @param shards at least 1
     * @param relativeDeviation standard deviation / mean of the load of shards
     */
    public static double[] logNormalLoads(int shards, double relativeDeviation) {
        double deviation = Math.sqrt(StrictMath.log1p(relativeDeviation * relativeDeviation));
        double[] loads = new double[shards];
        double sum = 0;
        for (int shard = 0; shard < shards; shard++) {
            loads[shard] = StrictMath.exp(deviation * NormalQuantile.of((shard + 0.5) / shards));
            sum += loads[shard];
        }
        for (int shard = 0; shard < shards; shard++) {
            loads[shard] *= shards / sum;
        }
        return loads;
    }

    private static Multiple scaled(Multiple shard, double factor) {
        return shard.dividedBy(1 / factor);
    }

    /**
     * Multiple of the mean load, in units of a shard's collapse load, at which the service breaks.
     */
    private static double serviceMultiple(double[] loads, Redistribution redistribution) {
        double broken = 1; // at the mean load every shard is at its collapse load
        double whole = 1e-6;
        while (broken / whole > PRECISION) {
            double middle = Math.sqrt(whole * broken);
            if (collapses(loads, middle, redistribution)) {
                broken = middle;
            } else {
                whole = middle;
            }
        }
        return broken;
    }

    private static boolean collapses(
            double[] loads, double multiple, Redistribution redistribution) {
        double total = Arrays.stream(loads).sum();
        double lost = 0;
        int dead = 0;
        boolean spreading = true;
        while (spreading && dead < loads.length) {
            double extra =
                    redistribution == Redistribution.EJECT ? lost / (loads.length - dead) : 0;
            spreading = multiple * (loads[dead] + extra) >= 1;
            if (spreading) {
                lost += loads[dead];
                dead++;
            }
        }
        // Survivors of an ejection carry everything, so only the last one's end is the service's.
        return redistribution == Redistribution.EJECT
                ? dead == loads.length
                : lost / total >= LOST_SHARE;
    }

    private static double[] sortedDescending(double[] loads) {
        if (loads.length == 0) {
            throw new IllegalArgumentException("a service needs a shard");
        }
        double[] sorted = loads.clone();
        Arrays.sort(sorted);
        for (int left = 0, right = sorted.length - 1; left < right; left++, right--) {
            double swapped = sorted[left];
            sorted[left] = sorted[right];
            sorted[right] = swapped;
        }
        if (!(sorted[sorted.length - 1] >= 0 && sorted[0] > 0)) {
            throw new IllegalArgumentException("relative loads must be positive");
        }
        return sorted;
    }
}
