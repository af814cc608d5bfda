package io.quotascope.domain.cfs.observed;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotascope.domain.cfs.CfsSimulator;
import io.quotascope.domain.cfs.CpuLimit;
import io.quotascope.domain.cfs.KernelRules;
import io.quotascope.domain.cfs.SimulationOutcome;
import io.quotascope.domain.cfs.SimulationSetup;
import io.quotascope.domain.cfs.TaskPlan;
import io.quotascope.domain.histogram.BucketCounts;
import io.quotascope.domain.histogram.RunnableLayout;
import io.quotascope.domain.histogram.SecondOrderSums;
import io.quotascope.domain.histogram.UsageLayout;
import io.quotascope.domain.window.ServiceSums;
import io.quotascope.domain.window.ShardWindow;
import io.quotascope.domain.window.Validation;
import java.math.BigInteger;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class ObservedWindowsTest {
    private static final ObservedShard SHARD = ObservedShard.of("checkout", 1, true);

    /**
     * One thread burns for ever under 30 ms per 100 ms: 30 ms of use, 70 ms throttled, 200 times.
     */
    private static final SimulationSetup BUSY =
            SimulationSetup.of(
                    2, new CpuLimit.Quota(30_000, 100_000, 0, 0), KernelRules.EXACT, 20_000_000);

    private static final SimulationOutcome OUTCOME =
            CfsSimulator.run(BUSY, List.of(TaskPlan.once(0, 1_000_000_000)));

    @Test
    void everyRecordPassesTheChecksOfARealOne() {
        assertThat(windows()).hasSize(2).allMatch(window -> Validation.of(window).isEmpty());
    }

    @Test
    void aBusyThreadUnderAQuotaLooksAsItMust() {
        ShardWindow second = windows().get(1);
        assertThat(second.usage().usageUs()).isEqualTo(100 * 30_000);
        BucketCounts usage = BucketCounts.unpack(second.usage().histogram(), UsageLayout.V1);
        // 3 of every 10 samples are one full core, 7 are idle.
        assertThat(usage.count(UsageLayout.bucket(1, 1))).isEqualTo(300);
        assertThat(usage.count(0)).isEqualTo(700);
        assertThat(second.usage().excursionSamples()).isEqualTo(OptionalLong.of(300));
        // Each of them is 10 ms - 3 ms above the quota.
        assertThat(second.usage().excursionUs()).isEqualTo(OptionalLong.of(300 * 7_000));
        assertThat(second.throttling().periods()).isEqualTo(OptionalLong.of(100));
        assertThat(second.throttling().throttledPeriods()).isEqualTo(OptionalLong.of(100));
        assertThat(second.throttling().throttledWallUs()).isEqualTo(OptionalLong.of(7_000_000));
        // The run goes on from the first window, whose last refill is the second's first.
        assertThat(second.throttling().throttledRuns()).isEqualTo(OptionalLong.of(1));
        assertThat(second.throttling().throttledRunPeriodsMax()).isEqualTo(OptionalLong.of(199));
        BucketCounts runnable =
                BucketCounts.unpack(
                        second.runnableHistogram().orElseThrow(), RunnableLayout.INSTANCE);
        assertThat(runnable.count(1)).isEqualTo(300);
        assertThat(runnable.total()).isEqualTo(300);
    }

    @Test
    void secondOrderSumsReachOverTheWindowsEdge() {
        SecondOrderSums second = SecondOrderSums.unpack(windows().get(1).usage().secondOrder());
        assertThat(second.samples()).isEqualTo(1_000);
        assertThat(second.sum()).isEqualTo(300 * 256);
        assertThat(second.pairs(0)).isEqualTo(1_000);
        assertThat(second.pairs(7)).isEqualTo(1_000);
        // One slice later: two of every three busy samples follow a busy one.
        assertThat(second.sumOfProducts(0)).isEqualTo(BigInteger.valueOf(200L * 256 * 256));
    }

    @Test
    void recordsOfAMinuteAddUp() {
        List<ServiceSums> sums = ObservedWindows.sums(windows());
        assertThat(sums).hasSize(1);
        assertThat(sums.get(0).usage().usageUs()).isEqualTo(OUTCOME.usageUs());
        assertThat(sums.get(0).reporting().completeness()).hasValue(1.0);
        assertThat(sums.get(0).throttling().periods()).isEqualTo(199);
        assertThat(sums.get(0).exemplars().drawn()).isPresent();
    }

    private static List<ShardWindow> windows() {
        return ObservedWindows.of(BUSY, OUTCOME, SHARD);
    }
}
