package io.quotascope.domain.risk;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Student's t distribution, by Simpson's rule over its density. What depends on the degrees of
 * freedom alone is found once for each: the risk and the ranking ask for it in every minute of
 * every service, and finding it takes milliseconds. Policies name few degrees of freedom.
 */
final class StudentT {
    private static final int STEPS = 400;

    private static final Map<Double, Double> WHOLE = new ConcurrentHashMap<>();
    private static final Map<Double, Double> QUANTILE95 = new ConcurrentHashMap<>();

    private StudentT() {}

    /** Probability of a value up to t. */
    static double cumulative(double t, double freedom) {
        // t = tan(angle) maps the half line onto a quarter circle and makes the density smooth.
        double end = StrictMath.atan(Math.abs(t));
        double whole = WHOLE.computeIfAbsent(freedom, known -> integral(StrictMath.PI / 2, known));
        double half = 0.5 * integral(end, freedom) / whole;
        return t >= 0 ? 0.5 + half : 0.5 - half;
    }

    /** 95th percentile. */
    static double quantile95(double freedom) {
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

    /** Integral of (1 + tan^2 / freedom)^(-(freedom + 1) / 2) sec^2 from 0 to an angle. */
    private static double integral(double end, double freedom) {
        double step = end / STEPS;
        double sum = 0;
        for (int point = 0; point <= STEPS; point++) {
            int weight = point == 0 || point == STEPS ? 1 : point % 2 == 1 ? 4 : 2;
            sum += weight * density(point * step, freedom);
        }
        return sum * step / 3;
    }

    /** Rewritten with cosines, so that it has a limit at a right angle: 0 for freedom above 1. */
    private static double density(double angle, double freedom) {
        double cosine = Math.max(0, StrictMath.cos(angle));
        double sine = StrictMath.sin(angle);
        double bracket = cosine * cosine + sine * sine / freedom;
        return StrictMath.pow(cosine, freedom - 1) * StrictMath.pow(bracket, -(freedom + 1) / 2);
    }
}
