package io.quotascope.validate.fit;

import io.quotascope.validate.Judged;
import io.quotascope.validate.population.Subject;
import io.quotascope.validate.truth.TruthCache;
import io.quotascope.validate.truth.Truths;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * Prints the constants of {@code CliffCalibration}: see {@code make fit-cliff}. The services are
 * not judged, so that the table of {@code make validate} is out of sample.
 */
public final class FitCliff {
    private FitCliff() {}

    /** The one argument is the number of services. */
    public static void main(String[] arguments) {
        int services = Integer.parseInt(arguments[0]);
        Truths truths =
                new Truths(new TruthCache(Path.of("streaming/validate/target/truth/development")));
        List<Subject> subjects = Judged.others(services);
        List<List<SeenCliff>> seen =
                subjects.parallelStream().map(one -> SeenCliff.of(one, truths)).toList();
        List<CrossFit.Member> all = new ArrayList<>();
        for (int service = 0; service < services; service++) {
            int group = service % CrossFit.GROUPS;
            seen.get(service).forEach(one -> all.add(new CrossFit.Member(group, one)));
        }
        System.out.println(services + " services, " + all.size() + " observations");
        ToDoubleFunction<SeenCliff> collapse = s -> s.collapse() + s.used();
        ToDoubleFunction<SeenCliff> recovery = s -> s.recovery() + s.used();
        new CrossFit(
                        "stated collapse: intercept dear plain used timeout",
                        all,
                        s -> new double[] {1, s.dear(), s.plain(), s.used(), s.timeout()},
                        collapse,
                        s -> Math.abs(s.plain() - s.mayBe()) / 2)
                .printCollapse();
        new CrossFit(
                        "assumed collapse: intercept dear plain used",
                        all,
                        s -> new double[] {1, s.dearAssumed(), s.plainAssumed(), s.used()},
                        collapse,
                        s -> Math.abs(s.plainAssumed() - s.mayBeAssumed()) / 2)
                .printCollapse();
        new CrossFit(
                        "priced collapse: intercept plain used timeout",
                        all,
                        s -> new double[] {1, s.priced(), s.used(), s.timeout()},
                        collapse)
                .printCollapse();
        new CrossFit(
                        "stated recovery: intercept attempts crowd used timeout",
                        all,
                        s -> new double[] {1, s.attempts(), s.crowd(), s.used(), s.timeout()},
                        recovery)
                .print();
        new CrossFit(
                        "assumed recovery: intercept crowd used",
                        all,
                        s -> new double[] {1, s.crowd(), s.used()},
                        recovery)
                .print();
        new CrossFit(
                        "priced recovery: intercept attempts crowd used timeout",
                        all,
                        s -> new double[] {1, s.attempts(), s.crowdPrice(), s.used(), s.timeout()},
                        recovery)
                .print();
    }
}
