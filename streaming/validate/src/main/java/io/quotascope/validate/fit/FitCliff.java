package io.quotascope.validate.fit;

import io.quotascope.domain.risk.CliffCalibration;
import io.quotascope.validate.Judged;
import io.quotascope.validate.population.Rehearsal;
import io.quotascope.validate.population.Subject;
import io.quotascope.validate.truth.TruthCache;
import io.quotascope.validate.truth.Truths;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * Prints the constants of {@code CliffCalibration}: see {@code make fit-cliff}. The services are
 * not judged, so that the table of {@code make validate} is out of sample, and of two families,
 * because a line that only one chose was further from the truth on any other.
 */
public final class FitCliff {
    private static final CliffCalibration FITTED = CliffCalibration.FITTED;

    private FitCliff() {}

    /** Two arguments: the number of services of the development population and of rehearsal. */
    public static void main(String[] arguments) {
        List<CrossFit.Member> all = new ArrayList<>();
        add(all, "development", Judged.others(Integer.parseInt(arguments[0])));
        add(all, "rehearsal", Rehearsal.of(Integer.parseInt(arguments[1]), Rehearsal.QUOTA_CORES));
        printCollapses(all);
        printRecoveries(all);
    }

    private static void add(List<CrossFit.Member> all, String population, List<Subject> subjects) {
        Path known = Path.of("streaming/validate/target/truth", population);
        Truths truths = new Truths(new TruthCache(known));
        List<List<SeenCliff>> seen =
                subjects.parallelStream().map(one -> SeenCliff.of(one, truths)).toList();
        int before = all.size();
        for (int service = 0; service < subjects.size(); service++) {
            int group = service % CrossFit.GROUPS;
            seen.get(service).forEach(one -> all.add(new CrossFit.Member(group, one)));
        }
        System.out.printf(
                "%s: %d services, %d observations%n",
                population, subjects.size(), all.size() - before);
    }

    private static void printCollapses(List<CrossFit.Member> all) {
        ToDoubleFunction<SeenCliff> collapse = s -> s.collapse() + s.used();
        ToDoubleFunction<SeenCliff> stated =
                s -> FITTED.mayShare() * Math.abs(s.plain() - s.mayBe());
        ToDoubleFunction<SeenCliff> assumed =
                s -> FITTED.mayShare() * Math.abs(s.plainAssumed() - s.mayBeAssumed());
        new CrossFit(
                        "stated collapse: intercept dear used patience",
                        all,
                        FitCliff::stated,
                        collapse,
                        stated)
                .printCollapse();
        new CrossFit(
                        "stated collapse, watched: intercept dear used patience lasting",
                        all,
                        seen -> watched(FitCliff.stated(seen), seen),
                        collapse,
                        stated)
                .printCollapse();
        new CrossFit(
                        "assumed collapse: intercept dear used patience",
                        all,
                        FitCliff::assumed,
                        collapse,
                        assumed)
                .printCollapse();
        new CrossFit(
                        "assumed collapse, watched: intercept dear used patience lasting",
                        all,
                        seen -> watched(FitCliff.assumed(seen), seen),
                        collapse,
                        assumed)
                .printCollapse();
        new CrossFit(
                        "priced collapse: intercept priced used patience",
                        all,
                        FitCliff::priced,
                        collapse)
                .printCollapse();
    }

    private static void printRecoveries(List<CrossFit.Member> all) {
        ToDoubleFunction<SeenCliff> recovery = s -> s.recovery() + s.used();
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

    /** Terms of the line where timeout and retries are stated. */
    static double[] stated(SeenCliff seen) {
        return new double[] {1, seen.dear(), seen.used(), seen.impatience(seen.plain())};
    }

    /** Terms of the line where nothing is known. */
    static double[] assumed(SeenCliff seen) {
        return new double[] {1, seen.dearAssumed(), seen.used(), seen.impatienceAssumed()};
    }

    /** The terms of a line, and how long throttling lasts. */
    static double[] watched(double[] terms, SeenCliff seen) {
        double[] more = Arrays.copyOf(terms, terms.length + 1);
        more[terms.length] = -seen.persistence();
        return more;
    }

    /** Terms of the line where the price was measured. */
    static double[] priced(SeenCliff seen) {
        return new double[] {1, seen.priced(), seen.used(), seen.impatience(seen.priced())};
    }
}
