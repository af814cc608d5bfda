package io.quotascope.domain.verification;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.quotascope.domain.verification.PredictionScore.Realised;
import java.util.List;
import net.jqwik.api.Example;

class PredictionScoreTest {
    @Example
    void scoresAreThoseOfTheFormula() {
        // Inside: width 4. Below by 1: width 2 + 20 x 1 = 22. Above by 0.5: width 1 + 20 x 0.5 =
        // 11.
        PredictionScore score =
                PredictionScore.of(
                        List.of(
                                new Realised(8, 10, 12, 11),
                                new Realised(4, 5, 6, 3),
                                new Realised(1, 1.5, 2, 2.5)));
        assertThat(score.predictions()).isEqualTo(3);
        assertThat(score.coverage()).isCloseTo(1 / 3.0, within(1e-12));
        assertThat(score.bias()).isCloseTo((-1 + 2 - 1) / 3.0, within(1e-12));
        assertThat(score.absoluteErrorMean()).isCloseTo(4 / 3.0, within(1e-12));
        assertThat(score.intervalScoreMean()).isCloseTo((4 + 22 + 11) / 3.0, within(1e-12));
    }

    @Example
    void nothingToScoreIsAnError() {
        assertThatThrownBy(() -> PredictionScore.of(List.of()))
                .hasMessageContaining("no prediction");
        assertThatThrownBy(() -> new Realised(2, 1.5, 1, 1)).hasMessageContaining("low");
    }
}
