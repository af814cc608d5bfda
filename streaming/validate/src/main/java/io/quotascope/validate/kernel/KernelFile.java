package io.quotascope.validate.kernel;

import io.quotascope.domain.cfs.CpuLimit;
import io.quotascope.domain.cfs.service.Client;
import io.quotascope.domain.cfs.service.Request;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/** Reads recordings as collectors/internal/lab/kernelrun writes them. */
public final class KernelFile {
    private static final int ARRIVED = 0;
    private static final int ANSWERED = 1;
    private static final int FAILED = 2;
    private static final int FIRST_TASK = 3;

    private KernelFile() {}

    /**
     * Reads a line of "run" and key=value pairs, then a line of numbers for each sample and each
     * request, and so on.
     *
     * @throws IOException when the file cannot be read
     * @throws IllegalArgumentException when it is no such file
     */
    public static List<KernelRun> read(Path file) throws IOException {
        List<KernelRun> runs = new ArrayList<>();
        Map<String, String> head = Map.of();
        List<long[]> rows = new ArrayList<>();
        List<KernelRun.Sample> samples = new ArrayList<>();
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
                samples.add(new KernelRun.Sample(cells[0], cells[1], cells[2], cells[3], cells[4]));
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

    private static KernelRun.Around around(Map<String, String> head) {
        return new KernelRun.Around(
                Double.parseDouble(head.get("load_average")),
                head.containsKey("other_cores")
                        ? OptionalDouble.of(Double.parseDouble(head.get("other_cores")))
                        : OptionalDouble.empty(),
                Boolean.parseBoolean(head.get("disturbed")));
    }

    private static KernelRun.Place place(Map<String, String> head) {
        return new KernelRun.Place(
                Integer.parseInt(head.getOrDefault("shard", "0")),
                Integer.parseInt(head.getOrDefault("shards", "1")),
                Long.parseLong(head.getOrDefault("left_us", "-1")));
    }

    private static KernelRun of(
            Map<String, String> head, List<long[]> rows, List<KernelRun.Sample> samples) {
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
                around(head),
                place(head),
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
                Double.parseDouble(head.getOrDefault("kappa", "0")),
                samples);
    }
}
