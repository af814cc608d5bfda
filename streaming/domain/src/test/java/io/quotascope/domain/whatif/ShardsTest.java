package io.quotascope.domain.whatif;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class ShardsTest {
    @Test
    void mergedShardsHoldWhatIsSharedOnce() {
        // 2 GB each, of which 0.5 GB is alike: three in one hold 0.5 + 3 x 1.5 = 5 GB.
        ShardMemory memory = new ShardMemory(2_000_000_000L, 500_000_000L);
        assertThat(memory.merged(3)).isEqualTo(5_000_000_000L);
        assertThat(memory.merged(1)).isEqualTo(2_000_000_000L);
        // (8 - 0.5) / 1.5 = 5 shards fit in 8 GB.
        assertThat(memory.mergeable(8_000_000_000L)).isEqualTo(5);
        assertThat(memory.mergeable(1_000_000_000L)).isZero();
        assertThatThrownBy(() -> new ShardMemory(1, 2))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void deviationThatGrowsLikeTheLoadHasExponentOne() {
        assertThat(LoadExponent.fit(minutes(0.8)).orElseThrow())
                .isCloseTo(0.8, Offset.offset(1e-9));
        // Slower than independent arrivals is not believed, and never more than the load itself.
        assertThat(LoadExponent.fit(minutes(0.2)).orElseThrow()).isEqualTo(0.5);
        assertThat(LoadExponent.fit(minutes(1.5)).orElseThrow()).isEqualTo(1.0);
    }

    @Test
    void withoutASwingOfLoadThereIsNoExponent() {
        assertThat(LoadExponent.fit(minutes(0.8).subList(0, 20))).isEmpty();
        List<LoadExponent.Minute> steady = new ArrayList<>();
        for (int minute = 0; minute < 60; minute++) {
            steady.add(new LoadExponent.Minute(2 + 0.001 * minute, 1));
        }
        assertThat(LoadExponent.fit(steady)).isEmpty();
    }

    /** Load from 1 to 4 cores, deviation 0.5 x load^exponent. */
    private static List<LoadExponent.Minute> minutes(double exponent) {
        List<LoadExponent.Minute> minutes = new ArrayList<>();
        for (int minute = 0; minute <= 60; minute++) {
            double load = 1 + minute / 20.0;
            minutes.add(new LoadExponent.Minute(load, 0.5 * Math.pow(load, exponent)));
        }
        return minutes;
    }
}
