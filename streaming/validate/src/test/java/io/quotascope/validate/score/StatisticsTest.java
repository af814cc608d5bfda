package io.quotascope.validate.score;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class StatisticsTest {
    @Test
    void aucCountsPairsInOrder() {
        boolean[] labels = {false, false, true, true};
        assertThat(Statistics.auc(new double[] {1, 2, 3, 4}, labels)).isEqualTo(1);
        assertThat(Statistics.auc(new double[] {4, 3, 2, 1}, labels)).isEqualTo(0);
        // Of four pairs two are in order, one is a tie, one is wrong.
        assertThat(Statistics.auc(new double[] {1, 3, 2, 3}, labels)).isEqualTo(0.625);
    }

    /** Four copies of the same scores in one service say no more than one; in four they do. */
    @Test
    void theErrorOfAnAucCountsServicesAndNotAnswers() {
        double[] scores = new double[48];
        boolean[] labels = new boolean[48];
        List<String> alone = new ArrayList<>();
        List<String> together = new ArrayList<>();
        for (int one = 0; one < scores.length; one++) {
            int service = one / 4;
            scores[one] = service * 5 % 12;
            labels[one] = service % 2 == 0;
            together.add("s" + service);
            alone.add("s" + one);
        }
        double few = Statistics.aucError(scores, labels, together);
        double many = Statistics.aucError(scores, labels, alone);
        assertThat(few).isGreaterThan(1.5 * many);
        assertThat(many).isPositive();
        assertThat(Statistics.aucError(scores, labels, together)).isEqualTo(few);
    }

    @Test
    void quantilesAreMembers() {
        List<Double> values = List.of(5.0, 1.0, 3.0, 2.0, 4.0);
        assertThat(Statistics.median(values)).isEqualTo(3);
        assertThat(Statistics.quantile(values, 0.9)).isEqualTo(5);
    }

    @Test
    void anIntervalPaysForItsWidthAndTwentyfoldForAMiss() {
        assertThat(Statistics.intervalScore(1, 3, 2)).isEqualTo(2);
        assertThat(Statistics.intervalScore(1, 3, 3.5)).isCloseTo(2 + 10, within(1e-12));
    }

    @Test
    void theBestConstantIntervalIsNoWorseThanTheWidest() {
        List<Double> truths = List.of(0.0, 0.1, 0.2, 0.3, 5.0);
        double best = Statistics.bestConstantIntervalScore(truths);
        assertThat(best).isLessThanOrEqualTo(5);
        // Leaving 5.0 out would cost 20 x 4.7 / 5; covering all costs 5.
        assertThat(best).isEqualTo(5);
    }
}
