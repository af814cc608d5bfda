package io.quotascope.validate.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quotascope.domain.cfs.CpuCost;
import io.quotascope.validate.estimate.Input;
import io.quotascope.validate.estimate.Observation;
import io.quotascope.validate.estimators.Registry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KernelReportsTest {
    private static final int SECONDS = 20;

    @TempDir Path folder;

    /** A shard that is asked every 20 ms and answers, or does not from the half of the run on. */
    private static String run(String name, int shard, int shards, boolean fails, int samples) {
        StringBuilder text =
                new StringBuilder(
                        "run name=%s shard=%d shards=%d kernel_release=6.1 cgroup_version=1 tick_hz=250 cpus=2 load_average=1.5 other_cores=%s disturbed=%s quota_us=40000 period_us=100000 burst_us=0 threads=2 timeout_us=100000 retries=0 horizon_us=%d utilization=%s usage_us=%d overhead_us=0 periods=200 throttled_periods=%d throttled_us=9 left_us=%d%n"
                                .formatted(
                                        name,
                                        shard,
                                        shards,
                                        shard == 0 ? "0.05" : "0.40",
                                        shard != 0,
                                        SECONDS * 1_000_000,
                                        name.contains("@")
                                                ? name.substring(name.indexOf('@') + 1)
                                                : "0.5",
                                        4_000_000 / (shard + 1),
                                        fails ? 150 : 20,
                                        fails ? 2_000_000 + shard : -1));
        for (int sample = 0; sample < samples; sample++) {
            int periods = sample % 10 == 9 ? 1 : 0;
            int throttled = sample % 100 == 99 ? 1 : 0;
            text.append(
                    "sample 10000 %d %d %d 0%n"
                            .formatted(sample % 10 < 3 ? 6000 : 100, periods, throttled));
        }
        for (int at = 0; at < SECONDS * 1000; at += 20) {
            boolean lost = fails && at > SECONDS * 500;
            text.append(
                    "%d %d %d 4000%n"
                            .formatted(at * 1000, lost ? -1 : at * 1000 + 5000, lost ? 1 : 0));
        }
        return text.toString();
    }

    private List<KernelRun> read(String text) throws IOException {
        return KernelFile.read(Files.writeString(folder.resolve("runs.txt"), text));
    }

    @Test
    void aReadThatCameTooLateDoesNotCostTenSeconds() throws IOException {
        List<KernelRun> runs = read(run("w0", 0, 1, false, 1999));
        Observation seen = KernelSeen.of(runs, Input.SUMMARIES);
        assertThat(seen.minutes()).hasSize(1);
        assertThat(seen.minutes().get(0).reporting().records()).isEqualTo(2);
        assertThat(seen.minutes().get(0).throttling().periods()).isEqualTo(199);
    }

    @Test
    void usageThatWasReadLateIsNotLost() throws IOException {
        String onTime = run("w0", 0, 1, false, 2000);
        // One read 30 ms late brings what four should have, the next three come at once.
        String late =
                onTime.replaceFirst(
                        "(?s)(sample 10000 6000 0 0 0\\R){3}sample 10000 100 0 0 0\\R",
                        "sample 39970 18100 0 0 0\nsample 10 0 0 0 0\nsample 10 0 0 0 0\nsample 10 0 0 0 0\n");
        assertThat(late).isNotEqualTo(onTime);
        long expected =
                KernelSeen.of(read(onTime), Input.SUMMARIES).minutes().get(0).usage().usageUs();
        assertThat(KernelSeen.of(read(late), Input.SUMMARIES).minutes().get(0).usage().usageUs())
                .isCloseTo(expected, org.assertj.core.data.Offset.offset(5L));
    }

    @Test
    void shardsOfOneServiceAreSeenTogether() throws IOException {
        List<KernelRun> runs =
                read(run("k@0.3", 0, 2, false, 2000) + run("k@0.3", 1, 2, false, 2000));
        Observation seen = KernelSeen.of(runs, Input.SUMMARIES);
        assertThat(seen.minutes().get(0).reporting().records()).isEqualTo(4);
    }

    @Test
    void theEdgeLiesBetweenTheLastHealthyAndTheFirstCollapsedLoad() throws IOException {
        List<KernelRun> runs =
                read(
                        run("k@0.500", 0, 2, false, 0)
                                + run("k@0.500", 1, 2, false, 0)
                                + run("k@0.700", 0, 2, true, 0)
                                + run("k@0.700", 1, 2, true, 0)
                                + run("k@0.300", 0, 2, false, 2000)
                                + run("k@0.300", 1, 2, false, 2000));
        assertThat(KernelRun.collapsed(runs.subList(2, 4))).isTrue();
        String report = KernelCollapse.report(runs, Registry.all());
        assertThat(report)
                .contains("edges found for 1 services")
                .contains("| k | 0.0 | 2 | 50 % of quota | 70 % |  | 30 % |")
                .contains("| 2 s, 2 s |");
    }

    @Test
    void servicesWhoseWorkGetsDearerAreJudgedApartAndTogether() throws IOException {
        String constant =
                run("k@0.500", 0, 1, false, 0)
                        + run("k@0.700", 0, 1, true, 0)
                        + run("k@0.300", 0, 1, false, 2000);
        String dearer = constant.replace("k@", "g@").replace("usage_us=", "kappa=0.3 usage_us=");
        List<KernelRun> runs = read(constant + dearer);
        assertThat(runs.get(0).kappa()).isZero();
        assertThat(runs.get(3).kappa()).isEqualTo(0.3);
        assertThat(runs.get(3).setup(0).cost()).isEqualTo(new CpuCost(0.3, 0.4));
        String report = KernelCollapse.report(runs, Registry.all());
        assertThat(report)
                .contains("| k | 0.0 | 1 | 50 % of quota | 70 % |")
                .contains("| g | 0.3 | 1 | 50 % of quota | 70 % |")
                .contains("edges found for 2 services");
        // The same was seen of both, so nearly the same is said where the price is not known: each
        // is drawn by its own name.
        assertThat(
                        report.lines()
                                .filter(
                                        line ->
                                                line.startsWith(
                                                        "| cliff and savings | summaries |")))
                .singleElement()
                .satisfies(
                        line -> {
                            String[] cells = line.split(" \\| ");
                            assertThat(percent(cells[2]))
                                    .isCloseTo(percent(cells[3]), within(3))
                                    .isCloseTo(percent(cells[4]), within(3));
                        });
        assertThat(report).contains("| cliff and savings | summaries, kappa known |");
    }

    private static int percent(String cell) {
        return Integer.parseInt(cell.substring(0, cell.indexOf(' ')));
    }

    @Test
    void changesAreHeldAgainstWhatWasForetold() throws IOException {
        List<KernelRun> runs =
                read(run("w0", 0, 1, false, 2000) + run("w0+quota0.7", 1, 1, true, 0));
        String report = KernelChanges.report(runs, Registry.all());
        assertThat(report)
                .contains("What-if of 1 changes to 1 services")
                // The changed run was disturbed, so nothing is left to judge without it.
                .contains("of the 0 not marked as disturbed -")
                .contains("| no change | summaries | 65.0 pp | quota0.7 65.0 | 1 |")
                .contains("| w0+quota0.7 | 0.40 (disturbed) | 10.0 % | 75.0 % |");
    }
}
