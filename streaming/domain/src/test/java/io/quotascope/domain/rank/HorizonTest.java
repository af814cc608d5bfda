package io.quotascope.domain.rank;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.quotascope.domain.fleet.CatalogView;
import io.quotascope.domain.window.Bandwidth;
import io.quotascope.domain.window.HardwareCounters;
import io.quotascope.domain.window.Placement;
import io.quotascope.domain.window.ServiceAccumulator;
import io.quotascope.domain.window.ServiceSums;
import io.quotascope.domain.window.ShardWindow;
import io.quotascope.domain.window.WindowFixture;
import io.quotascope.domain.window.WindowPart;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class HorizonTest {
    private static final CatalogView NO_CATALOG = CatalogView.without(1);

    /**
     * A minute of some shards with 4 cores, one record each, whose samples all lie in one bucket.
     */
    private static ServiceSums minute(int number, int shards, int bucket, long throttledPeriods) {
        long startUs = WindowFixture.MINUTE_US + number * WindowPart.MINUTE_US;
        ServiceAccumulator accumulator = null;
        for (int shard = 0; shard < shards; shard++) {
            ShardWindow sound = WindowFixture.window(shard);
            ShardWindow window =
                    new ShardWindow(
                            sound.sender(),
                            sound.origin(),
                            sound.cluster(),
                            sound.service(),
                            sound.shard(),
                            sound.shardId(),
                            startUs,
                            WindowFixture.sampling(1000),
                            WindowFixture.usage(
                                    1_000_000, WindowFixture.samples(Map.of(bucket, 1000L))),
                            Bandwidth.of(400_000, 100_000),
                            OptionalLong.empty(),
                            Bandwidth.NONE,
                            WindowFixture.throttling(
                                    100, throttledPeriods, throttledPeriods * 1000),
                            OptionalLong.of(4),
                            Optional.empty(),
                            Optional.empty(),
                            HardwareCounters.ABSENT,
                            Optional.empty(),
                            Placement.ABSENT);
            if (accumulator == null) {
                accumulator = new ServiceAccumulator(window.key(), startUs);
            }
            accumulator.add(window);
        }
        return accumulator.toServiceSums();
    }

    private static TreeMap<Long, ServiceSums> horizon(ServiceSums... minutes) {
        TreeMap<Long, ServiceSums> horizon = new TreeMap<>();
        for (ServiceSums minute : minutes) {
            horizon.put(minute.windowStartUs(), minute);
        }
        return horizon;
    }

    private static TuningRank judged(TreeMap<Long, ServiceSums> horizon) {
        return TuningRank.judge(horizon, 0, NO_CATALOG, RankPolicy.DEFAULT);
    }

    @Example
    void reclaimableCoresAreTheMedianOfTheMinutes() {
        // bucket 82 = 1.03125 cores, 102 = 2.5625, 50 = 0.2578125; reserved 4, ceiling 0.8, one
        // shard:
        // 4 - 1.2890625 = 2.7109375; 4 - 3.203125 = 0.796875; 4 - 0.322265625 = 3.677734375
        TuningRank rank =
                judged(horizon(minute(0, 1, 82, 0), minute(1, 1, 102, 0), minute(2, 1, 50, 0)));
        assertThat(rank.verdict()).isEqualTo(TuningVerdict.GIVE_BACK);
        ReclaimableCores cores = rank.reclaimable().orElseThrow();
        assertThat(cores.median()).isCloseTo(2.7109375, within(1e-12));
        assertThat(cores.low()).isCloseTo(0.796875, within(1e-12));
        assertThat(cores.high()).isCloseTo(3.677734375, within(1e-12));
        assertThat(rank.score()).isEqualTo(cores.median());
        assertThat(rank.horizonWindows()).isEqualTo(3);
        assertThat(rank.horizonUs()).isEqualTo(600_000_000);
    }

    @Example
    void theShardsOfAHorizonAreNotAddedUp() {
        TuningRank rank = judged(horizon(minute(0, 2, 82, 0), minute(1, 3, 82, 0)));
        assertThat(rank.scope().shards()).isEqualTo(3);
        assertThat(rank.scope().windowStartUs())
                .isEqualTo(WindowFixture.MINUTE_US + WindowPart.MINUTE_US);
    }

    @Example
    void ratiosComeFromSumsOverTheHorizon() {
        // 50 of 100 in one minute, 0 of 300 in the other: 50 / 400, not the mean of 0.5 and 0
        TuningRank rank = judged(horizon(minute(0, 1, 82, 50), minute(1, 3, 82, 0)));
        assertThat(rank.evidence().throttledPeriodRatio()).hasValue(0.125);
        assertThat(rank.verdict()).isEqualTo(TuningVerdict.THROTTLED);
        // a mean of 0.1 of 4 cores was used, the rest of the throttled share stood idle
        assertThat(rank.score()).isCloseTo(4.0 * 3 * 0.125 * (1 - 0.025), within(1e-12));
        assertThat(rank.reclaimable()).isEmpty();
        assertThat(rank.worstShards()).startsWith("shard-0").hasSize(3);
    }

    @Property
    void moreThrottlingNeverRanksLower(@ForAll @IntRange(min = 1, max = 99) int percent) {
        TuningRank less = judged(horizon(minute(0, 3, 82, percent)));
        TuningRank more = judged(horizon(minute(0, 3, 82, percent + 1)));
        assertThat(less.verdict()).isEqualTo(TuningVerdict.THROTTLED);
        assertThat(more.score()).isGreaterThan(less.score());
    }

    @Property
    void everyVerdictSaysWhy(
            @ForAll @IntRange(min = 1, max = 4) int shards,
            @ForAll @IntRange(max = 226) int bucket,
            @ForAll @IntRange(max = 100) int throttled) {
        TuningRank rank = judged(horizon(minute(0, shards, bucket, throttled)));
        assertThat(rank.reasons())
                .isNotEmpty()
                .allSatisfy(reason -> assertThat(reason).isNotBlank());
        assertThat(rank.score()).isNotNegative().isFinite();
        assertThat(rank.reclaimable().isPresent())
                .isEqualTo(rank.verdict() == TuningVerdict.GIVE_BACK);
    }

    @Example
    void aPolicyOutsideItsRangeIsRefused() {
        assertThatThrownBy(() -> new RankPolicy(0, 1, 0.01, 2, 0.8, 0.1, 0, 1, 250))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(
                        () ->
                                new RankPolicy(
                                        10, 1, 0.01, 2, Double.POSITIVE_INFINITY, 0.1, 0, 1, 250))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new RankPolicy(10, 1, 0, 2, 0.8, 0.1, 0, 1, 250))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
