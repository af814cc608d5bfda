package io.quotascope.validate.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KernelComparisonTest {
    private static final Path RECORDED = Path.of("../../schemas/golden/recorded/kernel_runs.txt");

    @Test
    void theSimulatorIsCloseToTheRecordedKernel() throws IOException {
        KernelComparison comparison = KernelComparison.of(KernelFile.read(RECORDED));
        assertThat(comparison.ratioError()).isLessThanOrEqualTo(0.05);
        assertThat(comparison.latencyError()[2]).isLessThanOrEqualTo(0.25);
        assertThat(comparison.impatient()).isGreaterThanOrEqualTo(4);
        assertThat(comparison.agreed()).isGreaterThanOrEqualTo(comparison.impatient() - 1);
    }

    @Test
    void theWorkedExampleTakesAsLongAsTheArticlesSay() throws IOException {
        KernelRun example =
                KernelFile.read(RECORDED).stream()
                        .filter(run -> run.name().equals("200ms-at-0.4"))
                        .findFirst()
                        .orElseThrow();
        // 200 ms and a little of CPU time: 440 ms at best, and the period's phase costs up to 60
        // more.
        assertThat(example.latenciesUs()).hasSize(8).allMatch(us -> us > 420_000 && us < 560_000);
        assertThat(example.requests()).allMatch(request -> request.workUs() < 215_000);
        // The kernel counts a trailing idle period: 6 to 8 periods for each request.
        assertThat(example.periods() / 8.0).isBetween(6.0, 8.0);
        Twin twin = Twin.of(example);
        assertThat(twin.throttledPeriodRatio())
                .isBetween(
                        example.throttledPeriodRatio() - 0.1, example.throttledPeriodRatio() + 0.1);
    }

    @Test
    void aRecordingIsReadAsWritten(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("runs.txt");
        Files.writeString(
                file,
                "# about\nrun name=a kernel_release=6.1 cgroup_version=1 tick_hz=250 cpus=2 load_average=1.5 "
                        + "quota_us=20000 period_us=100000 burst_us=0 threads=2 timeout_us=50000 retries=1 "
                        + "horizon_us=1000000 utilization=0.50 usage_us=700 overhead_us=20 periods=4 "
                        + "throttled_periods=1 throttled_us=9\n6 406 0 101 200\n9 -1 1 300\n");
        KernelRun run = KernelFile.read(file).get(0);
        assertThat(run.throttledPeriodRatio()).isEqualTo(0.25);
        // 20 us of overhead over three tasks are 6 each.
        assertThat(run.requests().get(0).taskWorkUs()).containsExactly(107, 206);
        assertThat(run.latenciesUs()).isEqualTo(List.of(400L));
        assertThat(run.firstFailed()).isEqualTo(List.of(false, true));
        assertThat(run.impatient()).isTrue();
    }

    @Test
    void aFileWithoutRecordingsIsRefused(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("none.txt"), "# nothing\n");
        assertThatThrownBy(() -> KernelFile.read(file)).hasMessageContaining("none.txt");
    }
}
