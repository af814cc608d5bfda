package io.quotascope.validate.alerts;

import io.quotascope.domain.risk.EarlyWarning;
import io.quotascope.validate.Validate;
import io.quotascope.validate.population.Development;
import io.quotascope.validate.population.Subject;
import io.quotascope.validate.score.Ramp;
import io.quotascope.validate.truth.TruthCache;
import io.quotascope.validate.truth.Truths;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * Prints what each headroom of {@code EarlyWarning} would have warned of on slow ramps: see {@code
 * make fit-warning}. The services are those that follow the judged ones; the path is that of the
 * jobs.
 */
public final class FitWarning {
    private FitWarning() {}

    /** The one argument is the number of services. */
    public static void main(String[] arguments) {
        int services = Integer.parseInt(arguments[0]);
        Truths truths =
                new Truths(new TruthCache(Path.of("streaming/validate/target/truth/development")));
        List<Subject> subjects =
                Development.of(0, Validate.COLLAPSIBLE + services, 0)
                        .collapsible()
                        .subList(Validate.COLLAPSIBLE, Validate.COLLAPSIBLE + services);
        List<Ramp.Watched> ramps =
                subjects.parallelStream()
                        .flatMap(subject -> Ramp.watched(subject, truths).stream())
                        .toList();
        System.out.println(ramps.size() + " ramps that collapse");
        List<Judged> judged = ramps.parallelStream().map(FitWarning::judged).toList();
        System.out.println("headroom: in the band / late / early");
        for (int hundredths = 110; hundredths <= 180; hundredths += 5) {
            double headroom = hundredths / 100.0;
            List<Double> ratios = judged.stream().map(one -> one.warnedAt(headroom)).toList();
            System.out.printf(Locale.ROOT, "%.2f: %s%n", headroom, Ramp.shares(ratios));
        }
    }

    /** A ramp and the headroom that the jobs saw in each of its minutes. */
    private record Judged(Ramp.Watched ramp, List<Double> headrooms) {
        /** Load at the first alarm / load at the collapse; not a number = never. */
        double warnedAt(double headroom) {
            for (int minute = 0; minute < headrooms.size(); minute++) {
                if (headrooms.get(minute) < headroom || isThrottled(minute)) {
                    return ramp.ratio(minute);
                }
            }
            return Double.NaN;
        }

        private boolean isThrottled(int minute) {
            return ramp.minutes().get(minute).throttling().throttledPeriodRatio().orElse(0)
                    > EarlyWarning.Rule.DEFAULT.throttledRatioMax();
        }
    }

    private static Judged judged(Ramp.Watched ramp) {
        OwnRules rules =
                new OwnRules(
                        ramp.subject().name(),
                        ramp.subject().plan().client(),
                        ramp.subject().hostCpus());
        ramp.minutes().forEach(rules::judge);
        return new Judged(ramp, rules.headrooms());
    }
}
