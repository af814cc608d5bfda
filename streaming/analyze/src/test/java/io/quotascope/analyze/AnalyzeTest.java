package io.quotascope.analyze;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.quotascope.domain.cfs.CfsSimulator;
import io.quotascope.domain.cfs.CpuLimit;
import io.quotascope.domain.cfs.KernelRules;
import io.quotascope.domain.cfs.SimulationOutcome;
import io.quotascope.domain.cfs.SimulationSetup;
import io.quotascope.domain.cfs.TaskPlan;
import io.quotascope.domain.cfs.TraceSample;
import io.quotascope.domain.cfs.observed.ObservedShard;
import io.quotascope.domain.cfs.observed.ObservedWindows;
import io.quotascope.domain.window.ShardWindow;
import io.quotascope.wire.Codecs;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class AnalyzeTest {
    /** Two cores on eight CPUs, twelve threads that work in bursts, one minute. */
    private static final SimulationSetup SETUP =
            SimulationSetup.of(
                    8, new CpuLimit.Quota(200_000, 100_000, 0, 0), KernelRules.EXACT, 60_000_000);

    @TempDir private Path folder;
    private SimulationOutcome outcome;
    private Path windows;
    private Path slices;

    private final StringWriter out = new StringWriter();
    private final StringWriter errors = new StringWriter();

    @BeforeEach
    void simulate() throws IOException {
        SplittableRandom random = new SplittableRandom(5);
        List<TaskPlan> plans = new ArrayList<>();
        for (int thread = 0; thread < 12; thread++) {
            List<TaskPlan.Burst> bursts = new ArrayList<>();
            for (int burst = 0; burst < 40; burst++) {
                bursts.add(
                        new TaskPlan.Burst(
                                random.nextLong(2_000, 25_000), random.nextLong(40_000, 260_000)));
            }
            plans.add(new TaskPlan(random.nextLong(100_000), bursts, 20));
        }
        outcome = CfsSimulator.run(SETUP, plans);
        windows = folder.resolve("windows.avro");
        List<ShardWindow> records =
                ObservedWindows.of(SETUP, outcome, ObservedShard.of("checkout", 12, false));
        write(windows, records);
        slices = folder.resolve("slices.csv");
        StringBuilder text = new StringBuilder("usage_us,periods,throttled_periods,throttled_us\n");
        TraceSample before = null;
        for (TraceSample sample : outcome.samples()) {
            long periods = before == null ? 0 : before.stat().periods();
            long throttled = before == null ? 0 : before.stat().throttledPeriods();
            long throttledUs = before == null ? 0 : before.stat().throttledUs();
            text.append(sample.usageUs()).append(',');
            text.append(sample.stat().periods() - periods).append(',');
            text.append(sample.stat().throttledPeriods() - throttled).append(',');
            text.append(sample.stat().throttledUs() - throttledUs).append('\n');
            before = sample;
        }
        Files.writeString(slices, text);
    }

    private static void write(Path path, List<ShardWindow> records) throws IOException {
        try (DataOutputStream file = new DataOutputStream(Files.newOutputStream(path))) {
            for (ShardWindow record : records) {
                byte[] framed = Codecs.SHARD_WINDOWS.encode(record);
                file.writeInt(framed.length);
                file.write(framed);
            }
        }
    }

    private int run(String... arguments) {
        CommandLine command = Analyze.commandLine();
        command.setOut(new PrintWriter(out, true));
        command.setErr(new PrintWriter(errors, true));
        return command.execute(arguments);
    }

    private JsonNode json(String... arguments) throws IOException {
        out.getBuffer().setLength(0);
        assertThat(run(arguments)).as(errors.toString()).isZero();
        return new ObjectMapper().readTree(out.toString());
    }

    @Test
    void windowsAndSlicesOfOneRunSayTheSame() throws IOException {
        JsonNode fromWindows =
                json("--format", "json", "--service", "checkout", windows.toString());
        JsonNode fromSlices =
                json(
                        "--format",
                        "json",
                        "--quota-us",
                        "200000",
                        "--cpus",
                        "8",
                        "--service",
                        "checkout",
                        slices.toString());
        double ratio = outcome.stat().throttledPeriods() / (double) outcome.stat().periods();
        for (JsonNode report : List.of(fromWindows, fromSlices)) {
            JsonNode facts = report.required("facts");
            assertThat(facts.required("throttled_period_ratio").doubleValue())
                    .isCloseTo(ratio, within(1e-12));
            assertThat(facts.required("used_cores").doubleValue())
                    .isCloseTo(outcome.usageUs() / 60e6, within(1e-4));
            assertThat(report.required("usage_histogram").required("quotaCores").doubleValue())
                    .isEqualTo(2.0);
        }
        assertThat(fromSlices.required("usage_histogram"))
                .isEqualTo(fromWindows.required("usage_histogram"));
        // Windows state throttled runs and runnable threads, slices do not: the cliff may differ.
        assertThat(fromSlices.required("what_if").get(0).required("change").asText())
                .isEqualTo("as it is");
    }

    @Test
    void sharesOfTheHistogramAreAllOfTheSamples() throws IOException {
        JsonNode histogram =
                json("--format", "json", windows.toString()).required("usage_histogram");
        double sum = 0;
        for (JsonNode bucket : histogram.required("buckets")) {
            sum += bucket.required("share").doubleValue();
        }
        assertThat(sum).isCloseTo(1, within(1e-9));
    }

    @Test
    void aPersonGetsTextAndABrowserOnePage() throws IOException {
        assertThat(run(windows.toString())).isZero();
        assertThat(out.toString())
                .startsWith("checkout (2000m/100ms)")
                .contains(
                        "quota", "What if", "as it is", "Recommended change", "Before believing it")
                .contains("cpu: \"", "CPUQuota=", "cpu.max");
        Path page = folder.resolve("page.html");
        assertThat(run("--format", "html", "--out", page.toString(), windows.toString())).isZero();
        String html = Files.readString(page);
        assertThat(html).startsWith("<!doctype html>").contains("<svg", "quota 2.00");
        assertThat(html).doesNotContain("<script").doesNotContain("http");
    }

    @Test
    void namesFromFilesCannotBreakThePage() throws IOException {
        String name = "<b>&\"x";
        assertThat(run("--format", "html", "--service", name, "--cpus", "8", slices.toString()))
                .isZero();
        assertThat(out.toString()).contains("&lt;b&gt;&amp;&quot;x").doesNotContain("<b>");
    }

    @Test
    void aServiceIsItsShardsAndTheHottestDecides() throws IOException {
        assertThat(
                        json("--format", "json", windows.toString())
                                .required("facts")
                                .required("service_collapse_load_multiple")
                                .isNull())
                .as("one shard says nothing about a service")
                .isTrue();
        SimulationOutcome idle = CfsSimulator.run(SETUP, List.of());
        List<ShardWindow> records =
                new ArrayList<>(
                        ObservedWindows.of(
                                SETUP, outcome, new ObservedShard("checkout", "a", 0, 12, true)));
        records.addAll(
                ObservedWindows.of(SETUP, idle, new ObservedShard("checkout", "b", 0, 12, true)));
        Path two = folder.resolve("two.avro");
        write(two, records);
        JsonNode ejecting = json("--format", "json", two.toString()).required("facts");
        double mean = ejecting.required("collapse_load_multiple").doubleValue();
        double hottest = ejecting.required("hottest_shard_collapse_load_multiple").doubleValue();
        // All of the load is on one of two shards: it collapses at half of the mean shard's load.
        assertThat(hottest).isCloseTo(mean / 2, within(0.01 * mean));
        assertThat(ejecting.required("service_collapse_load_multiple").doubleValue())
                .as("the other shard takes the load over when the first is dead")
                .isGreaterThanOrEqualTo(hottest);
        JsonNode staying =
                json("--format", "json", "--dead-shard", "stay", two.toString()).required("facts");
        assertThat(staying.required("service_collapse_load_multiple").doubleValue())
                .isCloseTo(hottest, within(0.01 * mean));
    }

    @Test
    void threadsAreJudgedByWhatWasMeasured() throws IOException {
        // Twelve threads on two cores, and up to twelve of them runnable at once.
        assertThat(run(windows.toString())).isZero();
        assertThat(out.toString())
                .contains("runnable threads per reserved core (99th percentile)")
                .contains("not measured (the collector records thread names when told to)");
        JsonNode slicesOnly =
                json("--format", "json", "--quota-us", "200000", "--cpus", "8", slices.toString());
        assertThat(slicesOnly.required("facts").required("thread_advice").asText())
                .isEqualTo("UNKNOWN");
    }

    @Test
    void anotherBandwidthSliceIsAllowedFor() throws IOException {
        String[] kernel = {"--kernel", "4.18.0-80.el8", windows.toString()};
        assertThat(run(kernel)).isZero();
        assertThat(out.toString()).contains("judged with its default bandwidth slice of 5 ms");
        out.getBuffer().setLength(0);
        assertThat(run("--bandwidth-slice-us", "2000", kernel[0], kernel[1], kernel[2])).isZero();
        assertThat(out.toString()).doesNotContain("default bandwidth slice");
        assertThat(run("--bandwidth-slice-us", "1", windows.toString())).isEqualTo(2);
    }

    @Test
    void slicesThatWereReadLateShowNoMoreCoresThanThereAre() throws IOException {
        Path late = folder.resolve("late.csv");
        // 20 ms of two busy CPUs, read at once after 20 ms and again right away, for a minute.
        Files.writeString(late, "elapsed_us,usage_us\n" + "19990,39000\n10,1000\n".repeat(3000));
        JsonNode facts = json("--format", "json", "--cpus", "2", late.toString()).required("facts");
        assertThat(facts.required("used_cores").doubleValue()).isCloseTo(2.0, within(0.01));
        assertThat(facts.required("used_cores_p99").doubleValue()).isCloseTo(2.0, within(0.1));
        assertThat(facts.required("samples").intValue()).isEqualTo(6000);
    }

    @Test
    void countersThatWereNotRecordedAreSaidToBeMissing() throws IOException {
        Path bare = folder.resolve("bare.csv");
        Files.writeString(bare, "usage_us\n" + "9000\n0\n0\n0\n".repeat(500));
        JsonNode report =
                json("--format", "json", "--quota-us", "30000", "--cpus", "4", bare.toString());
        assertThat(report.required("facts").required("throttled_period_ratio").isNull()).isTrue();
        assertThat(report.required("caveats").toString()).contains("were not recorded");
        assertThat(report.required("recommended").toString())
                .contains("measured without quota: no throttling to compare with");
        // 2.5 bursts of 9 ms in 100 ms fit into 30 ms.
        assertThat(report.required("what_if").get(0).required("throttled periods").asText())
                .startsWith("0.0 %");
    }

    @Test
    void mistakesAreNamedWithTheirRemedy() throws IOException {
        assertThat(run("nowhere.csv")).isEqualTo(1);
        assertThat(errors.toString()).contains("nowhere.csv: there is no such file");
        assertThat(run(slices.toString())).isEqualTo(2);
        assertThat(errors.toString()).contains("give --cpus");
        assertThat(run("--quota-us", "0", "--cpus", "1", slices.toString())).isEqualTo(2);
        assertThat(run("--service", "search", windows.toString())).isEqualTo(1);
        assertThat(errors.toString()).contains("no service \"search\"; there are checkout");
        Path torn = folder.resolve("torn.avro");
        byte[] whole = Files.readAllBytes(windows);
        Files.write(torn, java.util.Arrays.copyOf(whole, whole.length - 3));
        assertThat(run(torn.toString())).isEqualTo(1);
        assertThat(errors.toString()).contains("record 5 is cut off");
        Path binary = folder.resolve("binary");
        Files.write(binary, new byte[] {(byte) 0xff, (byte) 0xfe, 0, 1, 2});
        assertThat(run("--cpus", "1", binary.toString())).isEqualTo(1);
        assertThat(errors.toString()).contains("neither windows of a collector nor text");
    }
}
