package io.quotascope.validate.fit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

class LeastSquaresTest {
    /** 1 + 2 x - 3 y at four corners of which no three lie on a line. */
    @Test
    void aPlaneIsFoundExactly() {
        List<double[]> rows =
                List.of(
                        new double[] {1, 0, 0},
                        new double[] {1, 1, 0},
                        new double[] {1, 0, 1},
                        new double[] {1, 2, 2});
        double[] found = LeastSquares.fit(rows, List.of(1.0, 3.0, -2.0, -1.0));
        assertThat(found).containsExactly(new double[] {1, 2, -3}, within(1e-12));
        assertThat(LeastSquares.predict(found, new double[] {1, 3, 1})).isCloseTo(4, within(1e-12));
    }

    /** The mean is what comes nearest to 1, 2 and 6. */
    @Test
    void aConstantIsTheMean() {
        double[] one = {1};
        assertThat(LeastSquares.fit(List.of(one, one, one), List.of(1.0, 2.0, 6.0))[0])
                .isCloseTo(3, within(1e-12));
    }

    @Test
    void termsThatAreTheSameAreRefused() {
        double[] twice = {1, 1};
        assertThatThrownBy(() -> LeastSquares.fit(List.of(twice, twice), List.of(1.0, 2.0)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("cannot be told apart");
    }
}
