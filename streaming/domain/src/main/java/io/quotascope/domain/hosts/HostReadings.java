package io.quotascope.domain.hosts;

import io.quotascope.domain.alert.AlertKind;
import io.quotascope.domain.alert.AlertReading;
import io.quotascope.domain.kernel.HostKernelFinding;
import io.quotascope.domain.kernel.KernelFinding;
import io.quotascope.domain.kernel.StrandedShards;
import io.quotascope.domain.window.WindowPart;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.SortedSet;
import java.util.function.Function;
import java.util.stream.Collectors;

/** What a minute of a host says about each kind of alert that is about hosts. */
public final class HostReadings {
    /** Below this many threads a CPU, threads may multiply without anybody noticing. */
    private static final double GROWTH_THREADS_PER_CPU_MIN = 20;

    private HostReadings() {}

    /**
     * Readings of a minute.
     *
     * @param minuteUs start of the minute, microseconds since the Unix epoch
     * @param minute what arrived in time about it
     * @param memory the hour so far, with this minute taken in
     */
    public static List<AlertReading> of(long minuteUs, HostMinute minute, HostMemory memory) {
        HostTally tally = minute.tally();
        double cpus = tally.count(HostCounter.CPUS_MAX);
        List<AlertReading> readings = new ArrayList<>();
        if (cpus > 0) {
            if (tally.count(HostCounter.THREAD_RECORDS) > 0) {
                double threads = tally.count(HostCounter.THREADS_MAX);
                readings.add(level(threads, cpus, tally));
                readings.add(growth(threads, cpus, memory.threadsBefore(minuteUs), tally));
            }
            readings.add(interference(minute, cpus));
            readings.add(kernel(memory, (int) cpus));
        }
        return readings;
    }

    private static AlertReading level(double threads, double cpus, HostTally tally) {
        return AlertReading.of(
                AlertKind.HOST_THREADS,
                threads / cpus,
                List.of(
                        words(
                                "%.0f threads on %.0f CPUs, %.0f a CPU",
                                threads, cpus, threads / cpus),
                        runnable(tally)));
    }

    private static AlertReading growth(
            double threads, double cpus, OptionalDouble before, HostTally tally) {
        if (before.isEmpty() || before.getAsDouble() == 0) {
            return AlertReading.absent(AlertKind.HOST_THREADS_GROWTH);
        }
        // A small host that starts one service may double its few threads: that is no growth to
        // speak of.
        double growth =
                threads < GROWTH_THREADS_PER_CPU_MIN * cpus
                        ? Math.min(1, threads / before.getAsDouble())
                        : threads / before.getAsDouble();
        return AlertReading.of(
                AlertKind.HOST_THREADS_GROWTH,
                growth,
                List.of(
                        words(
                                "%.0f threads, %.0f on average in the hour before: %.2f times as many",
                                threads, before.getAsDouble(), growth),
                        words(
                                "threads wait for locks and CPUs of each other: if all do, contention is %.1f times as high",
                                growth * growth),
                        runnable(tally)));
    }

    private static String runnable(HostTally tally) {
        return tally.count(HostCounter.RUNNABLE_RECORDS) == 0
                ? "how many of them want to run is not measured"
                : words("at most %d of them wanted to run", count(tally));
    }

    private static long count(HostTally tally) {
        return tally.count(HostCounter.RUNNABLE_THREADS_MAX);
    }

    private static AlertReading interference(HostMinute minute, double cpus) {
        List<Pressure> saturated =
                Arrays.stream(minute.slots()).filter(Pressure::isSaturated).toList();
        long aboveUs = saturated.stream().mapToLong(Pressure::aboveQuotaUs).sum();
        double share = aboveUs / (cpus * WindowPart.MINUTE_US);
        if (saturated.isEmpty()) {
            return AlertReading.of(
                    AlertKind.NEIGHBOUR_INTERFERENCE, 0, List.of("the host was not saturated"));
        }
        long waitingUs = saturated.stream().mapToLong(Pressure::waitingUs).sum();
        double wallUs = saturated.size() * (double) WindowPart.WINDOW_US;
        List<String> reasons = new ArrayList<>();
        reasons.add(
                words(
                        "the host was saturated in %d of 6 windows, and shards used %.2f cores above their quotas in them",
                        saturated.size(), aboveUs / wallUs));
        if (aboveUs > 0) {
            reasons.add("above quota: " + names(saturated, Pressure::above, wallUs, "cores"));
        }
        reasons.add(
                waitingUs > 0
                        ? "within quota and waiting for a CPU: "
                                + names(saturated, Pressure::waiting, wallUs, "threads")
                        : "no waiting thread of a shard within its quota was measured");
        return AlertReading.of(AlertKind.NEIGHBOUR_INTERFERENCE, share, reasons);
    }

    private static String names(
            List<Pressure> windows,
            Function<Pressure, SortedSet<Pressure.Share>> of,
            double wallUs,
            String unit) {
        return Pressure.worst(windows.stream().map(of).toList()).stream()
                .map(share -> words("%s %.2f %s", share.name(), share.us() / wallUs, unit))
                .collect(Collectors.joining(", "));
    }

    private static AlertReading kernel(HostMemory memory, int cpus) {
        double lost = 0;
        List<String> reasons = new ArrayList<>();
        for (Map.Entry<String, StrandedShards> entry :
                memory.shards().byKernel(memory.kernels(), cpus).entrySet()) {
            for (HostKernelFinding finding :
                    HostKernelFinding.of(entry.getKey(), entry.getValue())) {
                if (accuses(finding) && finding.strandedCoresLow() > lost) {
                    lost = finding.strandedCoresLow();
                    reasons.clear();
                    reasons.add("kernel " + entry.getKey() + ": " + finding.rule().reason());
                    reasons.add(entry.getValue().words());
                    reasons.add("most by " + String.join(", ", entry.getValue().worst()));
                }
            }
        }
        return AlertReading.of(
                AlertKind.KERNEL_FAULT,
                lost,
                reasons.isEmpty() ? List.of("no quota was lost in this hour") : reasons);
    }

    /** Unexplained loss on a kernel that is known to lose nothing is not the kernel's fault. */
    private static boolean accuses(HostKernelFinding finding) {
        return finding.verdict() == KernelFinding.Verdict.CONFIRMED
                || finding.verdict() == KernelFinding.Verdict.BEHAVES_AFFECTED;
    }

    private static String words(String form, Object... values) {
        return String.format(Locale.ROOT, form, values);
    }
}
