package io.quotascope.validate.score;

import io.quotascope.domain.cfs.CpuLimit;
import io.quotascope.domain.cfs.service.Client;
import io.quotascope.domain.cfs.service.ServicePlan;
import io.quotascope.domain.cfs.service.ServiceRun;
import io.quotascope.validate.estimate.Estimate;
import io.quotascope.validate.estimate.Estimator;
import io.quotascope.validate.estimate.Input;
import io.quotascope.validate.estimate.Observation;
import io.quotascope.validate.estimate.Scenario;
import io.quotascope.validate.population.Subject;
import io.quotascope.validate.truth.Seen;
import io.quotascope.validate.truth.Truths;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.TreeMap;

/** What-if of configuration and of load: throttled period ratio after a change. */
public final class Configuration {
    private static final long HORIZON_US = 60_000_000;
    private static final double WILL_THROTTLE = 0.01;
    private static final double HARDLY_CENSORED = 0.25;
    private static final double LOAD = 1.6;

    private final Truths truths;
    private final List<Estimator> estimators;
    private final Findings findings;

    /** Scores into findings. */
    public Configuration(Truths truths, List<Estimator> estimators, Findings findings) {
        this.truths = truths;
        this.estimators = estimators;
        this.findings = findings;
    }

    private record Answer(
            String estimator,
            Input input,
            Scenario scenario,
            double observed,
            double truth,
            Estimate estimate) {
        double error() {
            return Math.abs(estimate.value() - truth);
        }
    }

    /** Asks everybody about every subject and writes the rows. */
    public void score(List<Subject> subjects) {
        List<Answer> answers = subjects.parallelStream().flatMap(one -> ask(one).stream()).toList();
        for (Estimator estimator : estimators) {
            for (Input input : Input.values()) {
                List<Answer> own =
                        answers.stream()
                                .filter(
                                        a ->
                                                a.estimator().equals(estimator.name())
                                                        && a.input() == input)
                                .toList();
                if (!own.isEmpty()) {
                    write(estimator.name(), input, own);
                }
            }
        }
        bestConstant(answers);
    }

    private List<Answer> ask(Subject impatient) {
        // Nobody gives up, so that retries do not turn a change of limit into a change of load.
        ServicePlan plan = impatient.plan().with(new Client(10 * HORIZON_US, 0, 0));
        Subject subject = impatient.with(plan);
        ServiceRun run = Truths.observed(subject, subject.load(), HORIZON_US);
        List<Answer> answers = new ArrayList<>();
        for (Input input : Input.values()) {
            Observation seen =
                    Seen.of(
                            subject,
                            run,
                            input,
                            Optional.of(plan.client()),
                            OptionalDouble.empty());
            for (Scenario scenario : scenarios(subject)) {
                double truth = truths.throttledPeriodRatio(subject, scenario, HORIZON_US);
                for (Estimator estimator : Names.asked(estimators, input == Input.SUMMARIES)) {
                    estimator
                            .throttledPeriodRatio(seen, scenario)
                            .ifPresent(
                                    estimate ->
                                            answers.add(
                                                    new Answer(
                                                            estimator.name(),
                                                            input,
                                                            scenario,
                                                            seen.throttledPeriodRatio(),
                                                            truth,
                                                            estimate)));
                }
            }
        }
        return answers;
    }

    private static List<Scenario> scenarios(Subject subject) {
        CpuLimit.Quota now = subject.quota();
        List<Scenario> all = new ArrayList<>();
        for (double multiple : new double[] {0.5, 0.7, 1.3}) {
            all.add(
                    Scenario.limited(
                            "quota x" + multiple, quota(now, multiple, now.periodUs(), 0)));
        }
        for (long periodUs : new long[] {20_000, 50_000, 200_000}) {
            all.add(
                    Scenario.limited(
                            "period " + periodUs / 1000 + " ms",
                            quota(now, periodUs / (double) now.periodUs(), periodUs, 0)));
        }
        for (double burst : new double[] {0.5, 1}) {
            all.add(
                    Scenario.limited(
                            "burst " + burst + " Q",
                            quota(now, 1, now.periodUs(), (long) (burst * now.quotaUs()))));
        }
        int pool = (int) Math.max(1, Math.round(1.5 * subject.quotaCores()));
        all.add(new Scenario("pool 1.5 Q", now, OptionalInt.of(pool), 1));
        all.add(new Scenario("load x" + LOAD, now, OptionalInt.empty(), LOAD));
        return all;
    }

    private static CpuLimit.Quota quota(
            CpuLimit.Quota now, double multiple, long periodUs, long burstUs) {
        return new CpuLimit.Quota(
                Math.max(1_000, Math.round(multiple * now.quotaUs())),
                periodUs,
                burstUs,
                now.phaseUs() % periodUs);
    }

    private void write(String estimator, Input input, List<Answer> own) {
        List<Answer> judged =
                own.stream()
                        .filter(a -> a.scenario().loadMultiple() == 1)
                        .filter(a -> a.observed() <= HARDLY_CENSORED)
                        .toList();
        double error = 100 * Statistics.mean(errors(judged));
        String text =
                String.format(
                        Locale.ROOT,
                        "%.1f pp (P90 %.1f)",
                        error,
                        100 * Statistics.quantile(errors(judged), 0.9));
        String quantity = "configuration, observed <= 25 %: ratio, mean abs error";
        add(
                quantity,
                estimator,
                input,
                text,
                judged.size(),
                "<= 2.5 pp",
                error <= 2.5,
                Input.SUMMARIES);
        writeDecision(estimator, input, judged);
        List<Answer> loads = own.stream().filter(a -> a.scenario().loadMultiple() != 1).toList();
        double loadError = 100 * Statistics.mean(errors(loads));
        add(
                "load x" + LOAD + ": ratio, mean abs error",
                estimator,
                input,
                String.format(Locale.ROOT, "%.1f pp", loadError),
                loads.size(),
                "<= 10 pp",
                loadError <= 10,
                Input.SUMMARIES);
        writeByScenario(estimator, input, own);
        writeCensored(estimator, input, own);
        writeCoverage(estimator, input, judged);
        judged.forEach(
                a ->
                        findings.add(
                                new Point(
                                        "configuration " + input.label(),
                                        estimator,
                                        a.truth(),
                                        a.estimate().value())));
    }

    private void writeDecision(String estimator, Input input, List<Answer> judged) {
        long right = 0;
        long throttled = 0;
        long falselySafe = 0;
        for (Answer answer : judged) {
            boolean does = answer.truth() > WILL_THROTTLE;
            boolean said = answer.estimate().value() > WILL_THROTTLE;
            right += does == said ? 1 : 0;
            throttled += does ? 1 : 0;
            falselySafe += does && !said ? 1 : 0;
        }
        double accuracy = right / (double) judged.size();
        double unsafe = falselySafe / (double) Math.max(1, throttled);
        add(
                "will it throttle > 1 %: accuracy; falsely safe",
                estimator,
                input,
                String.format(Locale.ROOT, "%.3f; %.1f %%", accuracy, 100 * unsafe),
                judged.size(),
                ">= 0.94; <= 7 %",
                accuracy >= 0.94 && unsafe <= 0.07,
                Input.SUMMARIES);
    }

    /** Where demand is hidden: no line to meet, but an interval that must say so. */
    private void writeCensored(String estimator, Input input, List<Answer> own) {
        List<Answer> hidden =
                own.stream()
                        .filter(a -> a.scenario().loadMultiple() == 1)
                        .filter(a -> a.observed() > HARDLY_CENSORED)
                        .toList();
        findings.add(
                Row.plain(
                        "configuration, observed > 25 %: ratio, mean abs error; 90 % interval covers",
                        input.label(),
                        estimator,
                        String.format(
                                Locale.ROOT,
                                "%.1f pp; %.0f %%",
                                100 * Statistics.mean(errors(hidden)),
                                100 * coverage(hidden)),
                        hidden.size()));
    }

    private static double coverage(List<Answer> answers) {
        long covered =
                answers.stream()
                        .filter(
                                a ->
                                        a.estimate().low() <= a.truth()
                                                && a.truth() <= a.estimate().high())
                        .count();
        return covered / (double) Math.max(1, answers.size());
    }

    private void writeByScenario(String estimator, Input input, List<Answer> own) {
        Map<String, List<Double>> byScenario = new TreeMap<>();
        for (Answer answer : own) {
            byScenario
                    .computeIfAbsent(answer.scenario().name(), name -> new ArrayList<>())
                    .add(answer.error());
        }
        StringBuilder text = new StringBuilder();
        byScenario.forEach(
                (name, errors) ->
                        text.append(text.isEmpty() ? "" : ", ")
                                .append(name)
                                .append(
                                        String.format(
                                                Locale.ROOT,
                                                " %.1f",
                                                100 * Statistics.mean(errors))));
        findings.add(
                Row.plain(
                        "by change, all services: ratio, mean abs error, pp",
                        input.label(),
                        estimator,
                        text.toString(),
                        own.size()));
    }

    private void writeCoverage(String estimator, Input input, List<Answer> judged) {
        if (judged.stream().allMatch(a -> a.estimate().low() == a.estimate().high())) {
            return;
        }
        double coverage = coverage(judged);
        List<Double> scores =
                judged.stream()
                        .map(
                                a ->
                                        Statistics.intervalScore(
                                                a.estimate().low(), a.estimate().high(), a.truth()))
                        .toList();
        // The best constant interval for each change apart is the harder one to beat.
        double constant = Statistics.mean(bestConstantScores(judged));
        double mean = Statistics.mean(scores);
        add(
                "configuration, 90 % interval: coverage; score against best constant",
                estimator,
                input,
                String.format(
                        Locale.ROOT, "%.0f %%; %.3f against %.3f", 100 * coverage, mean, constant),
                judged.size(),
                "85-95 %, better",
                coverage >= 0.85 && coverage <= 0.95 && mean < constant,
                input);
    }

    private static List<Double> bestConstantScores(List<Answer> judged) {
        Map<String, List<Double>> byScenario = new TreeMap<>();
        for (Answer answer : judged) {
            byScenario
                    .computeIfAbsent(answer.scenario().name(), name -> new ArrayList<>())
                    .add(answer.truth());
        }
        List<Double> scores = new ArrayList<>();
        for (List<Double> own : byScenario.values()) {
            double score = Statistics.bestConstantIntervalScore(own);
            own.forEach(truth -> scores.add(score));
        }
        return scores;
    }

    /** For each change the median of its truths: what one could say without looking. */
    private void bestConstant(List<Answer> answers) {
        Map<String, List<Double>> byScenario = new TreeMap<>();
        String first = estimators.get(0).name();
        List<Answer> own =
                answers.stream()
                        .filter(a -> a.estimator().equals(first) && a.input() == Input.SUMMARIES)
                        .filter(
                                a ->
                                        a.observed() <= HARDLY_CENSORED
                                                && a.scenario().loadMultiple() == 1)
                        .toList();
        own.forEach(
                a ->
                        byScenario
                                .computeIfAbsent(a.scenario().name(), name -> new ArrayList<>())
                                .add(a.truth()));
        List<Double> errors =
                own.stream()
                        .map(
                                a ->
                                        Math.abs(
                                                a.truth()
                                                        - Statistics.median(
                                                                byScenario.get(
                                                                        a.scenario().name()))))
                        .toList();
        findings.add(
                Row.plain(
                        "configuration, observed <= 25 %: ratio, mean abs error",
                        "none",
                        "best constant",
                        String.format(Locale.ROOT, "%.1f pp", 100 * Statistics.mean(errors)),
                        own.size()));
    }

    private void add(
            String quantity,
            String estimator,
            Input input,
            String text,
            int answered,
            String must,
            boolean met,
            Input lineFor) {
        boolean baseline = Names.isBaseline(estimator);
        findings.add(
                baseline || input != lineFor
                        ? Row.plain(quantity, input.label(), estimator, text, answered)
                        : Row.judged(
                                quantity, input.label(), estimator, text, answered, must, met));
    }

    private static List<Double> errors(List<Answer> answers) {
        return answers.stream().map(Answer::error).toList();
    }
}
