package io.quotascope.validate.fit;

import io.quotascope.domain.cfs.service.ServiceRun;
import io.quotascope.validate.Validate;
import io.quotascope.validate.estimate.Input;
import io.quotascope.validate.estimate.Observation;
import io.quotascope.validate.estimate.Scenario;
import io.quotascope.validate.estimators.ReplayedCliff;
import io.quotascope.validate.population.Development;
import io.quotascope.validate.population.Subject;
import io.quotascope.validate.score.Savings;
import io.quotascope.validate.truth.Seen;
import io.quotascope.validate.truth.TruthCache;
import io.quotascope.validate.truth.Truths;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.IntStream;

/**
 * Prints the constants of {@code GainError}: see {@code make fit-savings}. The services are those
 * that follow the judged ones. Deviations are of services that did not take part (ten groups).
 */
public final class FitSavings {
    private static final int GROUPS = 10;

    /** One real gain beside its replay. */
    private record Gain(int group, String fix, boolean known, double cores, double error) {}

    private FitSavings() {}

    /** The one argument is the number of services. */
    public static void main(String[] arguments) {
        int services = Integer.parseInt(arguments[0]);
        Truths truths =
                new Truths(new TruthCache(Path.of("streaming/validate/target/truth/development")));
        List<Subject> subjects =
                Development.of(0, 0, Validate.TUNABLE + services)
                        .tunable()
                        .subList(Validate.TUNABLE, Validate.TUNABLE + services);
        ReplayedCliff replay = new ReplayedCliff();
        List<Gain> all =
                IntStream.range(0, services)
                        .parallel()
                        .boxed()
                        .flatMap(s -> gains(subjects.get(s), s, truths, replay).stream())
                        .toList();
        for (String fix : List.of("cap", "pools", "cap and pools")) {
            for (boolean known : new boolean[] {true, false}) {
                print(
                        fix + (known ? ", kappa known" : ", kappa prior"),
                        all.stream()
                                .filter(g -> g.fix().equals(fix) && g.known() == known)
                                .toList());
            }
        }
    }

    private static List<Gain> gains(
            Subject subject, int number, Truths truths, ReplayedCliff replay) {
        Scenario now = Scenario.limited("now", subject.quota());
        double capacity = truths.capacity(subject, now, Savings.OBJECTIVE_US);
        ServiceRun run =
                Truths.observed(
                        subject, subject.load().at(Savings.SEEN_AT * capacity), Savings.SEEN_US);
        List<Gain> gains = new ArrayList<>();
        for (Scenario fix : Savings.fixes(subject)) {
            double truth = truths.capacity(subject, fix, Savings.OBJECTIVE_US) / capacity;
            for (boolean known : new boolean[] {true, false}) {
                OptionalDouble kappa =
                        known ? OptionalDouble.of(subject.cost().kappa()) : OptionalDouble.empty();
                Observation seen =
                        Seen.of(
                                subject,
                                run,
                                Input.SUMMARIES,
                                Optional.of(subject.plan().client()),
                                kappa);
                double replayed =
                        replay.capacityMultiple(seen, fix, Savings.OBJECTIVE_US)
                                .orElseThrow()
                                .value();
                gains.add(
                        new Gain(
                                number % GROUPS,
                                fix.name(),
                                known,
                                subject.quotaCores(),
                                Math.log(truth / replayed)));
            }
        }
        return gains;
    }

    private static void print(String name, List<Gain> gains) {
        double squares = 0;
        for (int group = 0; group < GROUPS; group++) {
            double[] line = fit(gains, group);
            for (Gain gain : gains) {
                if (gain.group() == group) {
                    double off = gain.error() - LeastSquares.predict(line, terms(gain));
                    squares += off * off;
                }
            }
        }
        double[] line = fit(gains, -1);
        System.out.printf(
                Locale.ROOT,
                "%s: intercept %.3f, per ln cores %.3f, deviation %.3f (%d services)%n",
                name,
                line[0],
                line[1],
                Math.sqrt(squares / gains.size()),
                gains.size());
    }

    private static double[] fit(List<Gain> gains, int leftOut) {
        List<Gain> taking = gains.stream().filter(g -> g.group() != leftOut).toList();
        return LeastSquares.fit(
                taking.stream().map(FitSavings::terms).toList(),
                taking.stream().map(Gain::error).toList());
    }

    private static double[] terms(Gain gain) {
        return new double[] {1, Math.log(gain.cores())};
    }
}
