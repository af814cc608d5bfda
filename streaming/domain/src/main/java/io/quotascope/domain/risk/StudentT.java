package io.quotascope.domain.risk;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Student's t distribution by the continued fraction of the incomplete beta function (NIST Digital
 * Library of Mathematical Functions, 8.17.22), about a microsecond a value: the risk and the
 * ranking ask for it in every minute of every service. What depends on the degrees of freedom alone
 * is found once for each; policies name few.
 */
public final class StudentT {
    /** Terms of the fraction; some ten are enough where it is used. */
    private static final int TERMS = 200;

    private static final double CLOSE = 1e-15;

    /** From here on the series of {@link #gammaRatio} is exact to a double's last digits. */
    private static final double SERIES_FROM = 200;

    private static final Map<Double, Double> BETA = new ConcurrentHashMap<>();
    private static final Map<Double, Double> QUANTILE95 = new ConcurrentHashMap<>();

    private StudentT() {}

    /** Probability of a value up to t. */
    static double cumulative(double t, double freedom) {
        double square = t * t;
        if (Double.isInfinite(square)) {
            return t > 0 ? 1 : 0; // what is certain has no deviation to be divided by
        }
        double beyond = 0.5 * incompleteBeta(freedom / 2, square, freedom);
        return t >= 0 ? 1 - beyond : beyond;
    }

    /**
     * 95th percentile.
     *
     * @param freedom degrees of freedom, 1 or more; need not be whole
     */
    public static double quantile95(double freedom) {
        return QUANTILE95.computeIfAbsent(freedom, StudentT::find95);
    }

    private static double find95(double freedom) {
        double low = 0;
        double high = 100;
        while (high - low > 1e-9) {
            double middle = (low + high) / 2;
            if (cumulative(middle, freedom) < 0.95) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /**
     * The regularized I_x(a, 1/2) at x = freedom / (freedom + square), which 1 - x = square / ...
     */
    private static double incompleteBeta(double a, double square, double freedom) {
        double x = freedom / (freedom + square);
        double rest = square / (freedom + square);
        double whole = BETA.computeIfAbsent(a, StudentT::betaWithHalf);
        double front = StrictMath.pow(x, a) * StrictMath.sqrt(rest) / whole;
        // The fraction converges fast below the mean of the distribution, its mirror image above
        // it.
        return x < (a + 1) / (a + 2.5)
                ? front * fraction(a, 0.5, x) / a
                : 1 - front * fraction(0.5, a, rest) / 0.5;
    }

    /** The continued fraction, evaluated from the front by Lentz's method. */
    private static double fraction(double a, double b, double x) {
        double c = 1;
        double d = 1 / (1 - (a + b) * x / (a + 1));
        double value = d;
        for (int m = 1; m <= TERMS; m++) {
            double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
            d = 1 / (1 + even * d);
            c = 1 + even / c;
            value *= d * c;
            double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
            d = 1 / (1 + odd * d);
            c = 1 + odd / c;
            value *= d * c;
            if (Math.abs(d * c - 1) < CLOSE) {
                break;
            }
        }
        return value;
    }

    /** B(a, 1/2) = sqrt(pi) Gamma(a) / Gamma(a + 1/2). */
    private static double betaWithHalf(double a) {
        return StrictMath.sqrt(StrictMath.PI) / gammaRatio(a);
    }

    /** Gamma(a + 1/2) / Gamma(a): stepped up to where its series in 1/a is exact enough. */
    private static double gammaRatio(double a) {
        double factor = 1;
        double at = a;
        while (at < SERIES_FROM) {
            factor *= at / (at + 0.5);
            at++;
        }
        double inverse = 1 / at;
        double series =
                1
                        + inverse
                                * (-1.0 / 8
                                        + inverse
                                                * (1.0 / 128
                                                        + inverse
                                                                * (5.0 / 1024
                                                                        - inverse * 21.0 / 32768)));
        return factor * StrictMath.sqrt(at) * series;
    }
}
