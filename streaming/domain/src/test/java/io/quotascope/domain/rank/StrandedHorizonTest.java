package io.quotascope.domain.rank;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quotascope.domain.histogram.BucketCounts;
import io.quotascope.domain.window.Bandwidth;
import io.quotascope.domain.window.SamplingSums;
import io.quotascope.domain.window.ThreadSums;
import io.quotascope.domain.window.ThrottlingSums;
import io.quotascope.domain.window.UsageSums;
import java.util.List;
import java.util.OptionalDouble;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;

/** Whether use explains throttling, worked by hand: ten minutes of shards with 30 of 100 ms. */
class StrandedHorizonTest {
    private static final int MINUTES = 10;
    private static final long QUOTA_US = 30_000;

    /**
     * @param lost records that hosts sent and that did not arrive
     */
    private static HorizonSums horizon(
            Bandwidth bandwidth, int shards, long throttledPeriods, long usageUs, long lost) {
        long records = shards * 60L - lost;
        return new HorizonSums(
                bandwidth,
                shards,
                records,
                records + lost,
                SamplingSums.ZERO,
                new UsageSums(usageUs, usageUs, 0, 0),
                new ThrottlingSums(
                        records, shards * 6_000L, throttledPeriods, 0, 0, 0, 0, 0, 0, 0, 0),
                ThreadSums.ZERO,
                BucketCounts.EMPTY,
                List.of());
    }

    private static OptionalDouble cores(HorizonSums horizon) {
        return StrandedHorizon.cores(horizon, MINUTES, MINUTES);
    }

    private static final Bandwidth QUOTA = Bandwidth.of(QUOTA_US, 100_000);

    /**
     * 20 shards, half of 6,000 periods each throttled, a fifth of the quota used: 60,000 - 40 x 100
     * periods hand out 1,680 s, 720 s were used, 0.03 + 40 x 128 x 0.015 = 76.83 s are allowed for.
     */
    @Example
    void whatNoUseAccountsForIsTheKernels() {
        HorizonSums victim = horizon(QUOTA, 20, 60_000, 720_000_000, 0);
        assertThat(cores(victim).orElseThrow())
                .isCloseTo((1_680 - 720 - 76.83) / 600, within(1e-9));
    }

    @Example
    void aBusyServiceThatIsThrottledHasUsedItsQuota() {
        assertThat(cores(horizon(QUOTA, 20, 60_000, 1_800_000_000, 0))).isEmpty();
    }

    @Example
    void lostRecordsAreAllowedFor() {
        assertThat(cores(horizon(QUOTA, 20, 60_000, 720_000_000, 400))).isEmpty();
    }

    @Example
    void withoutQuotaOrThrottlingThereIsNothingToExplain() {
        assertThat(cores(horizon(Bandwidth.unlimited(100_000), 20, 0, 1_000_000, 0))).isEmpty();
        assertThat(cores(horizon(QUOTA, 20, 0, 0, 0))).isEmpty();
    }

    /** On a sound kernel a throttled period has used its quota, so nobody is ever accused. */
    @Property
    void aKernelThatLosesNothingIsNeverAccused(
            @ForAll @LongRange(min = 0, max = 120_000) long throttledPeriods,
            @ForAll @LongRange(min = 0, max = 1_000_000_000) long besidesUs) {
        long usageUs = throttledPeriods * QUOTA_US + besidesUs;
        assertThat(cores(horizon(QUOTA, 20, throttledPeriods, usageUs, 0))).isEmpty();
    }
}
