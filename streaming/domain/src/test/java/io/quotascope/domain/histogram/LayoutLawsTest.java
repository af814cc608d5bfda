package io.quotascope.domain.histogram;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;

class LayoutLawsTest {
    private static final long ELAPSED_NS = 10_000_000;

    @Property
    void usageLiesBetweenItsBucketsLowerEdgeAndTheNext(
            @ForAll @LongRange(min = 312_500, max = 5_119_999_999L) long usage) {
        int bucket = UsageLayout.bucket(usage, ELAPSED_NS);
        double cores = usage / (double) ELAPSED_NS;
        assertThat(cores).isGreaterThanOrEqualTo(UsageLayout.V1.lowerBound(bucket));
        assertThat(cores)
                .isLessThan(UsageLayout.V1.lowerBound(bucket + 1) + 1.0 / 512); // floor of 512ths
    }

    @Property
    void moreUsageIsNeverALowerBucket(
            @ForAll @LongRange(min = 0, max = 50_000_000_000L) long usage,
            @ForAll @LongRange(min = 0, max = 1_000_000) long more) {
        assertThat(UsageLayout.bucket(usage + more, ELAPSED_NS))
                .isGreaterThanOrEqualTo(UsageLayout.bucket(usage, ELAPSED_NS));
    }

    @Property
    void aUsageBucketIsAtMostOneSixteenthWide(@ForAll @IntRange(min = 2, max = 225) int bucket) {
        double lower = UsageLayout.V1.lowerBound(bucket);
        double width = UsageLayout.V1.lowerBound(bucket + 1) - lower;
        assertThat(width).isPositive().isLessThanOrEqualTo(lower / 16);
        // the middle is at most half a width away: 1/32 = 3.1 %
        assertThat(UsageLayout.V1.value(bucket)).isEqualTo(lower + width / 2);
    }

    @Property
    void threadsLieInTheirBucket(@ForAll @LongRange(min = 0, max = 1L << 40) long n) {
        int bucket = ThreadsLayout.bucket(n);
        assertThat(n).isGreaterThanOrEqualTo((long) ThreadsLayout.INSTANCE.lowerBound(bucket));
        assertThat(n).isLessThan((long) ThreadsLayout.INSTANCE.lowerBound(bucket + 1));
    }

    @Property
    void runnableThreadsLieInTheirBucket(@ForAll @LongRange(min = 0, max = 1023) long n) {
        int bucket = RunnableLayout.bucket(n);
        assertThat((double) n).isGreaterThanOrEqualTo(RunnableLayout.INSTANCE.lowerBound(bucket));
        assertThat((double) n).isLessThan(RunnableLayout.INSTANCE.lowerBound(bucket + 1));
    }

    @Property
    void ratiosLieInTheirHundredth(
            @ForAll @LongRange(min = 1, max = 1_000_000) long periods,
            @ForAll @LongRange(min = 1) long draw) {
        long throttled = 1 + Math.floorMod(draw, periods);
        int bucket = RatioLayout.bucket(throttled, periods);
        double ratio = throttled / (double) periods;
        assertThat(ratio).isGreaterThanOrEqualTo(RatioLayout.INSTANCE.lowerBound(bucket) - 1e-12);
        assertThat(Math.abs(ratio - RatioLayout.INSTANCE.value(bucket)))
                .isLessThanOrEqualTo(0.005 + 1e-12);
    }

    @Example
    void theLargestCountHasABucket() {
        assertThat(ThreadsLayout.bucket(Long.MAX_VALUE))
                .isEqualTo(ThreadsLayout.INSTANCE.bucketCount() - 1);
        assertThat(RunnableLayout.bucket(Long.MAX_VALUE)).isEqualTo(15);
    }

    @Example
    void whatIsNoMeasurementIsRefused() {
        assertThatThrownBy(() -> UsageLayout.bucket(-1, 1))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> UsageLayout.bucket(1, 0))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> UsageLayout.bucket(Long.MAX_VALUE, 1))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> ThreadsLayout.bucket(-1))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> RunnableLayout.bucket(-1))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> RatioLayout.bucket(1, 0))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> RatioLayout.bucket(-1, 1))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
