package io.quotascope.validate.truth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.Random;
import java.util.function.DoublePredicate;
import org.junit.jupiter.api.Test;

class LoadVoteTest {
    private static final double LOW = 0.1;
    private static final double HIGH = 3;

    private static double median(double[] loads) {
        double[] ascending = loads.clone();
        Arrays.sort(ascending);
        return ascending[loads.length / 2];
    }

    /** Wherever the search begins, it finds the middle one of the runs' own loads. */
    @Test
    void findsTheMedianOfTheRunsFromAnywhere() {
        Random random = new Random(4);
        for (int trial = 0; trial < 500; trial++) {
            double[] loads = new double[1 + 2 * random.nextInt(8)];
            DoublePredicate[] runs = new DoublePredicate[loads.length];
            for (int run = 0; run < loads.length; run++) {
                double own = 0.12 * Math.exp(3 * random.nextDouble());
                loads[run] = own;
                runs[run] = load -> load >= own;
            }
            double first = 0.05 * Math.exp(5 * random.nextDouble());
            double found = new LoadVote(runs).load(first, LOW, HIGH);
            assertThat(Math.abs(Math.log(found / median(loads)))).isLessThan(0.011);
        }
    }

    @Test
    void staysAtTheEndOfTheRangeWhenAllOrNoneBreak() {
        assertThat(new LoadVote(load -> true).load(1, LOW, HIGH)).isBetween(LOW, LOW * 1.02);
        assertThat(new LoadVote(load -> false).load(1, LOW, HIGH)).isBetween(HIGH / 1.02, HIGH);
    }

    /** Runs are dear: nobody is asked twice what is already known of it. */
    @Test
    void asksNoRunWhatItsEarlierAnswersTell() {
        int[] asked = new int[1];
        double[] healthy = {0};
        double[] broken = {Double.MAX_VALUE};
        DoublePredicate run =
                load -> {
                    asked[0]++;
                    assertThat(load).isGreaterThan(healthy[0]).isLessThan(broken[0]);
                    if (load >= 1.3) {
                        broken[0] = load;
                        return true;
                    }
                    healthy[0] = load;
                    return false;
                };
        new LoadVote(run).load(1, LOW, HIGH);
        assertThat(asked[0]).isBetween(4, 9);
    }

    @Test
    void anEvenNumberOfVotesIsRefused() {
        assertThatThrownBy(() -> new LoadVote(load -> true, load -> true))
                .hasMessageContaining("2 votes");
    }
}
