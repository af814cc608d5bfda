package io.quotascope.domain.window;

import io.quotascope.domain.histogram.BetweenShards;
import io.quotascope.domain.histogram.BucketTally;
import io.quotascope.domain.histogram.RatioLayout;
import io.quotascope.domain.histogram.RunnableLayout;
import io.quotascope.domain.histogram.SecondOrderSums;
import io.quotascope.domain.histogram.ThreadsLayout;
import io.quotascope.domain.histogram.UsageLayout;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * The sums of one service, quota class and minute under construction. Records, host statements and
 * other sums may come in any order and grouping: the result is the same. Records must have passed
 * {@link Validation}. Not for two threads at once.
 */
public final class ServiceAccumulator {
    private final ServiceKey key;
    private final long windowStartUs;
    private Bandwidth bandwidth = Bandwidth.NONE;
    private Reporting reporting = Reporting.ZERO;
    private SamplingSums sampling = SamplingSums.ZERO;
    private UsageSums usage = UsageSums.ZERO;
    private ThrottlingSums throttling = ThrottlingSums.ZERO;
    private ThreadSums threads = ThreadSums.ZERO;
    private Exemplars exemplars = Exemplars.NONE;
    private boolean runnableStated;
    private final BucketTally usageTally = new BucketTally();
    private final BucketTally usedCoresTally = new BucketTally();
    private final BucketTally throttledRatioTally = new BucketTally();
    private final BucketTally threadsTally = new BucketTally();
    private final BucketTally runnableTally = new BucketTally();
    private final SecondOrderSums secondOrder = new SecondOrderSums();
    private final BetweenShards betweenShards = new BetweenShards();
    private final WorstShards worstShards = new WorstShards();
    private final Map<String, Long> kernelHostWindows = new TreeMap<>();

    /**
     * Sums over nothing.
     *
     * @throws IllegalArgumentException when the start is not the start of a minute
     */
    public ServiceAccumulator(ServiceKey key, long windowStartUs) {
        if (WindowPart.minuteOf(windowStartUs) != windowStartUs) {
            throw new IllegalArgumentException("not the start of a minute: " + windowStartUs);
        }
        this.key = key;
        this.windowStartUs = windowStartUs;
    }

    /** Sums that begin as a copy. */
    public static ServiceAccumulator of(ServiceSums sums) {
        ServiceAccumulator accumulator = new ServiceAccumulator(sums.key(), sums.windowStartUs());
        accumulator.merge(sums);
        return accumulator;
    }

    /** Adds a record of one shard. */
    public void add(ShardWindow window) {
        requireMinute(window.windowStartUs());
        bandwidth = bandwidth.least(window.bandwidth().ofClass());
        reporting = reporting.plusRecord(WindowPart.slotOf(window.windowStartUs()));
        sampling = sampling.plus(window.sampling());
        usage = usage.plus(window.usage());
        throttling = throttling.plus(window.throttling());
        threads = threads.plus(window.threads());
        exemplars = exemplars.plus(window);
        addDistributions(window);
        secondOrder.addPacked(window.usage().secondOrder());
        betweenShards.addRecord(window.usage().usageUs());
        worstShards.add(window);
    }

    private void addDistributions(ShardWindow window) {
        usageTally.addPacked(window.usage().histogram(), UsageLayout.V1);
        usedCoresTally.add(UsageLayout.bucket(window.usage().usageUs(), WindowPart.WINDOW_US), 1);
        OptionalLong periods = window.throttling().periods();
        if (periods.isPresent() && periods.getAsLong() > 0) {
            long throttled = window.throttling().throttledPeriods().orElse(0);
            throttledRatioTally.add(RatioLayout.bucket(throttled, periods.getAsLong()), 1);
        }
        if (window.threads().isPresent()) {
            threadsTally.add(ThreadsLayout.bucket(window.threads().getAsLong()), 1);
        }
        if (window.runnableHistogram().isPresent()) {
            runnableStated = true;
            runnableTally.addPacked(window.runnableHistogram().get(), RunnableLayout.INSTANCE);
        }
    }

    /** Adds what one host says about this service and class in one window of 10 s. */
    public void add(HostStatement statement) {
        requireMinute(statement.windowStartUs());
        bandwidth = bandwidth.least(statement.bandwidth().ofClass());
        if (statement.first()) {
            reporting = reporting.plusFirst(statement.shardRecords());
            return;
        }
        reporting =
                reporting.plusHost(
                        WindowPart.slotOf(statement.windowStartUs()), statement.shardRecords());
        kernelHostWindows.merge(statement.kernelRelease(), 1L, Saturating::plus);
    }

    /** Adds sums of the same service, class and minute, whatever their part. */
    public void merge(ServiceSums other) {
        if (!key.equals(other.key())) {
            throw new IllegalArgumentException(other.key() + " does not belong to " + key);
        }
        requireMinute(other.windowStartUs());
        bandwidth = bandwidth.least(other.bandwidth());
        reporting = reporting.plus(other.reporting());
        sampling = sampling.plus(other.sampling());
        usage = usage.plus(other.usage());
        throttling = throttling.plus(other.throttling());
        threads = threads.plus(other.threads());
        exemplars = exemplars.plus(other.exemplars());
        mergeDistributions(other.distributions());
        secondOrder.add(other.secondOrder());
        betweenShards.add(other.betweenShards());
        other.worstShards().forEach(worstShards::add);
        other.kernelHostWindows()
                .forEach(
                        (kernel, count) ->
                                kernelHostWindows.merge(kernel, count, Saturating::plus));
    }

    private void mergeDistributions(Distributions other) {
        usageTally.add(other.usage());
        usedCoresTally.add(other.usedCores());
        throttledRatioTally.add(other.throttledRatio());
        other.threads().ifPresent(threadsTally::add);
        if (other.runnable().isPresent()) {
            runnableStated = true;
            runnableTally.add(other.runnable().get());
        }
    }

    /** Adds what another accumulator holds. */
    public void merge(ServiceAccumulator other) {
        merge(other.toServiceSums());
    }

    /** What the sums are about. */
    public ServiceKey key() {
        return key;
    }

    /** Start of the minute, microseconds since the Unix epoch. */
    public long windowStartUs() {
        return windowStartUs;
    }

    /** The sums so far; later additions do not change them. */
    public ServiceSums toServiceSums() {
        return new ServiceSums(
                key,
                windowStartUs,
                bandwidth,
                reporting,
                sampling,
                usage,
                throttling,
                threads,
                new Distributions(
                        usageTally.toCounts(),
                        usedCoresTally.toCounts(),
                        throttledRatioTally.toCounts(),
                        threads.records() == 0
                                ? Optional.empty()
                                : Optional.of(threadsTally.toCounts()),
                        runnableStated ? Optional.of(runnableTally.toCounts()) : Optional.empty()),
                secondOrder.copy(),
                betweenShards.copy(),
                worstShards.toList(),
                new TreeMap<>(kernelHostWindows),
                exemplars);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ServiceAccumulator that
                && toServiceSums().equals(that.toServiceSums());
    }

    @Override
    public int hashCode() {
        return toServiceSums().hashCode();
    }

    private void requireMinute(long startUs) {
        if (WindowPart.minuteOf(startUs) != windowStartUs) {
            throw new IllegalArgumentException(
                    startUs + " does not lie in the minute of " + windowStartUs);
        }
    }
}
