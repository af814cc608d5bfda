package io.quotascope.domain.threads;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotascope.domain.threads.ThreadAdvice.Evidence;
import io.quotascope.domain.threads.ThreadAdvice.Step;
import io.quotascope.domain.threads.ThreadAdvice.Thresholds;
import io.quotascope.domain.window.ExcursionThread;
import java.util.List;
import java.util.OptionalDouble;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;

class ThreadAdviceTest {
    private static ThreadAdvice measured(double ratio, double utilization, double throttled) {
        return ThreadAdvice.of(
                new Evidence(
                        OptionalDouble.of(ratio),
                        OptionalDouble.empty(),
                        OptionalDouble.empty(),
                        OptionalDouble.of(utilization),
                        OptionalDouble.of(throttled),
                        List.of()),
                Thresholds.DEFAULT);
    }

    private static ThreadAdvice bounded(double low, double high) {
        return ThreadAdvice.of(
                new Evidence(
                        OptionalDouble.empty(),
                        OptionalDouble.of(low),
                        OptionalDouble.of(high),
                        OptionalDouble.of(0.5),
                        OptionalDouble.of(0.2),
                        List.of()),
                Thresholds.DEFAULT);
    }

    @Example
    void everyThresholdHasItsStep() {
        assertThat(measured(1.0, 0.9, 0).step()).isEqualTo(Step.NONE);
        assertThat(measured(1.4, 0.9, 0.5).step()).isEqualTo(Step.WATCH);
        assertThat(measured(1.8, 0.2, 0.005).step()).isEqualTo(Step.WATCH);
        assertThat(measured(1.8, 0.5, 0).step()).isEqualTo(Step.SHRINK_LARGEST_POOL);
        assertThat(measured(1.8, 0.2, 0.02).step()).isEqualTo(Step.SHRINK_LARGEST_POOL);
        assertThat(measured(2.1, 0, 0).step()).isEqualTo(Step.SHRINK_TO_RESERVATION);
        assertThat(measured(5.1, 0, 0).step()).isEqualTo(Step.REVIEW_DEFAULTS);
        assertThat(measured(5.1, 0, 0).reason())
                .isEqualTo("5.1 runnable threads per reserved core (99th percentile)");
    }

    @Example
    void boundsThatDisagreeGiveNoAdvice() {
        assertThat(bounded(0.8, 40).step()).isEqualTo(Step.UNKNOWN);
        assertThat(bounded(0.8, 40).reason())
                .isEqualTo(
                        "runnable threads are not measured; between 0.8 and 40.0 per reserved core");
        assertThat(bounded(0.2, 0.9).step()).isEqualTo(Step.NONE);
        assertThat(bounded(6, 40).step()).isEqualTo(Step.REVIEW_DEFAULTS);
    }

    @Example
    void withoutBoundsNothingIsKnown() {
        ThreadAdvice advice =
                ThreadAdvice.of(
                        new Evidence(
                                OptionalDouble.empty(),
                                OptionalDouble.empty(),
                                OptionalDouble.of(3),
                                OptionalDouble.empty(),
                                OptionalDouble.empty(),
                                List.of()),
                        Thresholds.DEFAULT);
        assertThat(advice.step()).isEqualTo(Step.UNKNOWN);
        assertThat(advice.poolsMeasured()).isFalse();
    }

    @Example
    void poolsAreNamedByWhatTheyUsedAboveTheQuota() {
        ThreadAdvice advice =
                ThreadAdvice.of(
                        new Evidence(
                                OptionalDouble.of(3),
                                OptionalDouble.empty(),
                                OptionalDouble.empty(),
                                OptionalDouble.empty(),
                                OptionalDouble.empty(),
                                List.of(
                                        new ExcursionThread("gc-#", 10),
                                        new ExcursionThread("worker-#", 900))),
                        Thresholds.DEFAULT);
        assertThat(advice.pools()).containsExactly("worker-#", "gc-#");
        assertThat(advice.poolsMeasured()).isTrue();
    }

    @Property(tries = 300)
    void moreThreadsNeverGetMilderAdvice(
            @ForAll @DoubleRange(min = 0, max = 10) double ratio,
            @ForAll @DoubleRange(min = 0, max = 5) double more,
            @ForAll @DoubleRange(min = 0, max = 1) double utilization) {
        assertThat(measured(ratio + more, utilization, 0).step().ordinal())
                .isGreaterThanOrEqualTo(measured(ratio, utilization, 0).step().ordinal());
    }
}
