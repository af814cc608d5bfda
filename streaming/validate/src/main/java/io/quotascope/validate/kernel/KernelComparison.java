package io.quotascope.validate.kernel;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * How far the simulator is from recordings, beside how far recordings of the same service are from
 * each other.
 *
 * @param ratioError mean absolute error of the throttled period ratio
 * @param ratioErrorMax the largest
 * @param latencyError median absolute logarithm of the ratio of latencies at 50, 90 and 99 %
 * @param repeatError mean absolute difference of the throttled period ratio between repeats; absent
 *     (negative) without repeats
 * @param patient services without time-outs, of which the errors are
 * @param agreed impatient services on whose collapse both agree
 * @param impatient impatient services
 * @param table every recording in a line
 */
public record KernelComparison(
        double ratioError,
        double ratioErrorMax,
        double[] latencyError,
        double repeatError,
        int patient,
        int agreed,
        int impatient,
        String table) {
    /** Compares all recordings. */
    public static KernelComparison of(List<KernelRun> runs) {
        List<Double> errors = new ArrayList<>();
        List<List<Double>> latency =
                List.of(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
        Map<String, List<KernelRun>> repeats = new LinkedHashMap<>();
        int agreed = 0;
        int impatient = 0;
        StringBuilder table =
                new StringBuilder(
                        "| service | others, cores | throttled: kernel | simulator | p50 ms: kernel | simulator | p90 | | p99 | |\n"
                                + "|---|---|---|---|---|---|---|---|---|---|\n");
        for (KernelRun run : runs) {
            Twin twin = Twin.of(run);
            repeats.computeIfAbsent(run.name(), name -> new ArrayList<>()).add(run);
            table.append(line(run, twin));
            if (run.impatient()) {
                impatient++;
                agreed += run.collapsed() == twin.collapsedShare() >= 0.5 ? 1 : 0;
                continue;
            }
            errors.add(Math.abs(run.throttledPeriodRatio() - twin.throttledPeriodRatio()));
            for (int share = 0; share < Twin.SHARES.length; share++) {
                latency.get(share)
                        .add(
                                Math.abs(
                                        Math.log(
                                                kernel(run, share)
                                                        / (double) twin.latencyUs()[share])));
            }
        }
        return new KernelComparison(
                errors.stream().mapToDouble(Double::doubleValue).average().orElse(0),
                errors.stream().mapToDouble(Double::doubleValue).max().orElse(0),
                latency.stream().mapToDouble(KernelComparison::median).toArray(),
                repeatError(repeats),
                errors.size(),
                agreed,
                impatient,
                table.toString());
    }

    private static long kernel(KernelRun run, int share) {
        List<Long> latencies = run.latenciesUs();
        int rank = (int) Math.ceil(Twin.SHARES[share] * latencies.size());
        return latencies.get(Math.max(1, rank) - 1);
    }

    static double median(List<Double> values) {
        return values.stream().sorted().skip(values.size() / 2).findFirst().orElse(0.0);
    }

    /** Mean absolute difference of every pair of repeats of a patient service. */
    private static double repeatError(Map<String, List<KernelRun>> repeats) {
        List<Double> differences = new ArrayList<>();
        for (List<KernelRun> same : repeats.values()) {
            for (int one = 0; one < same.size(); one++) {
                for (int other = one + 1; other < same.size(); other++) {
                    if (!same.get(one).impatient()) {
                        differences.add(
                                Math.abs(
                                        same.get(one).throttledPeriodRatio()
                                                - same.get(other).throttledPeriodRatio()));
                    }
                }
            }
        }
        return differences.stream().mapToDouble(Double::doubleValue).average().orElse(-1);
    }

    private static String line(KernelRun run, Twin twin) {
        StringBuilder text =
                new StringBuilder(
                        String.format(
                                Locale.ROOT,
                                "| %s | %s | %.1f %% | %.1f %% |",
                                run.name(),
                                others(run),
                                100 * run.throttledPeriodRatio(),
                                100 * twin.throttledPeriodRatio()));
        if (run.impatient()) {
            return text.append(
                            String.format(
                                    Locale.ROOT,
                                    " %s | %s | | | | |%n",
                                    run.collapsed() ? "collapsed" : "healthy",
                                    twin.collapsedShare() >= 0.5 ? "collapsed" : "healthy"))
                    .toString();
        }
        for (int share = 0; share < Twin.SHARES.length; share++) {
            text.append(
                    String.format(
                            Locale.ROOT,
                            " %.1f | %.1f |",
                            kernel(run, share) / 1e3,
                            twin.latencyUs()[share] / 1e3));
        }
        return text.append('\n').toString();
    }

    /** The figures as the report states them. */
    String verdict() {
        double ratio = 100 * ratioError;
        double latency = 100 * latencyError[2];
        return String.format(
                Locale.ROOT,
                "**%s. Throttled period ratio %s (must 5 pp, aim 3), p99 latency %s (must 25 %%, aim 15).**%n%n",
                summary(),
                ratio <= 3 ? "aim met" : ratio <= 5 ? "met" : "missed",
                latency <= 15 ? "aim met" : latency <= 25 ? "met" : "missed");
    }

    /** Cores that others took, where it is known, else the load average before the run. */
    static String others(KernelRun run) {
        OptionalDouble cores = run.around().otherCores();
        return cores.isPresent()
                ? String.format(
                        Locale.ROOT,
                        "%.2f%s",
                        cores.getAsDouble(),
                        run.around().disturbed() ? " (disturbed)" : "")
                : String.format(Locale.ROOT, "load %.1f", run.around().loadAverage());
    }

    /** The figures in words, for the table of rows. */
    public String summary() {
        String noise =
                repeatError < 0
                        ? "no repeats"
                        : String.format(
                                Locale.ROOT, "kernel repeats differ by %.1f pp", 100 * repeatError);
        return String.format(
                Locale.ROOT,
                "Throttled period ratio: mean abs error %.1f pp, largest %.1f pp (%s); latency, median error p50 %.0f %%, p90 %.0f %%, p99 %.0f %%; healthy or collapsed: %d of %d agree",
                100 * ratioError,
                100 * ratioErrorMax,
                noise,
                100 * latencyError[0],
                100 * latencyError[1],
                100 * latencyError[2],
                agreed,
                impatient);
    }
}
