package io.quotascope.domain.risk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class StudentTTest {
    private static final int STEPS = 2_000;

    @Test
    void closedFormsOfFewDegreesOfFreedom() {
        for (double t : new double[] {-40, -3, -0.5, -1e-9, 0, 1e-9, 0.25, 1, 2.5, 100}) {
            double cauchy = 0.5 + Math.atan(t) / Math.PI;
            double two = 0.5 + t / (2 * Math.sqrt(2 + t * t));
            assertThat(StudentT.cumulative(t, 1)).isCloseTo(cauchy, within(1e-14));
            assertThat(StudentT.cumulative(t, 2)).isCloseTo(two, within(1e-14));
        }
    }

    @Test
    void whatIsCertainIsCertain() {
        assertThat(StudentT.cumulative(Double.POSITIVE_INFINITY, 4)).isEqualTo(1);
        assertThat(StudentT.cumulative(1e200, 4)).isEqualTo(1);
        assertThat(StudentT.cumulative(Double.NEGATIVE_INFINITY, 4)).isZero();
    }

    /** Printed tables: 6.314, 2.920, 2.132, 2.015, 1.812, 1.645 (many). */
    @Test
    void percentilesOfPrintedTables() {
        double[] freedoms = {1, 2, 4, 5, 10, 1e6};
        double[] tables = {6.3138, 2.9200, 2.1318, 2.0150, 1.8125, 1.6449};
        for (int at = 0; at < freedoms.length; at++) {
            assertThat(StudentT.quantile95(freedoms[at])).isCloseTo(tables[at], within(1e-4));
        }
    }

    @Property(tries = 200)
    void equalsTheIntegralOfItsDensity(
            @ForAll @DoubleRange(min = -30, max = 30) double t,
            @ForAll @IntRange(min = 2, max = 40) int freedom) {
        assertThat(StudentT.cumulative(t, freedom))
                .isCloseTo(byIntegration(t, freedom), within(1e-9));
    }

    @Property(tries = 200)
    void liesBetweenTheDistributionsOfMoreAndOfLessFreedom(
            @ForAll @DoubleRange(min = 0, max = 30) double t,
            @ForAll @IntRange(min = 1, max = 40) int freedom,
            @ForAll @DoubleRange(min = 0, max = 1) double more) {
        assertThat(StudentT.cumulative(t, freedom + more))
                .isBetween(
                        StudentT.cumulative(t, freedom) - 1e-13,
                        StudentT.cumulative(t, freedom + 1) + 1e-13);
    }

    @Property(tries = 200)
    void isSymmetricAndRises(
            @ForAll @DoubleRange(min = -50, max = 50) double t,
            @ForAll @DoubleRange(min = 0, max = 5) double more,
            @ForAll @DoubleRange(min = 1, max = 100) double freedom) {
        double at = StudentT.cumulative(t, freedom);
        assertThat(at + StudentT.cumulative(-t, freedom)).isCloseTo(1, within(1e-13));
        assertThat(StudentT.cumulative(t + more, freedom)).isGreaterThanOrEqualTo(at - 1e-13);
    }

    /** t = sqrt(freedom) tan(angle), over which the density is cos(angle)^(freedom - 1). */
    private static double byIntegration(double t, double freedom) {
        double end = Math.atan(Math.abs(t) / Math.sqrt(freedom));
        double half = 0.5 * integral(end, freedom) / integral(Math.PI / 2, freedom);
        return t >= 0 ? 0.5 + half : 0.5 - half;
    }

    /** By Simpson's rule; for whole degrees of freedom the density is smooth at a right angle. */
    private static double integral(double end, double freedom) {
        double step = end / STEPS;
        double sum = 0;
        for (int point = 0; point <= STEPS; point++) {
            int weight = point == 0 || point == STEPS ? 1 : point % 2 == 1 ? 4 : 2;
            sum += weight * Math.pow(Math.max(0, Math.cos(point * step)), freedom - 1);
        }
        return sum * step / 3;
    }
}
