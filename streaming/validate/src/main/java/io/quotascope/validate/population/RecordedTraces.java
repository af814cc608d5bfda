package io.quotascope.validate.population;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Used cores of recorded traces (collectors/internal/sampler/replay/README.md) in slots of 10 ms.
 */
public final class RecordedTraces {
    private static final int SLOT = 0;
    private static final int AT_NS = 2;
    private static final int USAGE_NS = 4;

    private RecordedTraces() {}

    /**
     * One series for each file of a folder, by name. A trace of several cgroups is left out.
     *
     * @throws UncheckedIOException when the folder cannot be read
     */
    public static List<List<Double>> read(Path folder) {
        try (Stream<Path> files = Files.list(folder)) {
            List<List<Double>> all = new ArrayList<>();
            for (Path file : files.filter(f -> f.toString().endsWith(".csv")).sorted().toList()) {
                List<String> lines = Files.readAllLines(file);
                if (lines.stream().filter(line -> line.startsWith("# cgroup ")).count() == 1) {
                    all.add(cores(lines));
                }
            }
            return all;
        } catch (IOException failure) {
            throw new UncheckedIOException("cannot read traces in " + folder, failure);
        }
    }

    private static List<Double> cores(List<String> lines) {
        List<Double> cores = new ArrayList<>();
        long[] before = null;
        for (String line : lines) {
            if (line.startsWith("#") || line.startsWith("slot")) {
                continue;
            }
            String[] cells = line.split(",", -1);
            long[] now = {
                Long.parseLong(cells[SLOT]),
                Long.parseLong(cells[AT_NS]),
                Long.parseLong(cells[USAGE_NS])
            };
            // A slot that was missed has no value of its own.
            if (before != null && now[0] == before[0] + 1 && now[1] > before[1]) {
                cores.add((now[2] - before[2]) / (double) (now[1] - before[1]));
            }
            before = now;
        }
        return cores;
    }
}
