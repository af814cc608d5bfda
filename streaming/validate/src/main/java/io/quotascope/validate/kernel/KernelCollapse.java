package io.quotascope.validate.kernel;

import io.quotascope.domain.risk.Multiple;
import io.quotascope.domain.risk.ServiceCliff;
import io.quotascope.validate.estimate.Estimate;
import io.quotascope.validate.estimate.Estimator;
import io.quotascope.validate.estimate.Input;
import io.quotascope.validate.estimate.Observation;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Services whose load was really raised until they collapsed: where it was foretold. */
final class KernelCollapse {
    private static final String JUDGE = "cliff and savings";
    private static final Knowledge JUDGED = new Knowledge(Input.SUMMARIES, false);
    private static final Knowledge PRICED = new Knowledge(Input.SUMMARIES, true);
    private static final List<Knowledge> ASKED =
            List.of(JUDGED, new Knowledge(Input.EXEMPLAR, false), PRICED);

    private KernelCollapse() {}

    /**
     * What an estimator is told.
     *
     * @param input of the service
     * @param priced whether the price of concurrency is among it
     */
    private record Knowledge(Input input, boolean priced) {
        String label() {
            return input.label() + (priced ? ", kappa known" : "");
        }
    }

    /**
     * What was said of one service.
     *
     * @param row who said it from what
     * @param kappa price of the service
     * @param error ln (foretold / found)
     */
    private record Answer(String row, double kappa, double error) {}

    /** Rows for a report: errors by estimator, and every service. */
    static String report(List<KernelRun> runs, List<Estimator> estimators) {
        StringBuilder each =
                new StringBuilder(
                        "| service | kappa | shards | healthy up to | collapsed from | simulator agrees on | watched at | foretold | kappa known | shards left at | disturbed runs |\n"
                                + "|---|---|---|---|---|---|---|---|---|---|---|\n");
        List<Answer> answers = new ArrayList<>();
        int edges = 0;
        for (DrivenService service : DrivenService.of(runs)) {
            edges += service.edge().found() ? 1 : 0;
            each.append(line(service)).append(foretold(service, estimators, answers));
            each.append(ends(service.tries())).append('\n');
        }
        StringBuilder text = new StringBuilder(verdict(answers, edges));
        text.append(
                        "Median error, and in parentheses the median of ln (foretold / found): below 0 is too near. Work of constant cost has kappa 0; dearer work is really burnt, by the simulator's law.\n\n")
                .append("| estimator | input | constant cost | dearer work | all | answers |\n")
                .append("|---|---|---|---|---|---|\n");
        byRow(answers)
                .forEach(
                        (row, own) ->
                                text.append(
                                        String.format(
                                                Locale.ROOT,
                                                "| %s | %s | %s | %s | %d |%n",
                                                row,
                                                errors(own, answer -> answer.kappa() == 0),
                                                errors(own, answer -> answer.kappa() > 0),
                                                errors(own, answer -> true),
                                                own.size())));
        return text.append('\n').append(each).toString();
    }

    private static Map<String, List<Answer>> byRow(List<Answer> answers) {
        return answers.stream()
                .collect(
                        Collectors.groupingBy(
                                Answer::row, LinkedHashMap::new, Collectors.toList()));
    }

    private static String errors(List<Answer> answers, Predicate<Answer> kind) {
        List<Double> signed = answers.stream().filter(kind).map(Answer::error).toList();
        return signed.isEmpty()
                ? "-"
                : String.format(
                        Locale.ROOT,
                        "%.0f %% (%+.0f %%)",
                        100 * median(answers.stream().filter(kind).toList()),
                        100 * KernelComparison.median(signed));
    }

    private static double median(List<Answer> answers) {
        return KernelComparison.median(
                answers.stream().map(answer -> Math.abs(answer.error())).toList());
    }

    private static String verdict(List<Answer> answers, int edges) {
        List<Answer> own = byRow(answers).getOrDefault(row(JUDGE, JUDGED), List.of());
        double median = median(own);
        return own.isEmpty()
                ? "Nothing to judge.\n\n"
                : String.format(
                        Locale.ROOT,
                        "**Collapse load foretold from 60 %% of it, from summaries: median error %.0f %% (must 20 %%, aim 10 %%: %s); edges found for %d services.**%n%n",
                        100 * median,
                        median <= 0.1 ? "aim met" : median <= 0.2 ? "met" : "missed",
                        edges);
    }

    private static String row(String estimator, Knowledge knowledge) {
        return estimator + " | " + knowledge.label();
    }

    private static String line(DrivenService service) {
        DrivenService.Edge edge = service.edge();
        String agreed = "";
        if (service.shards() == 1) {
            long same = service.tries().stream().filter(KernelCollapse::agrees).count();
            agreed = String.format(Locale.ROOT, "%d of %d", same, service.tries().size());
        }
        return String.format(
                Locale.ROOT,
                "| %s | %s | %d | %s | %s | %s | ",
                service.name(),
                service.kappa(),
                service.shards(),
                edge.healthy() > 0
                        ? String.format(Locale.ROOT, "%.0f %% of quota", 100 * edge.healthy())
                        : "never healthy",
                Double.isFinite(edge.collapsed())
                        ? String.format(Locale.ROOT, "%.0f %%", 100 * edge.collapsed())
                        : "never collapsed",
                agreed);
    }

    private static boolean agrees(DrivenService.Try one) {
        return one.collapsed() == Twin.of(one.shards().get(0)).collapsedShare() >= 0.5;
    }

    /** Three cells: where it was watched and what was foretold from there. */
    private static String foretold(
            DrivenService service, List<Estimator> estimators, List<Answer> answers) {
        DrivenService.Edge edge = service.edge();
        Optional<DrivenService.Try> watched =
                service.tries().stream()
                        .filter(one -> edge.found() && one.watched() && !one.collapsed())
                        .findFirst();
        if (watched.isEmpty()) {
            return "| | ";
        }
        List<KernelRun> shards = watched.get().shards();
        double load = watched.get().utilization();
        Map<String, Double> said = ask(estimators, shards);
        said.forEach(
                (row, multiple) ->
                        answers.add(
                                new Answer(
                                        row,
                                        service.kappa(),
                                        Math.log(multiple * load / edge.load()))));
        return String.format(
                Locale.ROOT,
                "%.0f %% | %s | %s",
                100 * load,
                cell(said.get(row(JUDGE, JUDGED)), load),
                cell(said.get(row(JUDGE, PRICED)), load));
    }

    private static String cell(Double multiple, double load) {
        return multiple == null ? "" : String.format(Locale.ROOT, "%.0f %%", 100 * multiple * load);
    }

    /** The last two cells: when clients left shards in the first run that collapsed. */
    private static String ends(List<DrivenService.Try> tries) {
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
        return String.format(Locale.ROOT, " | %s | %d of %d |", left, disturbed, tries.size());
    }

    private static String left(KernelRun shard) {
        return shard.place().leftUs() < 0
                ? "never"
                : String.format(Locale.ROOT, "%.0f s", shard.place().leftUs() / 1e6);
    }

    /** What everybody says of the service, as multiples of the load that they saw. */
    private static Map<String, Double> ask(List<Estimator> estimators, List<KernelRun> watched) {
        Map<String, Double> said = new LinkedHashMap<>();
        for (Estimator estimator : estimators) {
            for (Knowledge knowledge : ASKED) {
                if (knowledge.priced() && !estimator.name().equals(JUDGE)) {
                    continue;
                }
                OptionalDouble kappa =
                        knowledge.priced()
                                ? OptionalDouble.of(watched.get(0).kappa())
                                : OptionalDouble.empty();
                Observation seen = KernelSeen.of(watched, knowledge.input(), kappa);
                estimator
                        .collapseLoadMultiple(seen)
                        .map(shard -> service(shard, relativeLoads(watched)))
                        .ifPresent(
                                multiple -> said.put(row(estimator.name(), knowledge), multiple));
            }
        }
        return said;
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
