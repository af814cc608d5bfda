package io.quotascope.domain.cfs.observed;

import io.quotascope.domain.cfs.CpuLimit;
import io.quotascope.domain.cfs.TraceSample;
import io.quotascope.domain.histogram.BucketTally;
import io.quotascope.domain.histogram.LaggedSamples;
import io.quotascope.domain.histogram.PackedBytes;
import io.quotascope.domain.histogram.RunnableLayout;
import io.quotascope.domain.histogram.UsageLayout;
import io.quotascope.domain.window.UsageReading;
import java.util.Optional;
import java.util.OptionalLong;

/** The samples of one window of 10 s. */
final class WindowTally {
    private final Optional<CpuLimit.Quota> quota;
    private final long sampleUs;
    private final BucketTally usage = new BucketTally();
    private final BucketTally runnable = new BucketTally();
    private final byte[] exemplar;
    private int samples;
    private long usageUs;
    private long throttledWallUs;
    private long excursionSamples;
    private long excursionScaled;

    WindowTally(Optional<CpuLimit.Quota> quota, long sampleUs, int samplesPerWindow) {
        this.quota = quota;
        this.sampleUs = sampleUs;
        exemplar = new byte[samplesPerWindow];
    }

    void add(TraceSample sample, long slot, LaggedSamples lagged) {
        int bucket = UsageLayout.bucket(sample.usageUs(), sampleUs);
        usage.add(bucket, 1);
        exemplar[samples++] = (byte) bucket;
        usageUs += sample.usageUs();
        throttledWallUs += sample.throttledWallUs();
        lagged.add(slot, LaggedSamples.rate(sample.usageUs(), sampleUs));
        // Runnable threads are stated for unthrottled time only.
        if (sample.throttledWallUs() == 0) {
            long threads = (2 * sample.runnableUs() + sampleUs) / (2 * sampleUs);
            runnable.add(RunnableLayout.bucket(threads), 1);
        }
        quota.ifPresent(limit -> addExcursion(sample.usageUs(), limit));
    }

    private void addExcursion(long usedUs, CpuLimit.Quota limit) {
        long beyond = usedUs * limit.periodUs() - limit.quotaUs() * sampleUs;
        if (beyond > 0) {
            excursionSamples++;
            excursionScaled += beyond;
        }
    }

    int samples() {
        return samples;
    }

    long usageUs() {
        return usageUs;
    }

    long throttledWallUs() {
        return throttledWallUs;
    }

    UsageReading reading(PackedBytes secondOrder) {
        return new UsageReading(
                usageUs,
                usageUs,
                UsageLayout.VERSION,
                usage.toCounts().pack(),
                quota.isEmpty() ? OptionalLong.empty() : OptionalLong.of(excursionSamples),
                quota.isEmpty()
                        ? OptionalLong.empty()
                        : OptionalLong.of(excursionScaled / quota.get().periodUs()),
                secondOrder);
    }

    PackedBytes runnableHistogram() {
        return runnable.toCounts().pack();
    }

    PackedBytes exemplar() {
        return PackedBytes.of(exemplar);
    }
}
