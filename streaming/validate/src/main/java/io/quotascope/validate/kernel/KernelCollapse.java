package io.quotascope.validate.kernel;

import io.quotascope.domain.risk.Multiple;
import io.quotascope.domain.risk.ServiceCliff;
import io.quotascope.validate.estimate.Estimate;
import io.quotascope.validate.estimate.Estimator;
import io.quotascope.validate.estimate.Input;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** Services whose load was really raised until they collapsed: where it was foretold. */
final class KernelCollapse {
    private static final String JUDGE = "cliff and savings";

    private KernelCollapse() {}

    /**
     * One load at which a service was tried: a run, or one for each shard.
     *
     * @param shards all of them
     */
    private record Try(List<KernelRun> shards) {
        double utilization() {
            return shards.get(0).utilization();
        }

        boolean collapsed() {
            return KernelRun.collapsed(shards);
        }

        /** Watched well below the collapse, to be asked about, and not to find where it is. */
        boolean watched() {
            return !shards.get(0).samples().isEmpty();
        }
    }

    /**
     * What the search found.
     *
     * @param healthy largest load without collapse below the edge; 0 = none
     * @param collapsed least load with a collapse; infinite = none
     */
    private record Edge(double healthy, double collapsed) {
        static Edge of(List<Try> tries) {
            double collapsed =
                    tries.stream()
                            .filter(one -> !one.watched() && one.collapsed())
                            .mapToDouble(Try::utilization)
                            .min()
                            .orElse(Double.POSITIVE_INFINITY);
            double healthy =
                    tries.stream()
                            .filter(one -> !one.collapsed() && one.utilization() < collapsed)
                            .mapToDouble(Try::utilization)
                            .max()
                            .orElse(0);
            return new Edge(healthy, collapsed);
        }

        boolean found() {
            return healthy > 0 && Double.isFinite(collapsed);
        }

        double load() {
            return Math.sqrt(healthy * collapsed);
        }
    }

    /** Rows for a report: errors by estimator, and every service. */
    static String report(List<KernelRun> runs, List<Estimator> estimators) {
        StringBuilder each =
                new StringBuilder(
                        "| service | shards | healthy up to | collapsed from | simulator agrees on | watched at | foretold | shards left at | disturbed runs |\n"
                                + "|---|---|---|---|---|---|---|---|---|\n");
        Map<String, List<Double>> errors = new LinkedHashMap<>();
        int edges = 0;
        for (Map.Entry<String, List<Try>> service : services(runs).entrySet()) {
            Edge edge = Edge.of(service.getValue());
            edges += edge.found() ? 1 : 0;
            each.append(line(service.getKey(), service.getValue(), edge));
            String said = "";
            for (Try watched : service.getValue().stream().filter(Try::watched).toList()) {
                if (edge.found() && !watched.collapsed()) {
                    double truth = edge.load() / watched.utilization();
                    said = ask(estimators, watched.shards(), truth, errors);
                    said =
                            String.format(
                                    Locale.ROOT, "%.0f %% | %s", 100 * watched.utilization(), said);
                }
            }
            each.append(said.isEmpty() ? "| " : said)
                    .append(ends(service.getValue()))
                    .append(" |\n");
        }
        StringBuilder text = new StringBuilder(verdict(errors, edges));
        text.append("| estimator | input | collapse load, median error | answers |\n")
                .append("|---|---|---|---|\n");
        errors.forEach(
                (key, own) ->
                        text.append(
                                String.format(
                                        Locale.ROOT,
                                        "| %s | %.0f %% | %d |%n",
                                        key,
                                        100 * KernelComparison.median(own),
                                        own.size())));
        return text.append('\n').append(each).toString();
    }

    private static Map<String, List<Try>> services(List<KernelRun> runs) {
        Map<String, List<KernelRun>> byLoad =
                runs.stream()
                        .collect(
                                Collectors.groupingBy(
                                        KernelRun::name, LinkedHashMap::new, Collectors.toList()));
        Map<String, List<Try>> services = new LinkedHashMap<>();
        byLoad.forEach(
                (name, shards) ->
                        services.computeIfAbsent(
                                        name.substring(0, name.indexOf('@')),
                                        service -> new ArrayList<>())
                                .add(new Try(shards)));
        return services;
    }

    private static String verdict(Map<String, List<Double>> errors, int edges) {
        List<Double> own = errors.getOrDefault(JUDGE + " | " + Input.SUMMARIES.label(), List.of());
        double median = KernelComparison.median(own);
        return own.isEmpty()
                ? "Nothing to judge.\n\n"
                : String.format(
                        Locale.ROOT,
                        "**Collapse load foretold from 60 %% of it, from summaries: median error %.0f %% (must 20 %%, aim 10 %%: %s); edges found for %d services.**%n%n",
                        100 * median,
                        median <= 0.1 ? "aim met" : median <= 0.2 ? "met" : "missed",
                        edges);
    }

    private static String line(String service, List<Try> tries, Edge edge) {
        int shards = tries.get(0).shards().size();
        String agreed = "";
        if (shards == 1) {
            long same =
                    tries.stream()
                            .filter(
                                    one ->
                                            one.collapsed()
                                                    == Twin.of(one.shards().get(0)).collapsedShare()
                                                            >= 0.5)
                            .count();
            agreed = String.format(Locale.ROOT, "%d of %d", same, tries.size());
        }
        return String.format(
                Locale.ROOT,
                "| %s | %d | %s | %s | %s | ",
                service,
                shards,
                edge.healthy() > 0
                        ? String.format(Locale.ROOT, "%.0f %% of quota", 100 * edge.healthy())
                        : "never healthy",
                Double.isFinite(edge.collapsed())
                        ? String.format(Locale.ROOT, "%.0f %%", 100 * edge.collapsed())
                        : "never collapsed",
                agreed);
    }

    /** The last two cells: when clients left shards in the first run that collapsed. */
    private static String ends(List<Try> tries) {
        String left =
                tries.stream()
                        .filter(one -> one.collapsed() && one.shards().size() > 1)
                        .findFirst()
                        .map(
                                one ->
                                        one.shards().stream()
                                                .map(KernelCollapse::left)
                                                .collect(Collectors.joining(", ")))
                        .orElse("");
        long disturbed =
                tries.stream().filter(one -> one.shards().get(0).around().disturbed()).count();
        return String.format(Locale.ROOT, " | %s | %d of %d", left, disturbed, tries.size());
    }

    private static String left(KernelRun shard) {
        return shard.place().leftUs() < 0
                ? "never"
                : String.format(Locale.ROOT, "%.0f s", shard.place().leftUs() / 1e6);
    }

    /** Asks everybody, and gives what the model said, as a share of the quota. */
    private static String ask(
            List<Estimator> estimators,
            List<KernelRun> watched,
            double truth,
            Map<String, List<Double>> errors) {
        double[] loads = relativeLoads(watched);
        String judged = "";
        for (Estimator estimator : estimators) {
            for (Input input : List.of(Input.SUMMARIES, Input.EXEMPLAR)) {
                Estimate shard =
                        estimator.collapseLoadMultiple(KernelSeen.of(watched, input)).orElse(null);
                if (shard == null) {
                    continue;
                }
                double said = service(shard, loads);
                errors.computeIfAbsent(
                                estimator.name() + " | " + input.label(), key -> new ArrayList<>())
                        .add(Math.abs(Math.log(said / truth)));
                if (estimator.name().equals(JUDGE) && input == Input.SUMMARIES) {
                    judged =
                            String.format(
                                    Locale.ROOT,
                                    "%.0f %%",
                                    100 * said * watched.get(0).utilization());
                }
            }
        }
        return judged;
    }

    private static double service(Estimate shard, double[] relativeLoads) {
        Multiple multiple = new Multiple(shard.value(), shard.low(), shard.high(), false);
        return ServiceCliff.of(multiple, relativeLoads, ServiceCliff.Redistribution.EJECT)
                .service()
                .value();
    }

    private static double[] relativeLoads(List<KernelRun> shards) {
        double mean = shards.stream().mapToLong(KernelRun::usageUs).average().orElse(1);
        return shards.stream().mapToDouble(run -> run.usageUs() / mean).toArray();
    }
}
