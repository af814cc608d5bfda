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

    private List<Warning> ramp(Subject subject) {
        double collapse = truths.collapseLoad(subject);
        LoadCurve curve = new LoadCurve(FROM * collapse, TO * collapse, 0, RAMP_US);
        ServiceRun run = Truths.observed(subject, subject.load().at(curve), RAMP_US);
        int second = collapseSecond(run.requests());
        List<Warning> warnings = new ArrayList<>();
        if (second < 0) {
            return warnings;
        }
        List<ServiceSums> minutes = ObservedWindows.sums(Seen.records(subject, run, true));
        double collapsedAt = curve.at(second * 1_000_000L);
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
                                        ratio = curve.at((minute + 1) * 60_000_000L) / collapsedAt;
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

    private void write(String estimator, List<Double> ratios) {
        double all = ratios.size();
        double inBand = ratios.stream().filter(r -> r >= BAND_FROM && r <= 1).count() / all;
        double early = ratios.stream().filter(r -> r < BAND_FROM).count() / all;
        double late = 1 - inBand - early;
        String text =
                String.format(
                        Locale.ROOT,
                        "%.0f / %.0f / %.0f %%",
                        100 * inBand,
                        100 * late,
                        100 * early);
        String quantity = "slow ramp: warned in the band / late / early";
        findings.add(
                Names.isBaseline(estimator)
                        ? Row.plain(
                                quantity,
                                "exemplar, time-out known",
                                estimator,
                                text,
                                ratios.size())
                        : Row.judged(
                                quantity,
                                "exemplar, time-out known",
                                estimator,
                                text,
                                ratios.size(),
                                "70 / 20 / 5 %",
                                inBand >= 0.7 && late <= 0.2 && early <= 0.05));
    }
}
