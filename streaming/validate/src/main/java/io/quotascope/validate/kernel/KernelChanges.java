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
    private KernelChanges() {}

    /** Rows for a report: mean absolute error by estimator and input, and every change. */
    static String report(List<KernelRun> runs, List<Estimator> estimators) {
        Map<String, KernelRun> observed = new LinkedHashMap<>();
        runs.stream()
                .filter(run -> !run.name().contains("+"))
                .forEach(run -> observed.put(run.name(), run));
        StringBuilder text =
                new StringBuilder(
                        "| estimator | input | ratio, mean abs error | changes |\n|---|---|---|---|\n");
        for (Estimator estimator : estimators) {
            for (Input input : Input.values()) {
                List<Double> errors = new ArrayList<>();
                for (KernelRun changed : changes(runs)) {
                    KernelRun before = observed.get(service(changed));
                    foretold(estimator, before, changed, input)
                            .ifPresent(
                                    said ->
                                            errors.add(
                                                    Math.abs(
                                                            said.value()
                                                                    - changed
                                                                            .throttledPeriodRatio())));
                }
                if (!errors.isEmpty()) {
                    text.append(
                            String.format(
                                    Locale.ROOT,
                                    "| %s | %s | %.1f pp | %d |%n",
                                    estimator.name(),
                                    input.label(),
                                    100 * errors.stream().mapToDouble(e -> e).average().orElse(0),
                                    errors.size()));
                }
            }
        }
        return text.append('\n').append(everyChange(runs, observed, estimators)).toString();
    }

    private static String everyChange(
            List<KernelRun> runs, Map<String, KernelRun> observed, List<Estimator> estimators) {
        StringBuilder text = new StringBuilder("| change | other load | before | after |");
        List<Estimator> asked = new ArrayList<>();
        for (Estimator estimator : estimators) {
            if (foretold(
                            estimator,
                            observed.values().iterator().next(),
                            changes(runs).get(0),
                            Input.SUMMARIES)
                    .isPresent()) {
                asked.add(estimator);
                text.append(' ').append(estimator.name()).append(" |");
            }
        }
        text.append('\n').append("|---".repeat(4 + asked.size())).append("|\n");
        for (KernelRun changed : changes(runs)) {
            KernelRun before = observed.get(service(changed));
            text.append(
                    String.format(
                            Locale.ROOT,
                            "| %s | %.1f | %.1f %% | %.1f %% |",
                            changed.name(),
                            changed.loadAverage(),
                            100 * before.throttledPeriodRatio(),
                            100 * changed.throttledPeriodRatio()));
            for (Estimator estimator : asked) {
                double said =
                        foretold(estimator, before, changed, Input.SUMMARIES)
                                .map(Estimate::value)
                                .orElse(Double.NaN);
                text.append(String.format(Locale.ROOT, " %.1f %% |", 100 * said));
            }
            text.append('\n');
        }
        return text.toString();
    }

    private static List<KernelRun> changes(List<KernelRun> runs) {
        return runs.stream().filter(run -> run.name().contains("+")).toList();
    }

    private static String service(KernelRun changed) {
        return changed.name().substring(0, changed.name().indexOf('+'));
    }

    private static Optional<Estimate> foretold(
            Estimator estimator, KernelRun before, KernelRun changed, Input input) {
        Observation seen = KernelSeen.of(before, input);
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
