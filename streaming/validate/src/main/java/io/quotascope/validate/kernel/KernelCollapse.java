package io.quotascope.validate.kernel;

import io.quotascope.validate.estimate.Estimator;
import io.quotascope.validate.estimate.Input;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Services whose load was really raised until they collapsed: where it was foretold. */
final class KernelCollapse {
    private static final double FROM = 0.45;
    private static final double TO = 0.75;

    private KernelCollapse() {}

    /** Rows for a report: errors by estimator, and every service. */
    static String report(List<KernelRun> runs, List<Estimator> estimators) {
        Map<String, List<KernelRun>> services = new LinkedHashMap<>();
        for (KernelRun run : runs) {
            String service = run.name().substring(0, run.name().indexOf('@'));
            services.computeIfAbsent(service, name -> new ArrayList<>()).add(run);
        }
        StringBuilder each =
                new StringBuilder(
                        "| service | healthy up to | collapsed from | simulator agrees on |\n|---|---|---|---|\n");
        Map<String, List<Double>> errors = new LinkedHashMap<>();
        for (List<KernelRun> steps : services.values()) {
            KernelRun last = steps.get(steps.size() - 1);
            long agreed =
                    steps.stream()
                            .filter(run -> run.collapsed() == Twin.of(run).collapsedShare() >= 0.5)
                            .count();
            if (!last.collapsed() || steps.size() < 2) {
                each.append(
                        String.format(
                                Locale.ROOT,
                                "| %s | no edge found | | %d of %d |%n",
                                last.name(),
                                agreed,
                                steps.size()));
                continue;
            }
            KernelRun healthy = steps.get(steps.size() - 2);
            double edge = Math.sqrt(healthy.utilization() * last.utilization());
            each.append(
                    String.format(
                            Locale.ROOT,
                            "| %s | %.0f %% of quota | %.0f %% | %d of %d steps |%n",
                            last.name().substring(0, last.name().indexOf('@')),
                            100 * healthy.utilization(),
                            100 * last.utilization(),
                            agreed,
                            steps.size()));
            for (KernelRun run : steps) {
                double share = run.utilization() / edge;
                if (share >= FROM && share <= TO) {
                    ask(estimators, run, 1 / share, errors);
                }
            }
        }
        StringBuilder text =
                new StringBuilder(
                        "| estimator | input | collapse load, median error | answers |\n|---|---|---|---|\n");
        errors.forEach(
                (key, own) ->
                        text.append(
                                String.format(
                                        Locale.ROOT,
                                        "| %s | %.0f %% | %d |%n",
                                        key,
                                        100
                                                * own.stream()
                                                        .sorted()
                                                        .skip(own.size() / 2)
                                                        .findFirst()
                                                        .orElse(0.0),
                                        own.size())));
        return text.append('\n').append(each).toString();
    }

    private static void ask(
            List<Estimator> estimators,
            KernelRun run,
            double truth,
            Map<String, List<Double>> errors) {
        for (Estimator estimator : estimators) {
            for (Input input : List.of(Input.SUMMARIES, Input.EXEMPLAR)) {
                estimator
                        .collapseLoadMultiple(KernelSeen.of(run, input))
                        .ifPresent(
                                said ->
                                        errors.computeIfAbsent(
                                                        estimator.name() + " | " + input.label(),
                                                        key -> new ArrayList<>())
                                                .add(Math.abs(Math.log(said.value() / truth))));
            }
        }
    }
}
