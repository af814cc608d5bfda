package io.quotascope.validate.score;

import io.quotascope.domain.cfs.observed.ObservedWindows;
import io.quotascope.domain.cfs.offered.LoadCurve;
import io.quotascope.domain.cfs.service.ServiceRequests;
import io.quotascope.domain.cfs.service.ServiceRun;
import io.quotascope.domain.window.ServiceSums;
import io.quotascope.validate.estimate.Estimator;
import io.quotascope.validate.estimate.Input;
import io.quotascope.validate.estimate.Observation;
import io.quotascope.validate.population.Subject;
import io.quotascope.validate.truth.Seen;
import io.quotascope.validate.truth.Truths;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Predicate;

/** A slow ramp from a quarter of the collapse load to beyond it: who warns, and when. */
public final class Ramp {
    private static final long RAMP_US = 1_200_000_000;
    private static final double FROM = 0.25;
    private static final double TO = 1.2;
    private static final int COLLAPSED_SECONDS = 20;
    private static final double BAND_FROM = 0.6;

    private final Truths truths;
    private final List<Estimator> estimators;
    private final Findings findings;

    /** Scores into findings. */
    public Ramp(Truths truths, List<Estimator> estimators, Findings findings) {
        this.truths = truths;
        this.estimators = estimators;
        this.findings = findings;
    }

    /** Load at the alarm / load at the collapse; not a number = never warned. */
    private record Warning(String estimator, double ratio) {}

    /** Ramps every subject up and writes the rows. */
    public void score(List<Subject> subjects) {
        List<Warning> warnings =
                subjects.parallelStream().flatMap(one -> ramp(one).stream()).toList();
        for (Estimator estimator : estimators) {
            List<Double> ratios =
                    warnings.stream()
                            .filter(warning -> warning.estimator().equals(estimator.name()))
                            .map(Warning::ratio)
                            .toList();
            if (!ratios.isEmpty()) {
                write(estimator.name(), ratios);
            }
        }
    }

    /**
     * A service that was ramped up until it collapsed.
     *
     * @param minutes its rows
     * @param curve its load
     * @param collapsedAt load at which it collapsed
     */
    public record Watched(
            Subject subject, List<ServiceSums> minutes, LoadCurve curve, double collapsedAt) {
        /** Rows that cannot change any more. */
        public Watched {
            minutes = List.copyOf(minutes);
        }

        /** Load at the end of a minute / load at the collapse. */
        public double ratio(int minute) {
            return curve.at((minute + 1) * 60_000_000L) / collapsedAt;
        }
    }

    /** One ramp; absent when it did not collapse. */
    public static Optional<Watched> watched(Subject subject, Truths truths) {
        double collapse = truths.collapseLoad(subject);
        LoadCurve curve = new LoadCurve(FROM * collapse, TO * collapse, 0, RAMP_US);
        ServiceRun run = Truths.observed(subject, subject.load().at(curve), RAMP_US);
        int second = collapseSecond(run.requests());
        return second < 0
                ? Optional.empty()
                : Optional.of(
                        new Watched(
                                subject,
                                ObservedWindows.sums(Seen.records(subject, run, true)),
                                curve,
                                curve.at(second * 1_000_000L)));
    }

    private List<Warning> ramp(Subject subject) {
        List<Warning> warnings = new ArrayList<>();
        Optional<Watched> ramped = watched(subject, truths);
        if (ramped.isEmpty()) {
            return warnings;
        }
        List<ServiceSums> minutes = ramped.get().minutes();
        for (Estimator estimator : estimators) {
            estimator
                    .watch()
                    .ifPresent(
                            watch -> {
                                double ratio = Double.NaN;
                                for (int minute = 0;
                                        minute < minutes.size() && Double.isNaN(ratio);
                                        minute++) {
                                    if (watch.alarm(
                                            seen(subject, minutes.subList(0, minute + 1)))) {
                                        ratio = ramped.get().ratio(minute);
                                    }
                                }
                                warnings.add(new Warning(estimator.name(), ratio));
                            });
        }
        return warnings;
    }

    private static Observation seen(Subject subject, List<ServiceSums> minutes) {
        return new Observation(
                Input.EXEMPLAR,
                minutes,
                List.of(),
                subject.quota(),
                subject.hostCpus(),
                Optional.of(subject.plan().client()),
                OptionalDouble.empty());
    }

    /** First second from which 20 s long more than 30 % of first attempts fail; -1 = never. */
    public static int collapseSecond(ServiceRequests requests) {
        int[] first = requests.firstAttemptsBySecond();
        int[] failed = requests.failedBySecond();
        for (int second = 0; second + COLLAPSED_SECONDS < first.length; second++) {
            long offered = 0;
            long lost = 0;
            for (int ahead = 0; ahead < COLLAPSED_SECONDS; ahead++) {
                offered += first[second + ahead];
                lost += failed[second + ahead];
            }
            if (offered > 0 && lost > ServiceRequests.COLLAPSED_ABOVE * offered) {
                return second;
            }
        }
        return -1;
    }

    /** Shares warned in the band, late and early, as the table spells them. */
    public static String shares(List<Double> ratios) {
        double inBand = inBand(ratios);
        double early = early(ratios);
        return String.format(
                Locale.ROOT,
                "%.0f / %.0f / %.0f %%",
                100 * inBand,
                100 * (1 - inBand - early),
                100 * early);
    }

    private static double inBand(List<Double> ratios) {
        return share(ratios, r -> r >= BAND_FROM && r <= 1);
    }

    private static double early(List<Double> ratios) {
        return share(ratios, r -> r < BAND_FROM);
    }

    private static double share(List<Double> ratios, Predicate<Double> wanted) {
        return ratios.stream().filter(wanted).count() / (double) ratios.size();
    }

    private void write(String estimator, List<Double> ratios) {
        String quantity = "slow ramp: warned in the band / late / early";
        String input = "exemplar, time-out known";
        double inBand = inBand(ratios);
        double early = early(ratios);
        boolean met = inBand >= 0.7 && 1 - inBand - early <= 0.2 && early <= 0.05;
        findings.add(
                Names.isBaseline(estimator)
                        ? Row.plain(quantity, input, estimator, shares(ratios), ratios.size())
                        : Row.judged(
                                quantity,
                                input,
                                estimator,
                                shares(ratios),
                                ratios.size(),
                                "70 / 20 / 5 %",
                                met));
    }
}
