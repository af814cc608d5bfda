package io.quotascope.domain.window;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quotascope.domain.histogram.PackedBytes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.stream.IntStream;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** Order and grouping of arrival never show in a row. */
class AccumulatorLawsTest {
    private static final ServiceKey KEY = WindowFixture.window(0).key();

    /** Records of a few shards over the six slots, with ties in every field that ranks. */
    private static List<ShardWindow> records(Random random, int count) {
        return IntStream.range(0, count)
                .mapToObj(
                        n -> {
                            ShardWindow sound = WindowFixture.window(random.nextInt(9));
                            long idle = random.nextInt(1000) + 1;
                            return new ShardWindow(
                                    new Sender("host-" + random.nextInt(2), 7, n),
                                    sound.origin(),
                                    sound.cluster(),
                                    sound.service(),
                                    sound.shard(),
                                    sound.shardId(),
                                    WindowFixture.MINUTE_US + 10_000_000L * random.nextInt(6),
                                    WindowFixture.sampling((int) idle),
                                    WindowFixture.usage(
                                            random.nextInt(4) * 1000L,
                                            WindowFixture.samples(
                                                    Map.of(random.nextInt(200), idle))),
                                    Bandwidth.of(200_000 + random.nextInt(3), 100_000),
                                    OptionalLong.empty(),
                                    Bandwidth.NONE,
                                    random.nextInt(5) == 0
                                            ? ThrottlingCounters.ABSENT
                                            : WindowFixture.throttling(
                                                    random.nextInt(3),
                                                    random.nextInt(2),
                                                    random.nextInt(3)),
                                    random.nextBoolean()
                                            ? OptionalLong.of(random.nextInt(50))
                                            : OptionalLong.empty(),
                                    random.nextInt(4) == 0
                                            ? Optional.of(
                                                    WindowFixture.samples(
                                                                    Map.of(random.nextInt(16), 1L))
                                                            .pack())
                                            : Optional.empty(),
                                    random.nextInt(4) == 0
                                            ? Optional.of(
                                                    PackedBytes.of(
                                                            new byte[] {(byte) random.nextInt(3)}))
                                            : Optional.empty(),
                                    HardwareCounters.ABSENT,
                                    Optional.empty(),
                                    Placement.ABSENT);
                        })
                .toList();
    }

    private static List<HostStatement> statements(Random random, int count) {
        return IntStream.range(0, count)
                .mapToObj(
                        n ->
                                new HostStatement(
                                        KEY,
                                        WindowFixture.MINUTE_US + 10_000_000L * random.nextInt(6),
                                        Bandwidth.of(200_000, 100_000),
                                        random.nextInt(4),
                                        "6." + random.nextInt(3)))
                .toList();
    }

    private static ServiceAccumulator accumulated(
            List<ShardWindow> records, List<HostStatement> statements) {
        ServiceAccumulator accumulator = new ServiceAccumulator(KEY, WindowFixture.MINUTE_US);
        records.forEach(accumulator::add);
        statements.forEach(accumulator::add);
        return accumulator;
    }

    @Property(tries = 300)
    void anyOrderGivesTheSameRow(@ForAll Random random, @ForAll @IntRange(max = 60) int count) {
        List<ShardWindow> records = records(random, count);
        List<HostStatement> statements = statements(random, count / 3);
        List<ShardWindow> shuffled = new ArrayList<>(records);
        List<HostStatement> shuffledStatements = new ArrayList<>(statements);
        Collections.shuffle(shuffled, random);
        Collections.shuffle(shuffledStatements, random);
        assertThat(accumulated(shuffled, shuffledStatements))
                .isEqualTo(accumulated(records, statements))
                .hasSameHashCodeAs(accumulated(records, statements));
    }

    @Property(tries = 300)
    void anyGroupingGivesTheSameRow(@ForAll Random random, @ForAll @IntRange(max = 60) int count) {
        List<ShardWindow> records = records(random, count);
        List<HostStatement> statements = statements(random, count / 3);
        List<ServiceAccumulator> groups = new ArrayList<>();
        for (int group = 0; group < 4; group++) {
            groups.add(new ServiceAccumulator(KEY, WindowFixture.MINUTE_US));
        }
        records.forEach(record -> groups.get(random.nextInt(4)).add(record));
        statements.forEach(statement -> groups.get(random.nextInt(4)).add(statement));
        // ((0 + 1) + (2 + 3)) from copies, and back into the first
        ServiceAccumulator left = ServiceAccumulator.of(groups.get(1).toServiceSums());
        left.merge(groups.get(0));
        groups.get(3).merge(groups.get(2));
        left.merge(groups.get(3).toServiceSums());
        assertThat(left).isEqualTo(accumulated(records, statements));
    }

    @Property(tries = 300)
    void theWorstShardsAreThoseOfAFullSort(
            @ForAll Random random, @ForAll @IntRange(max = 60) int count) {
        List<ShardWindow> records = records(random, count);
        List<WorstShard> expected = new ArrayList<>();
        records.stream()
                .map(WorstShard::of)
                .sorted(Comparator.naturalOrder())
                .forEach(
                        candidate -> {
                            if (expected.size() < 5
                                    && expected.stream()
                                            .noneMatch(
                                                    kept ->
                                                            kept.shardId()
                                                                    == candidate.shardId())) {
                                expected.add(candidate);
                            }
                        });
        assertThat(accumulated(records, List.of()).toServiceSums().worstShards())
                .isEqualTo(expected);
    }

    @Property(tries = 200)
    void countsAreThoseOfTheRecords(@ForAll Random random, @ForAll @IntRange(max = 60) int count) {
        List<ShardWindow> records = records(random, count);
        ServiceSums sums = accumulated(records, List.of()).toServiceSums();
        assertThat(sums.reporting().records()).isEqualTo(count);
        assertThat(sums.reporting().slotRecords().toList().stream().mapToInt(n -> n).sum())
                .isEqualTo(count);
        assertThat(sums.distributions().usage().total()).isEqualTo(sums.sampling().samples());
        assertThat(sums.distributions().usedCores().total()).isEqualTo(count);
        assertThat(sums.distributions().threads().map(threads -> threads.total()).orElse(0L))
                .isEqualTo(sums.threads().records());
        assertThat(sums.distributions().runnable().isPresent())
                .isEqualTo(
                        records.stream()
                                .anyMatch(record -> record.runnableHistogram().isPresent()));
        assertThat(sums.secondOrder().samples().longValueExact())
                .isEqualTo(sums.sampling().samples());
        assertThat(sums.betweenShards().usageUs().longValueExact())
                .isEqualTo(sums.usage().usageUs());
    }

    @Example
    void absurdCountersNeitherWrapNorStop() {
        ServiceAccumulator accumulator = new ServiceAccumulator(KEY, WindowFixture.MINUTE_US);
        ShardWindow sound = WindowFixture.window(1);
        long most = 1L << 53;
        for (int n = 0; n < 1_025; n++) { // 1025 x 2^53 > 2^63
            accumulator.add(
                    new ShardWindow(
                            sound.sender(),
                            sound.origin(),
                            sound.cluster(),
                            sound.service(),
                            sound.shard(),
                            sound.shardId(),
                            sound.windowStartUs(),
                            sound.sampling(),
                            sound.usage(),
                            sound.bandwidth(),
                            sound.burstUs(),
                            sound.ancestorBandwidth(),
                            WindowFixture.throttling(most, most, most),
                            OptionalLong.of(most),
                            Optional.empty(),
                            Optional.empty(),
                            sound.hardware(),
                            Optional.empty(),
                            Placement.ABSENT));
        }
        assertThat(accumulator.toServiceSums().throttling().throttledUs())
                .isEqualTo(Long.MAX_VALUE);
        assertThat(accumulator.toServiceSums().threads().sum()).isEqualTo(Long.MAX_VALUE);
    }

    @Example
    void whatDoesNotBelongIsRefused() {
        ServiceAccumulator accumulator = new ServiceAccumulator(KEY, WindowFixture.MINUTE_US);
        ServiceKey other = new ServiceKey(Origin.SIMULATED, "lab", "checkout", "none");
        assertThatThrownBy(
                        () ->
                                accumulator.merge(
                                        new ServiceAccumulator(other, WindowFixture.MINUTE_US)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> accumulator.merge(new ServiceAccumulator(KEY, 0)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new ServiceAccumulator(KEY, 1))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
