package io.quotascope.validate.kernel;

import io.quotascope.validate.estimate.Estimate;
import io.quotascope.validate.estimate.Estimator;
import io.quotascope.validate.estimate.Input;
import io.quotascope.validate.estimate.Observation;
import io.quotascope.validate.estimate.Scenario;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** Services whose quota, pool and load were really changed: what was foretold, what came. */
final class KernelChanges {
    private static final String JUDGE = "what-if";

    private KernelChanges() {}

    private record Answer(
            Estimator estimator, Input input, KernelRun before, KernelRun changed, Estimate said) {
        double error() {
            return Math.abs(said.value() - changed.throttledPeriodRatio());
        }

        boolean covered() {
            double truth = changed.throttledPeriodRatio();
            return said.low() <= truth && truth <= said.high();
        }

        boolean disturbed() {
            return before.around().disturbed() || changed.around().disturbed();
        }

        String kind() {
            return changed.name().substring(changed.name().indexOf('+') + 1);
        }
    }

    /** Rows for a report: mean absolute error by estimator and input, and every change. */
    static String report(List<KernelRun> runs, List<Estimator> estimators) {
        Map<String, KernelRun> observed = new LinkedHashMap<>();
        runs.stream()
                .filter(run -> !run.name().contains("+"))
                .forEach(run -> observed.put(run.name(), run));
        List<Answer> answers = new ArrayList<>();
        for (KernelRun changed : runs.stream().filter(run -> run.name().contains("+")).toList()) {
            KernelRun before = observed.get(service(changed));
            for (Input input : Input.values()) {
                Observation seen = KernelSeen.of(List.of(before), input);
                for (Estimator estimator : estimators) {
                    foretold(estimator, seen, before, changed)
                            .ifPresent(
                                    said ->
                                            answers.add(
                                                    new Answer(
                                                            estimator, input, before, changed,
                                                            said)));
                }
            }
        }
        return verdict(answers, observed.size())
                + byEstimator(answers, estimators)
                + everyChange(answers, estimators);
    }

    private static String verdict(List<Answer> answers, int services) {
        List<Answer> own =
                answers.stream()
                        .filter(
                                a ->
                                        a.estimator().name().equals(JUDGE)
                                                && a.input() == Input.SUMMARIES)
                        .toList();
        double error = 100 * meanError(own);
        List<Answer> quiet = own.stream().filter(a -> !a.disturbed()).toList();
        return String.format(
                Locale.ROOT,
                "**What-if of %d changes to %d services, from summaries: mean abs error %.1f pp (must 6, aim 3: %s); of the %d not marked as disturbed %s; 90 %% interval covers %.0f %%.**%n%n",
                own.size(),
                services,
                error,
                error <= 3 ? "aim met" : error <= 6 ? "met" : "missed",
                quiet.size(),
                quiet.isEmpty()
                        ? "-"
                        : String.format(Locale.ROOT, "%.1f pp", 100 * meanError(quiet)),
                100.0 * own.stream().filter(Answer::covered).count() / Math.max(1, own.size()));
    }

    private static String byEstimator(List<Answer> answers, List<Estimator> estimators) {
        StringBuilder text =
                new StringBuilder(
                        "| estimator | input | ratio, mean abs error | by change, pp | changes |\n|---|---|---|---|---|\n");
        for (Estimator estimator : estimators) {
            for (Input input : Input.values()) {
                List<Answer> own =
                        answers.stream()
                                .filter(a -> a.estimator() == estimator && a.input() == input)
                                .toList();
                if (!own.isEmpty()) {
                    text.append(
                            String.format(
                                    Locale.ROOT,
                                    "| %s | %s | %.1f pp | %s | %d |%n",
                                    estimator.name(),
                                    input.label(),
                                    100 * meanError(own),
                                    byKind(own),
                                    own.size()));
                }
            }
        }
        return text.append('\n').toString();
    }

    private static String byKind(List<Answer> own) {
        StringBuilder text = new StringBuilder();
        for (String kind : own.stream().map(Answer::kind).distinct().sorted().toList()) {
            text.append(text.isEmpty() ? "" : ", ")
                    .append(
                            String.format(
                                    Locale.ROOT,
                                    "%s %.1f",
                                    kind,
                                    100
                                            * meanError(
                                                    own.stream()
                                                            .filter(a -> a.kind().equals(kind))
                                                            .toList())));
        }
        return text.toString();
    }

    private static String everyChange(List<Answer> answers, List<Estimator> estimators) {
        List<Answer> summaries =
                answers.stream().filter(a -> a.input() == Input.SUMMARIES).toList();
        List<Estimator> asked =
                estimators.stream()
                        .filter(one -> summaries.stream().anyMatch(a -> a.estimator() == one))
                        .toList();
        StringBuilder text = new StringBuilder("| change | others, cores | before | after |");
        asked.forEach(one -> text.append(' ').append(one.name()).append(" |"));
        text.append('\n').append("|---".repeat(4 + asked.size())).append("|\n");
        for (KernelRun changed : summaries.stream().map(Answer::changed).distinct().toList()) {
            List<Answer> own = summaries.stream().filter(a -> a.changed() == changed).toList();
            text.append(
                    String.format(
                            Locale.ROOT,
                            "| %s | %s | %.1f %% | %.1f %% |",
                            changed.name(),
                            KernelComparison.others(changed),
                            100 * own.get(0).before().throttledPeriodRatio(),
                            100 * changed.throttledPeriodRatio()));
            for (Answer answer : own) {
                Estimate said = answer.said();
                text.append(String.format(Locale.ROOT, " %.1f", 100 * said.value()));
                text.append(
                        said.low() == said.high()
                                ? " % |"
                                : String.format(
                                        Locale.ROOT,
                                        " (%.0f to %.0f) %% |",
                                        100 * said.low(),
                                        100 * said.high()));
            }
            text.append('\n');
        }
        return text.toString();
    }

    private static double meanError(List<Answer> answers) {
        return answers.stream().mapToDouble(Answer::error).average().orElse(Double.NaN);
    }

    private static String service(KernelRun changed) {
        return changed.name().substring(0, changed.name().indexOf('+'));
    }

    private static Optional<Estimate> foretold(
            Estimator estimator, Observation seen, KernelRun before, KernelRun changed) {
        boolean poolChanged = before.threads() != changed.threads();
        // A quota that is changed leaves the offered cores alone; only other offered cores are
        // load.
        double load =
                changed.utilization()
                        * changed.quotaCores()
                        / (before.utilization() * before.quotaCores());
        Scenario scenario =
                new Scenario(
                        changed.name(),
                        changed.quota(),
                        poolChanged ? OptionalInt.of(changed.threads()) : OptionalInt.empty(),
                        Math.round(100 * load) / 100.0);
        return estimator.throttledPeriodRatio(seen, scenario);
    }
}
