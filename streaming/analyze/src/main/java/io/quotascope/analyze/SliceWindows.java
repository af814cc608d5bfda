package io.quotascope.analyze;

import io.quotascope.domain.cfs.CpuLimit;
import io.quotascope.domain.histogram.BucketTally;
import io.quotascope.domain.histogram.LaggedSamples;
import io.quotascope.domain.histogram.PackedBytes;
import io.quotascope.domain.histogram.RunnableLayout;
import io.quotascope.domain.histogram.UsageLayout;
import io.quotascope.domain.window.Bandwidth;
import io.quotascope.domain.window.HardwareCounters;
import io.quotascope.domain.window.Origin;
import io.quotascope.domain.window.Placement;
import io.quotascope.domain.window.Sampling;
import io.quotascope.domain.window.SamplingMethod;
import io.quotascope.domain.window.Sender;
import io.quotascope.domain.window.ShardWindow;
import io.quotascope.domain.window.ThrottlingCounters;
import io.quotascope.domain.window.UsageReading;
import io.quotascope.domain.window.WindowPart;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;

/** Slices of a foreign file as the windows of 10 s that a collector would have sent. */
final class SliceWindows {
    private static final long US_NS = 1_000;

    private final ForeignService service;
    private final int perWindow;
    private final LaggedSamples lagged = new LaggedSamples();

    private SliceWindows(ForeignService service) {
        this.service = service;
        perWindow = (int) (WindowPart.WINDOW_US / service.sampleUs());
    }

    /** All windows, oldest first; the last one may be shorter. */
    static List<ShardWindow> of(List<Slice> slices, ForeignService service) {
        SliceWindows windows = new SliceWindows(service);
        List<ShardWindow> made = new ArrayList<>();
        int from = 0;
        while (from < slices.size()) {
            long number = slices.get(from).slot() / windows.perWindow;
            int to = from;
            while (to < slices.size() && slices.get(to).slot() / windows.perWindow == number) {
                to++;
            }
            made.add(windows.window(number, slices.subList(from, to), to == slices.size()));
            from = to;
        }
        return made;
    }

    private ShardWindow window(long number, List<Slice> slices, boolean last) {
        long planned = last ? slices.get(slices.size() - 1).slot() % perWindow + 1 : perWindow;
        return new ShardWindow(
                new Sender("file", 1, number),
                Origin.REPLAYED,
                "file",
                service.name(),
                service.name(),
                service.name().hashCode(),
                number * WindowPart.WINDOW_US,
                new Sampling(
                        (int) service.sampleUs(),
                        slices.size(),
                        (int) (planned - slices.size()),
                        0,
                        SamplingMethod.REPLAY),
                usage(slices),
                service.quota()
                        .map(quota -> Bandwidth.of(quota.quotaUs(), quota.periodUs()))
                        .orElse(Bandwidth.unlimited(100_000)),
                OptionalLong.of(service.quota().map(CpuLimit.Quota::burstUs).orElse(0L)),
                Bandwidth.NONE,
                throttling(slices),
                service.threads(),
                runnable(slices),
                exemplar(slices),
                HardwareCounters.ABSENT,
                Optional.empty(),
                placement());
    }

    private UsageReading usage(List<Slice> slices) {
        BucketTally tally = new BucketTally();
        long usageNs = 0;
        long beyondSamples = 0;
        double beyondNs = 0;
        for (Slice slice : slices) {
            tally.add(UsageLayout.bucket(slice.usageNs(), slice.elapsedNs()), 1);
            lagged.add(slice.slot(), LaggedSamples.rate(slice.usageNs(), slice.elapsedNs()));
            usageNs += slice.usageNs();
            if (service.quota().isPresent()) {
                CpuLimit.Quota quota = service.quota().get();
                double beyond =
                        slice.usageNs()
                                - slice.elapsedNs() * (double) quota.quotaUs() / quota.periodUs();
                beyondSamples += beyond > 0 ? 1 : 0;
                beyondNs += Math.max(0, beyond);
            }
        }
        boolean limited = service.quota().isPresent();
        return new UsageReading(
                usageNs / US_NS,
                usageNs / US_NS,
                UsageLayout.VERSION,
                tally.toCounts().pack(),
                limited ? OptionalLong.of(beyondSamples) : OptionalLong.empty(),
                limited ? OptionalLong.of((long) (beyondNs / US_NS)) : OptionalLong.empty(),
                lagged.take());
    }

    private ThrottlingCounters throttling(List<Slice> slices) {
        return new ThrottlingCounters(
                sum(slices, Slice::periods),
                sum(slices, Slice::throttledPeriods),
                sum(slices, Slice::throttledUs),
                OptionalLong.empty(),
                OptionalLong.empty(),
                OptionalLong.empty(),
                OptionalLong.empty(),
                OptionalLong.empty());
    }

    /** Known only when every slice knows it. */
    private static OptionalLong sum(List<Slice> slices, Function<Slice, OptionalLong> counter) {
        long sum = 0;
        for (Slice slice : slices) {
            OptionalLong value = counter.apply(slice);
            if (value.isEmpty()) {
                return OptionalLong.empty();
            }
            sum += value.getAsLong();
        }
        return OptionalLong.of(sum);
    }

    private static Optional<PackedBytes> runnable(List<Slice> slices) {
        BucketTally tally = new BucketTally();
        for (Slice slice : slices) {
            slice.runnableThreads()
                    .ifPresent(threads -> tally.add(RunnableLayout.bucket(threads), 1));
        }
        return tally.total() == 0 ? Optional.empty() : Optional.of(tally.toCounts().pack());
    }

    /** An exemplar states every sample of its window; one with holes would shift time. */
    private Optional<PackedBytes> exemplar(List<Slice> slices) {
        if (slices.size() != perWindow) {
            return Optional.empty();
        }
        byte[] buckets = new byte[perWindow];
        for (int sample = 0; sample < perWindow; sample++) {
            Slice slice = slices.get(sample);
            buckets[sample] = (byte) UsageLayout.bucket(slice.usageNs(), slice.elapsedNs());
        }
        return Optional.of(PackedBytes.of(buckets));
    }

    private Placement placement() {
        return new Placement(
                Bandwidth.NONE,
                OptionalLong.empty(),
                OptionalLong.empty(),
                OptionalLong.empty(),
                OptionalLong.of(service.hostCpus()),
                OptionalLong.empty());
    }
}
