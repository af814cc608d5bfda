package io.quotascope.validate.score;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/** Plain statistics of answers. */
final class Statistics {
    private static final int RESAMPLES = 200;
    private static final long RESAMPLING_SEED = 1;

    private Statistics() {}

    static double mean(List<Double> values) {
        return values.stream().mapToDouble(Double::doubleValue).average().orElse(Double.NaN);
    }

    /** The value that a share does not exceed (nearest rank). */
    static double quantile(List<Double> values, double share) {
        double[] ascending = values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
        int rank = (int) Math.ceil(share * ascending.length);
        return ascending[Math.max(1, rank) - 1];
    }

    static double median(List<Double> values) {
        return quantile(values, 0.5);
    }

    /** Probability that a positive has a higher score than a negative; ties count half. */
    static double auc(double[] scores, boolean[] labels) {
        double wins = 0;
        long pairs = 0;
        for (int one = 0; one < scores.length; one++) {
            for (int other = 0; other < scores.length; other++) {
                if (labels[one] && !labels[other]) {
                    pairs++;
                    wins +=
                            scores[one] > scores[other]
                                    ? 1
                                    : scores[one] == scores[other] ? 0.5 : 0;
                }
            }
        }
        return pairs == 0 ? Double.NaN : wins / pairs;
    }

    /**
     * Standard error of the AUC: its spread when as many groups are drawn with replacement.
     *
     * @param groups group of each score; scores of one group come and go together
     */
    static double aucError(double[] scores, boolean[] labels, List<String> groups) {
        List<List<Integer>> members =
                List.copyOf(
                        IntStream.range(0, scores.length)
                                .boxed()
                                .collect(
                                        Collectors.groupingBy(
                                                groups::get, TreeMap::new, Collectors.toList()))
                                .values());
        SplittableRandom random = new SplittableRandom(RESAMPLING_SEED);
        double[] drawn = new double[RESAMPLES];
        for (int sample = 0; sample < RESAMPLES; sample++) {
            int[] chosen =
                    IntStream.range(0, members.size())
                            .map(group -> random.nextInt(members.size()))
                            .flatMap(group -> members.get(group).stream().mapToInt(m -> m))
                            .toArray();
            boolean[] theirs = new boolean[chosen.length];
            for (int one = 0; one < chosen.length; one++) {
                theirs[one] = labels[chosen[one]];
            }
            drawn[sample] =
                    auc(IntStream.of(chosen).mapToDouble(one -> scores[one]).toArray(), theirs);
        }
        double[] known = DoubleStream.of(drawn).filter(each -> !Double.isNaN(each)).toArray();
        double mean = DoubleStream.of(known).average().orElse(Double.NaN);
        double square = DoubleStream.of(known).map(a -> (a - mean) * (a - mean)).sum();
        return Math.sqrt(square / Math.max(1, known.length - 1));
    }

    static double brier(double[] probabilities, boolean[] labels) {
        double sum = 0;
        for (int one = 0; one < labels.length; one++) {
            double error = probabilities[one] - (labels[one] ? 1 : 0);
            sum += error * error;
        }
        return sum / labels.length;
    }

    /**
     * Interval score of a 90 % interval: its width, and 20 times how far the truth lies outside.
     */
    static double intervalScore(double low, double high, double truth) {
        double outside = Math.max(0, Math.max(low - truth, truth - high));
        return high - low + 20 * outside;
    }

    /** Mean interval score of the best one interval for all truths. */
    static double bestConstantIntervalScore(List<Double> truths) {
        double[] ascending = truths.stream().mapToDouble(Double::doubleValue).toArray();
        Arrays.sort(ascending);
        double best = Double.MAX_VALUE;
        for (int low = 0; low < ascending.length; low++) {
            for (int high = low; high < ascending.length; high++) {
                double sum = 0;
                for (double truth : ascending) {
                    sum += intervalScore(ascending[low], ascending[high], truth);
                }
                best = Math.min(best, sum / ascending.length);
            }
        }
        return best;
    }
}
