package io.quotascope.validate.score;

import io.quotascope.domain.cfs.CpuLimit;
import io.quotascope.domain.cfs.service.ServiceRun;
import io.quotascope.validate.estimate.Estimate;
import io.quotascope.validate.estimate.Estimator;
import io.quotascope.validate.estimate.Input;
import io.quotascope.validate.estimate.Observation;
import io.quotascope.validate.estimate.Scenario;
import io.quotascope.validate.population.ServiceOne;
import io.quotascope.validate.population.Subject;
import io.quotascope.validate.truth.Seen;
import io.quotascope.validate.truth.Truths;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/** Capacity that a cap or smaller pools gain, asked at 70 % of the capacity now. */
public final class Savings {
    /** Length of the observation that estimators see, microseconds. */
    public static final long SEEN_US = 60_000_000;

    /** Latency that capacity means, microseconds. */
    public static final long OBJECTIVE_US = 50_000;

    /** Share of its capacity at which a service is seen. */
    public static final double SEEN_AT = 0.7;

    private final Truths truths;
    private final List<Estimator> estimators;
    private final Findings findings;

    /** Scores into findings. */
    public Savings(Truths truths, List<Estimator> estimators, Findings findings) {
        this.truths = truths;
        this.estimators = estimators;
        this.findings = findings;
    }

    private record Answer(
            String estimator, String fix, boolean known, double truth, Estimate estimate) {
        double error() {
            return Math.abs(Math.log(estimate.value() / truth));
        }
    }

    /** Asks everybody about every subject and writes the rows. */
    public void score(List<Subject> subjects) {
        serviceOne();
        List<Answer> answers = subjects.parallelStream().flatMap(one -> ask(one).stream()).toList();
        for (Estimator estimator : estimators) {
            for (String fix : List.of("cap", "pools", "cap and pools")) {
                for (boolean known : new boolean[] {true, false}) {
                    List<Answer> own =
                            answers.stream()
                                    .filter(
                                            a ->
                                                    a.estimator().equals(estimator.name())
                                                            && a.fix().equals(fix)
                                                            && a.known() == known)
                                    .toList();
                    if (!own.isEmpty()) {
                        write(estimator.name(), fix, known, own);
                    }
                }
            }
        }
    }

    private List<Answer> ask(Subject subject) {
        Scenario now = Scenario.limited("now", subject.quota());
        double capacity = truths.capacity(subject, now, OBJECTIVE_US);
        ServiceRun run = Truths.observed(subject, subject.load().at(SEEN_AT * capacity), SEEN_US);
        List<Answer> answers = new ArrayList<>();
        for (Scenario fix : fixes(subject)) {
            double truth = truths.capacity(subject, fix, OBJECTIVE_US) / capacity;
            for (boolean known : new boolean[] {true, false}) {
                Observation seen =
                        Seen.of(
                                subject,
                                run,
                                Input.SUMMARIES,
                                Optional.of(subject.plan().client()),
                                known
                                        ? OptionalDouble.of(subject.cost().kappa())
                                        : OptionalDouble.empty());
                for (Estimator estimator : Names.asked(estimators, known)) {
                    estimator
                            .capacityMultiple(seen, fix, OBJECTIVE_US)
                            .ifPresent(
                                    estimate ->
                                            answers.add(
                                                    new Answer(
                                                            estimator.name(),
                                                            fix.name(),
                                                            known,
                                                            truth,
                                                            estimate)));
                }
            }
        }
        return answers;
    }

    /** The changes that are asked about. */
    public static List<Scenario> fixes(Subject subject) {
        CpuLimit cap = CpuLimit.ConcurrencyCap.of(subject.quota());
        OptionalInt pool = OptionalInt.of((int) Math.ceil(subject.quotaCores()));
        return List.of(
                Scenario.limited("cap", cap),
                new Scenario("pools", subject.quota(), pool, 1),
                new Scenario("cap and pools", cap, pool, 1));
    }

    private void write(String estimator, String fix, boolean known, List<Answer> own) {
        List<Double> errors = own.stream().map(Answer::error).toList();
        double median = Statistics.median(errors);
        double high = Statistics.quantile(errors, 0.9);
        String seen = "summaries, kappa " + (known ? "known" : "prior");
        String quantity = "savings multiple of " + fix + ": median, P90 error";
        String text =
                String.format(
                        Locale.ROOT,
                        "%.0f %%, %.0f %% (median truth x%.2f)",
                        100 * median,
                        100 * high,
                        Statistics.median(own.stream().map(Answer::truth).toList()));
        findings.add(
                Names.isBaseline(estimator)
                        ? Row.plain(quantity, seen, estimator, text, own.size())
                        : Row.judged(
                                quantity,
                                seen,
                                estimator,
                                text,
                                own.size(),
                                "<= 20 %, <= 50 %",
                                median <= 0.2 && high <= 0.5));
        if (!Names.isBaseline(estimator)) {
            long covered =
                    own.stream()
                            .filter(
                                    a ->
                                            a.estimate().low() <= a.truth()
                                                    && a.truth() <= a.estimate().high())
                            .count();
            double coverage = covered / (double) own.size();
            double score =
                    Statistics.mean(
                            own.stream()
                                    .map(
                                            a ->
                                                    Statistics.intervalScore(
                                                            a.estimate().low(),
                                                            a.estimate().high(),
                                                            a.truth()))
                                    .toList());
            double constant =
                    Statistics.bestConstantIntervalScore(own.stream().map(Answer::truth).toList());
            findings.add(
                    Row.judged(
                            "savings multiple of "
                                    + fix
                                    + ", 90 % interval: coverage; score against best constant",
                            seen,
                            estimator,
                            String.format(
                                    Locale.ROOT,
                                    "%.0f %%; %.2f against %.2f",
                                    100 * coverage,
                                    score,
                                    constant),
                            own.size(),
                            "85-95 %, better",
                            coverage >= 0.85 && coverage <= 0.95 && score < constant));
        }
    }

    /** The case of the articles is a property of the simulator: no estimator is asked. */
    private void serviceOne() {
        for (double kappa : new double[] {0, 0.2, 0.4, 0.6}) {
            Subject subject = ServiceOne.of(kappa);
            double now =
                    truths.capacity(
                            subject, Scenario.limited("now", subject.quota()), OBJECTIVE_US);
            List<Double> gains = new ArrayList<>();
            for (Scenario fix : fixes(subject)) {
                gains.add(truths.capacity(subject, fix, OBJECTIVE_US) / now);
            }
            double fails = now * subject.utilization();
            String text =
                    String.format(
                            Locale.ROOT,
                            "fails at %.0f %% of quota; cap x%.2f, pools x%.2f, both x%.2f",
                            100 * fails,
                            gains.get(0),
                            gains.get(1),
                            gains.get(2));
            String quantity = String.format(Locale.ROOT, "service-1, kappa %.1f", kappa);
            boolean met =
                    fails >= 0.3 && fails <= 0.5 && Math.max(gains.get(0), gains.get(1)) >= 1.6;
            findings.add(
                    kappa == 0.4
                            ? Row.judged(
                                    quantity,
                                    "none",
                                    "simulator",
                                    text,
                                    1,
                                    "near 40 %, x1.6-2",
                                    met)
                            : Row.plain(quantity, "none", "simulator", text, 1));
        }
    }
}
