package io.quotascope.validate.alerts;

import io.quotascope.domain.alert.AlertKind;
import io.quotascope.domain.alert.AlertRule;
import io.quotascope.domain.alert.AlertRules;
import io.quotascope.validate.Judged;
import io.quotascope.validate.population.Subject;
import io.quotascope.validate.score.Ramp;
import io.quotascope.validate.truth.TruthCache;
import io.quotascope.validate.truth.Truths;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * Prints what each headroom at which {@code cliff_near} may begin would have warned of on slow
 * ramps: see {@code make fit-warning}. The services are not judged; the path is that of the jobs.
 */
public final class FitWarning {
    private FitWarning() {}

    /** The one argument is the number of services. */
    public static void main(String[] arguments) {
        int services = Integer.parseInt(arguments[0]);
        Truths truths =
                new Truths(new TruthCache(Path.of("streaming/validate/target/truth/development")));
        List<Subject> subjects = Judged.others(services);
        List<Ramp.Watched> ramps =
                subjects.parallelStream()
                        .flatMap(subject -> Ramp.watched(subject, truths).stream())
                        .toList();
        System.out.println(ramps.size() + " ramps that collapse");
        List<Walked> judged = ramps.parallelStream().map(FitWarning::walked).toList();
        for (int inARow = 1; inARow <= 3; inARow++) {
            int minutes = inARow;
            System.out.println(minutes + " minutes in a row, headroom: in the band / late / early");
            for (int hundredths = 110; hundredths <= 160; hundredths += 5) {
                double headroom = hundredths / 100.0;
                List<Double> ratios =
                        judged.stream().map(one -> one.warnedAt(headroom, minutes)).toList();
                System.out.printf(Locale.ROOT, "%.2f: %s%n", headroom, Ramp.shares(ratios));
            }
        }
    }

    /** A ramp and the headroom that the jobs saw in each of its minutes. */
    private record Walked(Ramp.Watched ramp, List<Double> headrooms) {
        /** Load at the first alarm / load at the collapse; not a number = never. */
        double warnedAt(double headroom, int minutes) {
            int near = 0;
            for (int minute = 0; minute < headrooms.size(); minute++) {
                near = headrooms.get(minute) <= headroom ? near + 1 : 0;
                if (near == minutes || rule().raisesAtOnce(headrooms.get(minute))) {
                    return ramp.ratio(minute);
                }
            }
            return Double.NaN;
        }
    }

    private static AlertRule rule() {
        return AlertRules.DEFAULT.of(AlertKind.CLIFF_NEAR);
    }

    private static Walked walked(Ramp.Watched ramp) {
        OwnRules rules =
                new OwnRules(
                        ramp.subject().name(),
                        ramp.subject().plan().client(),
                        ramp.subject().hostCpus());
        ramp.minutes().forEach(rules::judge);
        return new Walked(ramp, rules.headrooms());
    }
}
