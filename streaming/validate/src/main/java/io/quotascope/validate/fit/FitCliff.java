package io.quotascope.validate.fit;

import io.quotascope.validate.population.Development;
import io.quotascope.validate.population.Subject;
import io.quotascope.validate.truth.TruthCache;
import io.quotascope.validate.truth.Truths;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/**
 * Prints the constants of {@code CliffCalibration}: see {@code make fit-cliff}. Every figure comes
 * with its error on services that did not take part (ten groups of services, each judged by lines
 * fitted on the others).
 */
public final class FitCliff {
    private static final int GROUPS = 10;

    /** An observation and the group of its service. */
    private record Member(int group, SeenCliff seen) {}

    private FitCliff() {}

    /** The one argument is the number of services. */
    public static void main(String[] arguments) {
        int services = Integer.parseInt(arguments[0]);
        Truths truths =
                new Truths(new TruthCache(Path.of("streaming/validate/target/truth/development")));
        List<Subject> subjects = Development.of(0, services, 0).collapsible();
        List<Member> all = new ArrayList<>();
        List<List<SeenCliff>> seen =
                subjects.parallelStream().map(one -> SeenCliff.of(one, truths)).toList();
        for (int service = 0; service < services; service++) {
            int group = service % GROUPS;
            seen.get(service).forEach(one -> all.add(new Member(group, one)));
        }
        System.out.println(services + " services, " + all.size() + " observations");
        print(
                "stated collapse: intercept dear plain used timeout",
                all,
                s -> new double[] {1, s.dear(), s.plain(), s.used(), s.timeout()},
                s -> s.collapse() + s.used());
        print(
                "assumed collapse: intercept dear plain used",
                all,
                s -> new double[] {1, s.dearAssumed(), s.plainAssumed(), s.used()},
                s -> s.collapse() + s.used());
        print(
                "priced collapse: intercept plain used timeout",
                all,
                s -> new double[] {1, s.priced(), s.used(), s.timeout()},
                s -> s.collapse() + s.used());
        print(
                "stated recovery: intercept attempts crowd used timeout",
                all,
                s -> new double[] {1, s.attempts(), s.crowd(), s.used(), s.timeout()},
                s -> s.recovery() + s.used());
        print(
                "assumed recovery: intercept crowd used",
                all,
                s -> new double[] {1, s.crowd(), s.used()},
                s -> s.recovery() + s.used());
        print(
                "priced recovery: intercept attempts crowd used timeout",
                all,
                s -> new double[] {1, s.attempts(), s.crowdPrice(), s.used(), s.timeout()},
                s -> s.recovery() + s.used());
    }

    /** Values of the terms of one line. */
    private interface Terms {
        double[] of(SeenCliff seen);
    }

    private static void print(
            String line, List<Member> all, Terms terms, ToDoubleFunction<SeenCliff> target) {
        double[] fitted = fit(all, -1, terms, target);
        double[][] without = new double[GROUPS][];
        for (int group = 0; group < GROUPS; group++) {
            without[group] = fit(all, group, terms, target);
        }
        double[] errors =
                all.stream()
                        .filter(m -> m.seen().share() >= 0.5 && m.seen().share() <= 0.7)
                        .mapToDouble(
                                m ->
                                        Math.abs(
                                                LeastSquares.predict(
                                                                without[m.group()],
                                                                terms.of(m.seen()))
                                                        - target.applyAsDouble(m.seen())))
                        .sorted()
                        .toArray();
        System.out.printf(
                Locale.ROOT,
                "%s%n    %s   seen from 50-70 %%, out of sample: median %.3f, 90 %% %.3f%n",
                line,
                Arrays.stream(fitted)
                        .mapToObj(c -> String.format(Locale.ROOT, "%.3f", c))
                        .collect(Collectors.joining(", ")),
                errors[errors.length / 2],
                errors[(int) (0.9 * errors.length)]);
    }

    private static double[] fit(
            List<Member> all, int leftOut, Terms terms, ToDoubleFunction<SeenCliff> target) {
        List<Member> taking = all.stream().filter(m -> m.group() != leftOut).toList();
        return LeastSquares.fit(
                taking.stream().map(m -> terms.of(m.seen())).toList(),
                taking.stream().map(m -> target.applyAsDouble(m.seen())).toList());
    }
}
