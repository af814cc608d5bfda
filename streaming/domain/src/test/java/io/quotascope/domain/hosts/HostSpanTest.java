package io.quotascope.domain.hosts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import java.util.function.Consumer;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

class HostSpanTest {
    private static final long HOUR_MS = HostFixture.HOUR_US / 1000;

    private static List<Consumer<HostSpan>> records() {
        List<Consumer<HostSpan>> records = new ArrayList<>();
        for (int window = 0; window < 30; window++) {
            for (int shard = 0; shard < 3; shard++) {
                HostFixture fixture = new HostFixture();
                fixture.window = window;
                fixture.shardId = shard;
                fixture.epoch = window < 20 ? 7 : 8;
                fixture.throttledPeriods = (window * 7 + shard) % 100;
                records.add(span -> span.add(fixture.shard(), OptionalLong.of(1)));
            }
            HostFixture fixture = new HostFixture();
            fixture.window = window;
            fixture.epoch = window < 20 ? 7 : 8;
            fixture.kernel = window < 20 ? "4.14.90" : "6.1.0";
            fixture.hostUsageUs = window * 3_000_000L;
            fixture.threads = 100 + window;
            records.add(span -> span.add(fixture.host(), OptionalLong.empty(), Saturation.DEFAULT));
        }
        return records;
    }

    private static HostSpan added(List<Consumer<HostSpan>> records) {
        HostSpan span = new HostSpan(HostFixture.KEY);
        records.forEach(record -> record.accept(span));
        return span;
    }

    @Property(tries = 50)
    void anyOrderAndAnyGroupingGiveTheSame(@ForAll long seed) {
        List<Consumer<HostSpan>> records = records();
        HostSpan straight = added(records);
        Collections.shuffle(records, new Random(seed));
        int split = (int) Math.floorMod(seed, (long) records.size());
        HostSpan merged = added(records.subList(0, split));
        merged.merge(added(records.subList(split, records.size())));
        assertThat(merged).isEqualTo(straight);
    }

    @Example
    void anHourStatesWhatItsWindowsSay() {
        HostHour hour =
                new HostHour(
                        HostFixture.KEY,
                        new HourSlice(HostFixture.HOUR_US, HOUR_MS + 3_630_000),
                        2,
                        true,
                        added(records()).tally());
        assertThat(hour.count(HostCounter.HOST_RECORDS)).isEqualTo(30);
        assertThat(hour.count(HostCounter.SHARD_RECORDS)).isEqualTo(90);
        assertThat(hour.count(HostCounter.MISSING_SHARD_RECORDS)).isEqualTo(90);
        // 30 of 360 windows arrived; of shards more than stated
        assertThat(hour.completeness()).isCloseTo(30 / 360.0, within(1e-12));
        // mean of 0, 3, .. 87 s in 10 s
        assertThat(hour.usedCores().orElseThrow()).isCloseTo(4.35, within(1e-12));
        // 90 % of 8 CPUs are 72 s: windows 24 to 29
        assertThat(hour.count(HostCounter.SATURATED_WINDOWS)).isEqualTo(6);
        assertThat(hour.threads().orElseThrow()).isCloseTo(114.5, within(1e-12));
        assertThat(hour.count(HostCounter.THREADS_MAX)).isEqualTo(129);
        assertThat(hour.stated(HostCounter.IRQ_US, HostCounter.IRQ_RECORDS)).isEmpty();
        assertThat(hour.stealRatio()).hasValue(0);
        // (90 + 10) ms in 10 s
        assertThat(hour.agentCpuRatio()).isCloseTo(0.01, within(1e-12));
        assertThat(hour.count(HostCounter.DROPS_MAX)).isEqualTo(3);
        assertThat(hour.tally().kernels()).containsEntry(7L, "4.14.90").containsEntry(8L, "6.1.0");
        assertThat(hour.version()).isEqualTo((2L << 32) + 6);
    }

    /**
     * Windows first .. until of the hour, of the host and of all its shards; the first one tells of
     * so many of the host lost before it.
     */
    private static List<Consumer<HostSpan>> windows(int first, int until, long lost) {
        List<Consumer<HostSpan>> records = new ArrayList<>();
        for (int window = first; window < until; window++) {
            HostFixture fixture = new HostFixture();
            fixture.window = window;
            OptionalLong missing = OptionalLong.of(window == first ? lost : 0);
            records.add(span -> span.add(fixture.host(), missing, Saturation.DEFAULT));
            for (int shard = 0; shard < fixture.host().shardRecords(); shard++) {
                records.add(span -> span.add(fixture.shard(), OptionalLong.of(0)));
            }
        }
        return records;
    }

    /** The third look at the hour, half of it, of a host that was not heard before. */
    private static HostHour firstHour(List<Consumer<HostSpan>> records) {
        HourSlice look = new HourSlice(HostFixture.HOUR_US, HOUR_MS + 1_830_000);
        return new HostHour(HostFixture.KEY, look, 2, false, added(records).tally());
    }

    @Example
    void whatCameBeforeAHostWasHeardIsNotMissing() {
        HostHour whole = firstHour(windows(100, 180, 0));
        assertThat(whole.expectedHostRecords()).isEqualTo(80);
        assertThat(whole.completeness()).isEqualTo(1);
        assertThat(whole.firstHeardUs()).hasValue(HostFixture.HOUR_US + 1_000_000_000L);
        assertThat(whole.heardUntilUs()).hasValue(HostFixture.HOUR_US + 1_800_000_000L);
        // silent for its last 20 windows: they had passed, whoever sent them
        HostHour silent = firstHour(windows(100, 160, 0));
        assertThat(silent.expectedHostRecords()).isEqualTo(80);
        assertThat(silent.completeness()).isEqualTo(0.75);
        assertThat(silent.heardUntilUs()).hasValue(HostFixture.HOUR_US + 1_600_000_000L);
        // its numbers tell of ten windows before the first that came
        HostHour numbered = firstHour(windows(100, 180, 10));
        assertThat(numbered.expectedHostRecords()).isEqualTo(90);
        assertThat(numbered.completeness()).isEqualTo(80 / 90.0);
        // numbers of more windows than had passed are of the hours before
        assertThat(firstHour(windows(100, 180, 5_000)).expectedHostRecords()).isEqualTo(180);
    }

    @Example
    void aHostOfWhichNoWindowCameWasNotHeard() {
        HostHour empty = firstHour(List.of());
        assertThat(empty.expectedHostRecords()).isEqualTo(180);
        assertThat(empty.completeness()).isZero();
        assertThat(empty.firstHeardUs()).isEmpty();
        assertThat(empty.heardUntilUs()).isEmpty();
    }

    @Example
    void anHourIsLookedAtEveryTenMinutesAndThenByQuarters() {
        long end = HOUR_MS + 3_600_000;
        HourSlice first = HourSlice.of(HostFixture.HOUR_US, HOUR_MS + 10_000);
        assertThat(first.closesAtMs()).isEqualTo(HOUR_MS + 630_000);
        assertThat(first.mark()).isEqualTo(1);
        assertThat(first.part()).isZero();
        assertThat(first.hostRecords()).isEqualTo(60);
        HourSlice last = HourSlice.of(HostFixture.HOUR_US, end + 30_000);
        assertThat(last.closesAtMs()).isEqualTo(end + 30_000);
        assertThat(last.mark()).isEqualTo(6);
        assertThat(last.part()).isZero();
        HourSlice late = HourSlice.of(HostFixture.HOUR_US, end + 30_001);
        assertThat(late.closesAtMs()).isEqualTo(end + 900_000 - 1);
        assertThat(late.part()).isEqualTo(end / 900_000);
        assertThat(late.mark()).isEqualTo(6);
        assertThat(late.hostRecords()).isEqualTo(360);
    }

    @Property(tries = 200)
    void aSliceHoldsItsAppendTimeAndClosesOnce(@ForAll int seconds) {
        long append = HOUR_MS + Math.floorMod(seconds, 25_000) * 1_000L;
        HourSlice slice = HourSlice.of(HostFixture.HOUR_US, append);
        assertThat(slice.closesAtMs()).isGreaterThanOrEqualTo(append);
        assertThat(HourSlice.of(HostFixture.HOUR_US, slice.closesAtMs())).isEqualTo(slice);
        assertThat(HourSlice.of(HostFixture.HOUR_US, slice.closesAtMs() + 1)).isNotEqualTo(slice);
    }

    @Example
    void holdsNoMoreShardsThanItsBoundWhateverTheirOrder() {
        List<Integer> shards = new ArrayList<>();
        for (int shard = 0; shard < HostShards.SHARDS_MAX + 50; shard++) {
            shards.add(shard);
        }
        HostShards ascending = new HostShards();
        HostShards shuffled = new HostShards();
        HostFixture fixture = new HostFixture();
        for (int shard : shards) {
            fixture.shardId = shard;
            ascending.add(fixture.shard());
        }
        Collections.shuffle(shards, new Random(5));
        for (int shard : shards) {
            fixture.shardId = shard;
            shuffled.add(fixture.shard());
        }
        assertThat(shuffled).isEqualTo(ascending);
        assertThat(shuffled.shards()).hasSize(HostShards.SHARDS_MAX);
    }
}
