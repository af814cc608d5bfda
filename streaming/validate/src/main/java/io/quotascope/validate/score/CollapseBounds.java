package io.quotascope.validate.score;

import io.quotascope.validate.population.Subject;
import io.quotascope.validate.truth.Truths;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * How surely the collapse load can be known at all: the truth is found once more, with other
 * requests of the same law, and that second answer is judged like an estimator. Nobody who sees a
 * service and not its requests to come can do better.
 */
public final class CollapseBounds {
    private final Truths truths;
    private final Findings findings;

    /** Scores into findings. */
    public CollapseBounds(Truths truths, Findings findings) {
        this.truths = truths;
        this.findings = findings;
    }

    /** One observation: where it stood, and what the second truth says of it. */
    private record Seen(double share, double estimate) {}

    /** Repeats the truth of every subject and writes the rows. */
    public void score(List<Subject> subjects) {
        write(subjects, "one other run of the simulator", s -> truths.collapseOfOneRun(s, 1));
        write(
                subjects,
                Truths.VOTES + " other runs of the simulator",
                s -> truths.collapseLoad(s, 1));
        List<Double> single =
                subjects.parallelStream()
                        .map(
                                s ->
                                        logRatio(
                                                truths.collapseOfOneRun(s, 0),
                                                truths.collapseOfOneRun(s, 1)))
                        .toList();
        findings.add(
                Row.plain(
                        "collapse load of one run against one other run: median, P90 difference",
                        "everything",
                        "simulator",
                        errors(single),
                        subjects.size()));
    }

    private void write(List<Subject> subjects, String who, ToDoubleFunction<Subject> second) {
        List<Double> differences =
                subjects.parallelStream()
                        .map(s -> logRatio(second.applyAsDouble(s), truths.collapseLoad(s)))
                        .toList();
        findings.add(
                Row.plain(
                        "truth of the collapse load, found again: median, P90 difference",
                        "everything",
                        who,
                        errors(differences),
                        subjects.size()));
        List<Seen> seen = subjects.parallelStream().flatMap(s -> seen(s, second).stream()).toList();
        for (double more : new double[] {1.1, 1.5}) {
            double[] scores = seen.stream().mapToDouble(s -> 1 / s.estimate()).toArray();
            boolean[] labels = new boolean[seen.size()];
            for (int one = 0; one < labels.length; one++) {
                labels[one] = more * seen.get(one).share() >= 1;
            }
            findings.add(
                    Row.plain(
                            String.format(
                                    Locale.ROOT,
                                    "bound of the AUC for collapse at +%.0f %%",
                                    100 * (more - 1)),
                            "everything",
                            who,
                            String.format(Locale.ROOT, "%.3f", Statistics.auc(scores, labels)),
                            seen.size()));
        }
    }

    private List<Seen> seen(Subject subject, ToDoubleFunction<Subject> second) {
        List<Seen> seen = new ArrayList<>();
        double truth = truths.collapseLoad(subject);
        for (double share : Collapse.SEEN_AT) {
            if (truths.isSeenHealthy(subject, share * truth, Collapse.SEEN_US)) {
                seen.add(new Seen(share, second.applyAsDouble(subject) / truth / share));
            }
        }
        return seen;
    }

    private static double logRatio(double one, double other) {
        return Math.abs(Math.log(one / other));
    }

    private static String errors(List<Double> errors) {
        return String.format(
                Locale.ROOT,
                "%.0f %%, %.0f %%",
                100 * Statistics.median(errors),
                100 * Statistics.quantile(errors, 0.9));
    }
}
