package io.quotascope.domain.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quotascope.domain.load.ServiceLoad.Failures;
import io.quotascope.domain.window.Origin;
import java.util.List;
import java.util.OptionalLong;
import net.jqwik.api.Example;

class LatencyCountsTest {
    private static final LatencyCounts COUNTS =
            new LatencyCounts(List.of(1_000L, 5_000L, 10_000L), List.of(50L, 40L, 9L, 1L));

    @Example
    void aQuantileLiesInItsBucketInProportion() {
        // rank 50 of 100 ends the first bucket; rank 90 the second; rank 99 the third
        assertThat(COUNTS.quantileUs(500)).hasValue(1_000);
        assertThat(COUNTS.quantileUs(700)).hasValue(1_000 + 20 / 40.0 * 4_000);
        assertThat(COUNTS.quantileUs(900)).hasValue(5_000);
        assertThat(COUNTS.quantileUs(990)).hasValue(10_000);
    }

    @Example
    void theOpenBucketHasNoBoundAndNothingHasNoQuantile() {
        assertThat(COUNTS.quantileUs(999)).isEmpty();
        assertThat(LatencyCounts.NONE.quantileUs(500)).isEmpty();
    }

    @Example
    void equalBucketsAddAndDifferentOnesDoNot() {
        assertThat(COUNTS.plus(COUNTS).requests()).containsExactly(100L, 80L, 18L, 2L);
        assertThat(COUNTS.plus(LatencyCounts.NONE)).isEqualTo(COUNTS);
        assertThat(LatencyCounts.NONE.plus(COUNTS)).isEqualTo(COUNTS);
        LatencyCounts other = new LatencyCounts(List.of(2_000L), List.of(1L, 1L));
        assertThatThrownBy(() -> COUNTS.plus(other)).hasMessageContaining("buckets differ");
    }

    @Example
    void bucketsThatMakeNoSenseAreRefused() {
        assertThatThrownBy(() -> new LatencyCounts(List.of(5L, 5L), List.of(1L, 1L, 1L)))
                .hasMessageContaining("must rise");
        assertThatThrownBy(() -> new LatencyCounts(List.of(5L), List.of(1L)))
                .hasMessageContaining("one count more");
        assertThatThrownBy(() -> new LatencyCounts(List.of(5L), List.of(1L, -1L)))
                .hasMessageContaining("must not be negative");
        assertThatThrownBy(() -> load(61_000_000L, 1)).hasMessageContaining("full minute");
        assertThatThrownBy(() -> load(60_000_000L, -1)).hasMessageContaining("negative");
        assertThatThrownBy(
                        () ->
                                new Failures(
                                        OptionalLong.of(-1),
                                        OptionalLong.empty(),
                                        OptionalLong.empty()))
                .hasMessageContaining("must not be negative");
    }

    private static ServiceLoad load(long windowStartUs, long requests) {
        return new ServiceLoad(
                Origin.MEASURED,
                "c",
                "s",
                windowStartUs,
                "csv",
                requests,
                Failures.NOT_COUNTED,
                COUNTS,
                1);
    }
}
