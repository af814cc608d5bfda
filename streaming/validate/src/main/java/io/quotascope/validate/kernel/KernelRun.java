package io.quotascope.validate.kernel;

import io.quotascope.domain.cfs.CpuLimit;
import io.quotascope.domain.cfs.KernelRules;
import io.quotascope.domain.cfs.SimulationSetup;
import io.quotascope.domain.cfs.service.Client;
import io.quotascope.domain.cfs.service.Pool;
import io.quotascope.domain.cfs.service.Request;
import io.quotascope.domain.cfs.service.ServicePlan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * One recording of {@code kernelrun}: what a kernel made of a written-down service. All times are
 * microseconds.
 *
 * @param name name of the service
 * @param release kernel release
 * @param cpus CPUs of the machine
 * @param tickHz timer ticks a second
 * @param loadAverage other load on the machine before the run
 * @param quota its limit; the phase of the periods is not known
 * @param threads size of its pool
 * @param client who asked
 * @param horizonUs length of the run
 * @param usageUs CPU time used
 * @param periods periods by the kernel's count
 * @param throttledPeriods throttled periods by the kernel's count
 * @param requests what was asked, with the CPU time that each task really took
 * @param latenciesUs of answered requests, ascending
 * @param firstFailed for each request whether its first attempt failed
 * @param utilization offered work / quota, as planned
 * @param samples counters every 10 ms; empty unless the run was sampled
 */
public record KernelRun(
        String name,
        String release,
        int cpus,
        int tickHz,
        double loadAverage,
        CpuLimit.Quota quota,
        int threads,
        Client client,
        long horizonUs,
        long usageUs,
        long periods,
        long throttledPeriods,
        List<Request> requests,
        List<Long> latenciesUs,
        List<Boolean> firstFailed,
        double utilization,
        List<Sample> samples) {
    /**
     * What the kernel's counters grew by between two readings.
     *
     * @param elapsedUs time between them
     * @param usageUs CPU time used
     * @param periods periods
     * @param throttledPeriods of those, throttled
     * @param throttledUs throttled time
     */
    public record Sample(
            long elapsedUs, long usageUs, long periods, long throttledPeriods, long throttledUs) {}

    private static final int QUEUE_TASKS = 5_000_000;
    private static final int ARRIVED = 0;
    private static final int ANSWERED = 1;
    private static final int FAILED = 2;
    private static final int FIRST_TASK = 3;

    /**
     * Reads recordings as collectors/internal/lab/kernelrun writes them: a line of "run" and
     * key=value pairs, then a line of numbers for each request.
     *
     * @throws IOException when the file cannot be read
     * @throws IllegalArgumentException when it is no such file
     */
    public static List<KernelRun> read(Path file) throws IOException {
        List<KernelRun> runs = new ArrayList<>();
        Map<String, String> head = Map.of();
        List<long[]> rows = new ArrayList<>();
        List<Sample> samples = new ArrayList<>();
        for (String line : Files.readAllLines(file)) {
            if (line.startsWith("run ")) {
                if (!head.isEmpty()) {
                    runs.add(of(head, rows, samples));
                }
                head = pairs(line);
                rows = new ArrayList<>();
                samples = new ArrayList<>();
            } else if (line.startsWith("sample ")) {
                long[] cells = numbers(line.substring("sample ".length()));
                samples.add(new Sample(cells[0], cells[1], cells[2], cells[3], cells[4]));
            } else if (!line.startsWith("#")) {
                rows.add(numbers(line));
            }
        }
        if (head.isEmpty()) {
            throw new IllegalArgumentException(file + " holds no recording");
        }
        runs.add(of(head, rows, samples));
        return runs;
    }

    private static long[] numbers(String line) {
        return Arrays.stream(line.split(" ")).mapToLong(Long::parseLong).toArray();
    }

    private static Map<String, String> pairs(String line) {
        Map<String, String> pairs = new HashMap<>();
        for (String pair : line.split(" ")) {
            int split = pair.indexOf('=');
            if (split > 0) {
                pairs.put(pair.substring(0, split), pair.substring(split + 1));
            }
        }
        return pairs;
    }

    private static long number(Map<String, String> head, String key) {
        return Long.parseLong(head.get(key));
    }

    private static KernelRun of(Map<String, String> head, List<long[]> rows, List<Sample> samples) {
        long tasks = rows.stream().mapToLong(row -> row.length - FIRST_TASK).sum();
        // Taking a task from the queue costs a little too; every task bears its part.
        long overheadUs = Math.max(0, number(head, "overhead_us") / Math.max(1, tasks));
        List<Request> requests = new ArrayList<>();
        List<Long> latencies = new ArrayList<>();
        List<Boolean> failed = new ArrayList<>();
        for (long[] row : rows) {
            long[] work = Arrays.copyOfRange(row, FIRST_TASK, row.length);
            Arrays.setAll(work, task -> Math.max(1, work[task] + overheadUs));
            requests.add(new Request(row[ARRIVED], work));
            failed.add(row[FAILED] == 1);
            if (row[ANSWERED] >= 0) {
                latencies.add(row[ANSWERED] - row[ARRIVED]);
            }
        }
        latencies.sort(Long::compare);
        return new KernelRun(
                head.get("name"),
                head.get("kernel_release"),
                Integer.parseInt(head.get("cpus")),
                Integer.parseInt(head.get("tick_hz")),
                Double.parseDouble(head.get("load_average")),
                new CpuLimit.Quota(
                        number(head, "quota_us"),
                        number(head, "period_us"),
                        number(head, "burst_us"),
                        0),
                Integer.parseInt(head.get("threads")),
                new Client(number(head, "timeout_us"), Integer.parseInt(head.get("retries")), 0),
                number(head, "horizon_us"),
                number(head, "usage_us"),
                number(head, "periods"),
                number(head, "throttled_periods"),
                requests,
                latencies,
                failed,
                Double.parseDouble(head.get("utilization")),
                samples);
    }

    /** Throttled periods / periods; 0 without a period. */
    public double throttledPeriodRatio() {
        return periods == 0 ? 0 : throttledPeriods / (double) periods;
    }

    /** Cores that the quota allows. */
    public double quotaCores() {
        return quota.quotaUs() / (double) quota.periodUs();
    }

    /** Used cores / quota cores, mean over the run. */
    public double quotasUsed() {
        return usageUs / (double) horizonUs / quotaCores();
    }

    /** Whether clients give up within the run. */
    public boolean impatient() {
        return client.timeoutUs() < horizonUs;
    }

    /** More than 30 % of the first attempts of the last 40 % of the run failed. */
    public boolean collapsed() {
        long judged = 0;
        long lost = 0;
        for (int number = 0; number < requests.size(); number++) {
            long arrivedUs = requests.get(number).arrivesUs();
            if (arrivedUs >= 0.6 * horizonUs && arrivedUs < horizonUs - client.timeoutUs()) {
                judged++;
                lost += firstFailed.get(number) ? 1 : 0;
            }
        }
        return lost > 0.3 * judged;
    }

    /** The simulator's setup of the same run at a phase of the periods. */
    SimulationSetup setup(long phaseUs) {
        CpuLimit limit =
                new CpuLimit.Quota(quota.quotaUs(), quota.periodUs(), quota.burstUs(), phaseUs);
        return SimulationSetup.of(cpus, limit, KernelRules.EXACT.withTicks(tickHz), horizonUs);
    }

    ServicePlan plan() {
        return ServicePlan.of(client, Pool.of(threads, QUEUE_TASKS));
    }
}
