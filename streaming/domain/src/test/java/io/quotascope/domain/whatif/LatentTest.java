package io.quotascope.domain.whatif;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotascope.domain.window.ThrottlingSums;
import java.util.Optional;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class LatentTest {
    private static final boolean[] ALL = {true, true, true, true, true, true, true, true};

    @Property
    void quantileAndShareBelowAreInverse(@ForAll @DoubleRange(min = 0.01, max = 0.99) double p) {
        assertThat(NormalTable.below(NormalTable.quantile(p))).isCloseTo(p, Offset.offset(1e-6));
    }

    @Test
    void knownQuantiles() {
        assertThat(NormalTable.quantile(0.5)).isZero();
        assertThat(NormalTable.quantile(0.975)).isCloseTo(1.959964, Offset.offset(1e-5));
        assertThat(NormalTable.quantile(0.001)).isCloseTo(-3.090232, Offset.offset(1e-5));
    }

    @Test
    void drawsAreStandardNormal() {
        SplittableRandom random = new SplittableRandom(7);
        double sum = 0.0;
        double squares = 0.0;
        int beyondTwo = 0;
        int draws = 200_000;
        for (int draw = 0; draw < draws; draw++) {
            double z = NormalTable.draw(random.nextLong());
            sum += z;
            squares += z * z;
            beyondTwo += z > 2 ? 1 : 0;
        }
        assertThat(sum / draws).isCloseTo(0, Offset.offset(0.01));
        assertThat(squares / draws).isCloseTo(1, Offset.offset(0.01));
        assertThat(beyondTwo / (double) draws).isCloseTo(0.02275, Offset.offset(0.001));
    }

    @Test
    void aSingleProcessIsFoundAgain() {
        // exp(-lag / 12) at lags of 1, 2, 4 .. 128.
        double[] correlations = new double[8];
        for (int lag = 0; lag < 8; lag++) {
            correlations[lag] = Math.exp(-(1 << lag) / 12.0);
        }
        double[] weights = LatentMix.fit(correlations, ALL);
        double sum = 0.0;
        double fitted = 0.0;
        for (int process = 0; process < weights.length; process++) {
            assertThat(weights[process]).isGreaterThanOrEqualTo(0);
            sum += weights[process];
            fitted += weights[process] * Math.pow(LatentMix.persistence(process), 8);
        }
        assertThat(sum).isCloseTo(1, Offset.offset(1e-9));
        assertThat(fitted).isCloseTo(correlations[3], Offset.offset(0.02));
    }

    @Property
    void aNormalVariableNeedsTheCorrelationItself(
            @ForAll @DoubleRange(min = 0, max = 0.95) double correlation) {
        double[] usage = new double[4_000];
        for (int at = 0; at < usage.length; at++) {
            usage[at] = 10 + NormalTable.quantile((at + 0.5) / usage.length);
        }
        Marginal normal =
                Marginal.of(
                        MeasuredDemand.of(usage, ThrottlingSums.ZERO, Optional.empty(), 16).usage(),
                        10);
        // The histogram's buckets (half a core wide at 10 cores) disturb a little.
        assertThat(LatentCorrelation.of(normal).latentFor(correlation))
                .isCloseTo(correlation, Offset.offset(0.03));
    }

    @Property
    void latentCorrelationAndItsInverseAgree(
            @ForAll @DoubleRange(min = 0, max = 0.95) double correlation) {
        double[] usage = MeasuredDemand.bursts(2, 6_000).toArray();
        LatentCorrelation of =
                LatentCorrelation.of(
                        Marginal.of(
                                MeasuredDemand.of(usage, ThrottlingSums.ZERO, Optional.empty(), 16)
                                        .usage(),
                                1));
        double latent = of.latentFor(correlation);
        assertThat(latent).isBetween(0.0, LatentCorrelation.MAX);
        assertThat(of.ofValues(latent)).isCloseTo(correlation, Offset.offset(1e-4));
    }
}
