package io.quotascope.validate.fit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quotascope.domain.risk.CliffCalibration.Collapse;
import io.quotascope.domain.risk.RiskPolicy;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** What is fitted is what the domain evaluates. */
class FitCliffTest {
    private static final double ASSUMED_SECONDS =
            RiskPolicy.DEFAULT.assumedClients().timeoutUs() / 1e6;

    private final SplittableRandom random = new SplittableRandom(1);

    private double upTo(double least, double most) {
        return Math.log(random.nextDouble(least, most));
    }

    private SeenCliff any() {
        return new SeenCliff(
                random.nextDouble(0.3, 1),
                upTo(0.05, 1),
                upTo(0.1, 1.1),
                upTo(0.1, 1.1),
                upTo(0.1, 1.1),
                upTo(0.1, 1.1),
                upTo(0.1, 1.1),
                upTo(0.1, 1.1),
                upTo(0.1, 1.1),
                upTo(0.05, 3),
                0,
                0,
                0,
                random.nextDouble(0, 4),
                0,
                0);
    }

    @Test
    void theTrainersPredictionIsTheDomains() {
        for (int one = 0; one < 200; one++) {
            SeenCliff seen = any();
            double used = Math.exp(seen.used());
            double timeout = Math.exp(seen.timeout());
            double[] c = {0.1, 0.4, 0.2, 0.3};
            assertThat(LeastSquares.predict(c, FitCliff.stated(seen)))
                    .isCloseTo(
                            Math.log(
                                    new Collapse(c[0], c[1], c[2], c[3])
                                            .of(
                                                    Math.exp(seen.dear()),
                                                    Math.exp(seen.plain()),
                                                    used,
                                                    timeout,
                                                    0)),
                            within(1e-12));
            double[] watched = {0.1, 0.4, 0.2, 0.3, 0.05};
            assertThat(LeastSquares.predict(watched, FitCliff.watched(FitCliff.stated(seen), seen)))
                    .isCloseTo(
                            Math.log(
                                    new Collapse(c[0], c[1], c[2], c[3], 0.05)
                                            .of(
                                                    Math.exp(seen.dear()),
                                                    Math.exp(seen.plain()),
                                                    used,
                                                    timeout,
                                                    seen.persistence())),
                            within(1e-12));
            assertThat(LeastSquares.predict(c, FitCliff.assumed(seen)))
                    .isCloseTo(
                            Math.log(
                                    new Collapse(c[0], c[1], c[2], c[3])
                                            .of(
                                                    Math.exp(seen.dearAssumed()),
                                                    Math.exp(seen.plainAssumed()),
                                                    used,
                                                    ASSUMED_SECONDS,
                                                    0)),
                            within(1e-12));
            assertThat(LeastSquares.predict(c, FitCliff.priced(seen)))
                    .isCloseTo(
                            Math.log(
                                    new Collapse(c[0], c[1], c[2], c[3])
                                            .of(
                                                    Math.exp(seen.priced()),
                                                    Math.exp(seen.priced()),
                                                    used,
                                                    timeout,
                                                    0)),
                            within(1e-12));
        }
    }
}
