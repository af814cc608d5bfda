package io.quotascope.analyze;

import io.quotascope.domain.cfs.CpuLimit;
import io.quotascope.domain.risk.ServiceCliff;
import io.quotascope.domain.savings.Kappa;
import io.quotascope.domain.savings.LatencyObjective;
import io.quotascope.domain.whatif.ClientPolicy;
import io.quotascope.domain.window.HostReport;
import io.quotascope.domain.window.ServiceKey;
import io.quotascope.domain.window.ShardWindow;
import java.io.BufferedInputStream;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** What the command line says about the service, and the file read with it. */
final class SubjectOptions {
    private static final long MS_US = 1_000;
    private static final long NS_PER_US = 1_000;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Option(
            names = "--service",
            description = "which service, when a file of windows holds several")
    private Optional<String> service = Optional.empty();

    @Option(
            names = "--quota-us",
            description = "slices: CPU time allowed per period; none = unlimited")
    private Optional<Long> quotaUs = Optional.empty();

    @Option(
            names = "--period-us",
            defaultValue = "100000",
            description = "slices: period (default: 100000)")
    private long periodUs;

    @Option(
            names = "--burst-us",
            description = "burst allowance (default: what the windows state, else 0)")
    private Optional<Long> burstUs = Optional.empty();

    @Option(
            names = "--interval-us",
            defaultValue = "10000",
            description = "slices: length of one (default: 10000)")
    private long intervalUs;

    @Option(
            names = "--cpus",
            description = "CPUs that may run the service (default: what the windows state)")
    private Optional<Integer> cpus = Optional.empty();

    @Option(names = "--threads", description = "slices: threads of the service")
    private Optional<Long> threads = Optional.empty();

    @Option(
            names = "--reserved-cores",
            description = "cores reserved per shard (default: the quota)")
    private Optional<Double> reservedCores = Optional.empty();

    @Option(names = "--timeout-ms", description = "clients' timeout; else 200 ms is assumed")
    private Optional<Long> timeoutMs = Optional.empty();

    @Option(
            names = "--retries",
            defaultValue = "2",
            description = "retries after a timeout (default: 2)")
    private int retries;

    @Option(names = "--slo-ms", description = "latency objective (default: 50)")
    private Optional<Long> sloMs = Optional.empty();

    @Option(
            names = "--kappa",
            description = "measured cost of concurrency (default: the prior, 0.4)")
    private Optional<Double> kappa = Optional.empty();

    @Option(
            names = "--kernel",
            description = "kernel release, to judge its faults (default: what the windows state)")
    private Optional<String> kernel = Optional.empty();

    @Option(
            names = "--bandwidth-slice-us",
            description =
                    "what a CPU draws at once, /proc/sys/kernel/sched_cfs_bandwidth_slice_us of the"
                            + " host (default: 5000, the kernel's)")
    private Optional<Long> bandwidthSliceUs = Optional.empty();

    @Option(
            names = "--dead-shard",
            defaultValue = "EJECT",
            description =
                    "what clients do with a shard that has collapsed: eject (send its load to the"
                            + " others) or stay (default: eject)")
    private ServiceCliff.Redistribution deadShard;

    Subject subject(Path file) throws IOException, UnusableInputException {
        check();
        try (InputStream bytes = new BufferedInputStream(Files.newInputStream(file))) {
            bytes.mark(16);
            boolean windows = WindowFile.begins(bytes.readNBytes(6));
            bytes.reset();
            return windows
                    ? recorded(file.toString(), WindowFile.read(file.toString(), bytes))
                    : foreign(file);
        }
    }

    private void check() {
        require(quotaUs.orElse(1L) >= 1, "--quota-us must be at least 1");
        require(periodUs >= 1_000 && periodUs <= 1_000_000, "--period-us must be 1000 to 1000000");
        require(burstUs.orElse(0L) >= 0, "--burst-us must not be negative");
        require(
                intervalUs >= 1_000 && 10_000_000 % intervalUs == 0,
                "--interval-us must be at least 1000 and divide 10000000");
        require(cpus.orElse(1) >= 1, "--cpus must be at least 1");
        require(reservedCores.orElse(1.0) > 0, "--reserved-cores must be positive");
        require(timeoutMs.orElse(1L) >= 1, "--timeout-ms must be at least 1");
        require(
                retries >= 0 && retries <= ClientPolicy.RETRIES_MAX,
                "--retries must be 0 to " + ClientPolicy.RETRIES_MAX);
        require(sloMs.orElse(1L) >= 1, "--slo-ms must be at least 1");
        require(
                bandwidthSliceUs.orElse(1_000L) >= 100
                        && bandwidthSliceUs.orElse(1_000L) <= 1_000_000,
                "--bandwidth-slice-us must be 100 to 1000000");
        require(kappa.orElse(0.0) >= 0 && kappa.orElse(0.0) <= 10, "--kappa must be 0 to 10");
    }

    private void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new ParameterException(spec.commandLine(), otherwise);
        }
    }

    private Subject foreign(Path file) throws IOException, UnusableInputException {
        require(
                cpus.isPresent(),
                "slices do not say how many CPUs may run the service: give --cpus");
        Optional<CpuLimit.Quota> quota =
                quotaUs.map(us -> new CpuLimit.Quota(us, periodUs, burstUs.orElse(0L), 0));
        ForeignService foreign =
                new ForeignService(
                        service.orElse(file.getFileName().toString()),
                        quota,
                        intervalUs,
                        threads.map(OptionalLong::of).orElse(OptionalLong.empty()),
                        cpus.get());
        try (BufferedReader text = Files.newBufferedReader(file)) {
            List<Slice> slices =
                    EvenSlices.of(
                            SliceFile.read(file.toString(), text, intervalUs),
                            intervalUs * NS_PER_US);
            return subject(SliceWindows.of(slices, foreign), List.of(), quota, cpus.get());
        } catch (MalformedInputException binary) {
            throw new UnusableInputException(
                    file.toString(), "neither windows of a collector nor text");
        }
    }

    private Subject recorded(String name, WindowFile.Recorded recorded)
            throws UnusableInputException {
        Set<ServiceKey> keys =
                recorded.windows().stream()
                        .map(ShardWindow::key)
                        .filter(key -> service.map(key.service()::equals).orElse(true))
                        .collect(Collectors.toCollection(() -> new TreeSet<>(ServiceChoice.ORDER)));
        ServiceKey key = ServiceChoice.only(name, keys, recorded.windows(), service);
        List<ShardWindow> windows =
                recorded.windows().stream().filter(window -> window.key().equals(key)).toList();
        ShardWindow last = windows.get(windows.size() - 1);
        Optional<CpuLimit.Quota> quota = Optional.empty();
        if (last.bandwidth().quotaUs().isPresent()) {
            quota =
                    Optional.of(
                            new CpuLimit.Quota(
                                    last.bandwidth().quotaUs().getAsLong(),
                                    last.bandwidth().periodUs().orElseThrow(),
                                    burstUs.orElse(last.burstUs().orElse(0)),
                                    0));
        }
        return subject(windows, recorded.hosts(), quota, cpusOf(name, last, recorded.hosts()));
    }

    private int cpusOf(String name, ShardWindow window, List<HostReport> hosts)
            throws UnusableInputException {
        if (cpus.isPresent()) {
            return cpus.get();
        }
        if (window.placement().cpusAllowed().isPresent()) {
            return (int) window.placement().cpusAllowed().getAsLong();
        }
        return hosts.stream()
                .mapToInt(host -> host.shape().cpus())
                .max()
                .orElseThrow(
                        () ->
                                new UnusableInputException(
                                        name, "no record states the host's CPUs: give --cpus"));
    }

    private Subject subject(
            List<ShardWindow> windows,
            List<HostReport> hosts,
            Optional<CpuLimit.Quota> quota,
            int allowedCpus) {
        return new Subject(
                windows,
                hosts,
                quota,
                allowedCpus,
                reservedCores.map(OptionalDouble::of).orElse(OptionalDouble.empty()),
                timeoutMs.map(ms -> new ClientPolicy(ms * MS_US, retries)),
                sloMs.map(ms -> new LatencyObjective(ms * MS_US, true))
                        .orElse(LatencyObjective.ASSUMED),
                kappa.map(value -> new Kappa(value, true)).orElse(Kappa.PRIOR),
                kernel.or(
                        () -> hosts.stream().map(host -> host.shape().kernelRelease()).findFirst()),
                bandwidthSliceUs.map(OptionalLong::of).orElse(OptionalLong.empty()),
                deadShard);
    }
}
