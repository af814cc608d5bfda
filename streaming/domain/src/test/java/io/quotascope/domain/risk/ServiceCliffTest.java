package io.quotascope.domain.risk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.quotascope.domain.risk.ServiceCliff.Redistribution;
import java.util.Arrays;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;

class ServiceCliffTest {
    private static final Multiple SHARD = new Multiple(2, 1.5, 3, false);

    @Example
    void evenLoadCollapsesAsOne() {
        ServiceCliff cliff = ServiceCliff.of(SHARD, new double[] {1, 1, 1}, Redistribution.EJECT);
        assertThat(cliff.hottestShard().value()).isEqualTo(2);
        assertThat(cliff.service().value()).isCloseTo(2, withinPercentage(0.1));
        assertThat(cliff.gainFromBalancing()).isCloseTo(1, within(0.001));
    }

    /**
     * Loads 1.5, 0.75, 0.75, a shard breaks at 1. The hottest breaks at 1 / 1.5 = 0.667. Its load
     * on two others makes 0.75 + 0.75 = 1.5 each, so they break at 0.667 too: everything goes at
     * once.
     */
    @Example
    void anEjectedShardTakesTheOthersAlong() {
        double[] loads = {1.5, 0.75, 0.75};
        ServiceCliff cliff = ServiceCliff.of(SHARD, loads, Redistribution.EJECT);
        assertThat(cliff.hottestShard().value()).isCloseTo(2 / 1.5, within(1e-9));
        assertThat(cliff.service().value()).isCloseTo(2 / 1.5, withinPercentage(0.1));
        assertThat(cliff.gainFromBalancing()).isCloseTo(1.5, withinPercentage(0.1));
    }

    /**
     * Ten shards, one with 1.9, nine with 0.9. The hottest breaks at 0.526. Ejected, each of nine
     * carries 0.9 + 1.9 / 9 = 1.111 and breaks at 0.9: the service outlives its hottest shard.
     */
    @Example
    void manyShardsCarryTheLoadOfOne() {
        double[] loads = new double[10];
        Arrays.fill(loads, 0.9);
        loads[4] = 1.9;
        ServiceCliff cliff = ServiceCliff.of(SHARD, loads, Redistribution.EJECT);
        assertThat(cliff.hottestShard().value()).isCloseTo(2 / 1.9, within(1e-9));
        assertThat(cliff.service().value()).isCloseTo(2 * 0.9, withinPercentage(0.1));
    }

    /**
     * Loads 1.9 and nine of 0.9 again, but nobody moves: 19 % are lost at 0.526, the rest at 1 /
     * 0.9.
     */
    @Example
    void loadThatStaysIsLostShardByShard() {
        double[] loads = new double[10];
        Arrays.fill(loads, 0.9);
        loads[0] = 1.9;
        ServiceCliff cliff = ServiceCliff.of(SHARD, loads, Redistribution.STAY);
        // The search ends at the mean load's own cliff, 1; the nine break at 1.111.
        assertThat(cliff.service().value()).isCloseTo(2.0, withinPercentage(0.1));
    }

    @Property(tries = 200)
    void noServiceOutlivesItsMeanNorDiesBeforeItsHottestShard(
            @ForAll @IntRange(min = 1, max = 60) int shards,
            @ForAll @DoubleRange(min = 0, max = 0.8) double deviation) {
        double[] loads = ServiceCliff.logNormalLoads(shards, deviation);
        assertThat(Arrays.stream(loads).average().orElseThrow()).isCloseTo(1, within(1e-9));
        for (Redistribution redistribution : Redistribution.values()) {
            ServiceCliff cliff = ServiceCliff.of(SHARD, loads, redistribution);
            assertThat(cliff.gainFromBalancing()).isGreaterThanOrEqualTo(1 - 1e-3);
            assertThat(cliff.service().value())
                    .isGreaterThanOrEqualTo(cliff.hottestShard().value() * (1 - 1e-3));
        }
    }
}
