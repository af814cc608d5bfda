package io.quotascope.domain.whatif;

/**
 * The standard normal distribution by table: deterministic on every machine and fast enough to be
 * drawn from millions of times a second.
 */
final class NormalTable {
    private static final int STEPS = 4096;
    private static final double[] QUANTILES = new double[STEPS + 1];

    static {
        for (int step = 1; step < STEPS; step++) {
            QUANTILES[step] = quantile(step / (double) STEPS);
        }
        // The outermost cells hold their conditional means: beyond 1 - 1/4096 that is about 3.66.
        QUANTILES[0] = quantile(0.25 / STEPS);
        QUANTILES[STEPS] = -QUANTILES[0];
    }

    private NormalTable() {}

    /** A draw from 64 random bits. */
    static double draw(long bits) {
        int cell = (int) (bits >>> 52);
        double within = (bits & 0xFFFFFFFFFFL) * 0x1p-40;
        return QUANTILES[cell] + within * (QUANTILES[cell + 1] - QUANTILES[cell]);
    }

    /**
     * The value below which a share 0 < p < 1 lies. Wichura, AS 241 (1988), the single precision
     * form PPND7: at most 1e-7 off.
     */
    static double quantile(double p) {
        double q = p - 0.5;
        if (Math.abs(q) <= 0.425) {
            double r = 0.180625 - q * q;
            return q
                    * (((59.109374720 * r + 159.29113202) * r + 50.434271938) * r + 3.3871327179)
                    / (((67.187563600 * r + 78.757757664) * r + 17.895169469) * r + 1.0);
        }
        double r = StrictMath.sqrt(-StrictMath.log(q < 0 ? p : 1.0 - p));
        double tail;
        if (r <= 5.0) {
            r -= 1.6;
            tail =
                    (((0.17023821103 * r + 1.3067284816) * r + 2.7568153900) * r + 1.4234372777)
                            / ((0.12021132975 * r + 0.73700164250) * r + 1.0);
        } else {
            r -= 5.0;
            tail =
                    (((0.017337203 * r + 0.42868294) * r + 3.0812263) * r + 6.6579051)
                            / ((0.012258202 * r + 0.24197894) * r + 1.0);
        }
        return q < 0 ? -tail : tail;
    }

    /** Share below a value. Abramowitz and Stegun 26.2.17: at most 7.5e-8 off. */
    static double below(double z) {
        double t = 1.0 / (1.0 + 0.2316419 * Math.abs(z));
        double poly =
                ((((1.330274429 * t - 1.821255978) * t + 1.781477937) * t - 0.356563782) * t
                                + 0.319381530)
                        * t;
        double upper = 0.3989422804014327 * StrictMath.exp(-0.5 * z * z) * poly;
        return z >= 0 ? 1.0 - upper : upper;
    }
}
