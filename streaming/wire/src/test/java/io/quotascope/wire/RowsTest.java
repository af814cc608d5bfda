package io.quotascope.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotascope.domain.fleet.CatalogView;
import io.quotascope.domain.fleet.ServiceCatalogEntry;
import io.quotascope.domain.histogram.BucketTally;
import io.quotascope.domain.histogram.PackedBytes;
import io.quotascope.domain.hour.Horizons;
import io.quotascope.domain.hour.HourSummary;
import io.quotascope.domain.hour.HourSums;
import io.quotascope.domain.hour.LoadHours;
import io.quotascope.domain.rank.LatestState;
import io.quotascope.domain.rank.RankPolicy;
import io.quotascope.domain.rank.TuningOffer;
import io.quotascope.domain.rank.TuningOffer.Interval;
import io.quotascope.domain.rank.TuningRank;
import io.quotascope.domain.rank.TuningStake;
import io.quotascope.domain.rank.TuningVerdict;
import io.quotascope.domain.rank.TuningWorth;
import io.quotascope.domain.threads.ThreadRatio;
import io.quotascope.domain.throttling.ThrottlingSummary;
import io.quotascope.domain.whatif.Trust;
import io.quotascope.domain.whatif.advice.Target;
import io.quotascope.domain.window.Bandwidth;
import io.quotascope.domain.window.HostStatement;
import io.quotascope.domain.window.RefusalReason;
import io.quotascope.domain.window.ServiceAccumulator;
import io.quotascope.domain.window.ServiceSums;
import io.quotascope.domain.window.ServiceWindow;
import io.quotascope.domain.window.ShardWindow;
import io.quotascope.domain.window.WindowPart;
import io.quotascope.wire.avro.CpuUsageWindow;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TreeMap;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.apache.avro.Schema;
import org.apache.avro.specific.SpecificRecord;

/** Rows and unfinished rows go over the wire and come back as they were. */
class RowsTest {
    private static ShardWindow window(int shard, int slot) throws IOException {
        CpuUsageWindow avro =
                JsonTwin.read(
                        Path.of("../../schemas/golden/avro/cpu_usage_window_full.json"),
                        CpuUsageWindow.class);
        avro.setShardId((long) shard);
        avro.setShard("shard-" + shard);
        avro.setThrottledUs(1000L * ((shard * 7 + slot) % 5));
        avro.setWindowStartUs(
                WindowPart.minuteOf(avro.getWindowStartUs()) + slot * WindowPart.WINDOW_US);
        avro.setExemplar(
                (shard + slot) % 3 == 0
                        ? ByteBuffer.wrap(new byte[] {(byte) shard, (byte) slot})
                        : null);
        return ShardWindows.toDomain(avro);
    }

    private static ServiceAccumulator accumulator() throws IOException {
        ShardWindow first = window(0, 0);
        return new ServiceAccumulator(first.key(), WindowPart.minuteOf(first.windowStartUs()));
    }

    private static ServiceAccumulator filled(int from, int until) throws IOException {
        ServiceAccumulator accumulator = accumulator();
        for (int record = from; record < until; record++) {
            accumulator.add(window(record / 6, record % 6));
        }
        accumulator.add(
                new HostStatement(
                        accumulator.key(),
                        accumulator.windowStartUs(),
                        Bandwidth.of(200_000, 100_000),
                        until - from,
                        "6.18"));
        return accumulator;
    }

    @Example
    void aServiceWindowComesBack() throws IOException {
        ServiceWindow sent = new ServiceWindow(filled(0, 30).toServiceSums(), 1994626, 3);
        ServiceWindow read =
                Codecs.SERVICE_WINDOWS.decode(Codecs.SERVICE_WINDOWS.encode(sent)).orElseThrow();
        // a row does not tell which record its worst exemplar belongs to; everything else is there
        ServiceSums told =
                read.sums()
                        .withWorstExemplarOf(
                                sent.sums().exemplars().worst().orElseThrow().rank().orElseThrow());
        assertThat(new ServiceWindow(told, read.part(), read.revision())).isEqualTo(sent);
        assertThat(Codecs.SERVICE_WINDOWS.encode(read))
                .isEqualTo(Codecs.SERVICE_WINDOWS.encode(sent));
    }

    @Property(tries = 60)
    void stateMayBeWrittenAndReadAtAnyMoment(
            @ForAll @IntRange(max = 30) int until, @ForAll @IntRange(max = 30) int split)
            throws IOException {
        int at = Math.min(until, split);
        ServiceAccumulator resumed =
                AccumulatorState.decode(AccumulatorState.encode(filled(0, at)));
        resumed.merge(AccumulatorState.decode(AccumulatorState.encode(filled(at, until))));
        ServiceAccumulator straight = filled(0, at);
        straight.merge(filled(at, until));
        assertThat(resumed).isEqualTo(straight);
    }

    @Example
    void anEmptyAccumulatorIsStateToo() throws IOException {
        assertThat(AccumulatorState.decode(AccumulatorState.encode(accumulator())))
                .isEqualTo(accumulator());
    }

    @Example
    void aServiceWindowWithBrokenSumsIsRefused() throws IOException {
        io.quotascope.wire.avro.ServiceWindow avro =
                ServiceWindows.toAvro(new ServiceWindow(filled(0, 6).toServiceSums(), 0, 1));
        avro.setSecondOrder(ByteBuffer.wrap(new byte[] {1}));
        byte[] framed =
                new SingleObject<>(io.quotascope.wire.avro.ServiceWindow.class, "service_window")
                        .encode(avro);
        assertThat(Codecs.SERVICE_WINDOWS.decode(framed))
                .isInstanceOfSatisfying(
                        Decoded.Refused.class,
                        refused ->
                                assertThat(refused.refusal().reason())
                                        .isEqualTo(RefusalReason.UNDECODABLE));
    }

    private static ServiceCatalogEntry entry(long version) {
        return new ServiceCatalogEntry(
                "eu-west-1/a",
                "payments-api",
                version,
                Optional.of("payments"),
                Optional.empty(),
                OptionalLong.of(1500),
                Optional.empty(),
                new ServiceCatalogEntry.ClientPolicy(
                        OptionalLong.of(250_000),
                        OptionalInt.of(2),
                        OptionalLong.empty(),
                        OptionalLong.of(600_000_000),
                        Optional.of(false)),
                OptionalLong.empty(),
                OptionalInt.of(3),
                false);
    }

    @Example
    void aCatalogEntryComesBack() {
        ServiceCatalogEntry plain = entry(4);
        for (ServiceCatalogEntry entry : List.of(plain, plain.with(Target.Aim.LATENCY))) {
            assertThat(
                            Codecs.CATALOG_ENTRIES
                                    .decode(Codecs.CATALOG_ENTRIES.encode(entry))
                                    .orElseThrow())
                    .isEqualTo(entry);
        }
    }

    @Example
    void judgementsFillTheirRows() throws IOException {
        ServiceSums sums = filled(0, 30).toServiceSums();
        CatalogView catalog = new CatalogView(Optional.of(entry(4)), 2);
        TreeMap<Long, ServiceSums> minutes = new TreeMap<>();
        minutes.put(sums.windowStartUs(), sums);
        List<SpecificRecord> rows =
                List.of(
                        ThreadRatios.toAvro(ThreadRatio.judge(sums, 5, catalog)),
                        ThrottlingSummaries.toAvro(ThrottlingSummary.judge(sums, 5, catalog)),
                        TuningRanks.with(
                                TuningRanks.toAvro(
                                        TuningRank.judge(minutes, 5, catalog, RankPolicy.DEFAULT)),
                                WORTH));
        for (SpecificRecord row : rows) {
            for (Schema.Field field : row.getSchema().getFields()) {
                boolean mayBeAbsent =
                        field.name().startsWith("reclaimable_cores")
                                || field.name().equals("stranded_quota_cores");
                assertThat(row.get(field.pos()) != null || mayBeAbsent)
                        .as("%s.%s", row.getSchema().getName(), field.name())
                        .isTrue();
            }
            assertThat(row.get(row.getSchema().getField("version").pos()))
                    .isEqualTo(2 * (1L << 32) + 4);
            assertThat(row.get(row.getSchema().getField("reserved_cores").pos())).isEqualTo(1.5);
        }
    }

    private static final Interval INTERVAL = new Interval(1, 2, 3);
    private static final TuningWorth WORTH =
            TuningWorth.of(
                    new TuningStake(TuningVerdict.THROTTLED, 1, 4, false),
                    Optional.of(
                            new TuningOffer.Savings(
                                    1,
                                    true,
                                    "burst",
                                    Optional.of("cpu.max.burst"),
                                    Optional.of(INTERVAL),
                                    OptionalDouble.of(1),
                                    Optional.of(INTERVAL),
                                    OptionalDouble.of(1.2),
                                    0.9,
                                    0.5,
                                    Trust.Verdict.SOUND,
                                    List.of())),
                    Optional.of(
                            new TuningOffer.Risk(
                                    2,
                                    "stable",
                                    OptionalDouble.of(0.1),
                                    Optional.of(INTERVAL),
                                    OptionalDouble.of(1.1),
                                    OptionalDouble.of(0.1),
                                    3_600_000_000L)),
                    100);

    @Example
    void theLatestStateFillsItsRow() throws IOException {
        ServiceSums sums = filled(0, 30).toServiceSums();
        CatalogView catalog = new CatalogView(Optional.of(entry(4)), 2);
        TreeMap<Long, ServiceSums> minutes = new TreeMap<>();
        minutes.put(sums.windowStartUs(), sums);
        LatestState state =
                new LatestState(
                        TuningRank.judge(minutes, 5, catalog, RankPolicy.DEFAULT),
                        ThrottlingSummary.judge(sums, 5, catalog),
                        ThreadRatio.judge(sums, 5, catalog),
                        Horizons.at(LoadHours.EMPTY.plus(sums, true, 7), sums.windowStartUs()));
        SpecificRecord row = ServiceLatests.with(ServiceLatests.toAvro(state), WORTH);
        List<String> absent =
                row.getSchema().getFields().stream()
                        .filter(field -> row.get(field.pos()) == null)
                        .map(Schema.Field::name)
                        .toList();
        assertThat(absent)
                .containsExactlyInAnyOrder(
                        "reclaimable_cores",
                        "reclaimable_cores_low",
                        "reclaimable_cores_high",
                        "stranded_quota_cores",
                        "used_cores_peak",
                        "throttled_period_ratio_peak",
                        "daily_swing_ratio",
                        "weekly_swing_ratio");
    }

    @Example
    void anHourFillsItsRow() throws IOException {
        ServiceSums sums = filled(0, 30).toServiceSums();
        CatalogView catalog = new CatalogView(Optional.of(entry(4)), 2);
        io.quotascope.wire.avro.ServiceHour row =
                ServiceHours.toAvro(HourSummary.judge(HourSums.of(sums, 0), 0, catalog));
        for (Schema.Field field : row.getSchema().getFields()) {
            assertThat(row.get(field.pos())).as(field.name()).isNotNull();
        }
        assertThat(row.getVersion()).isEqualTo(2 * (1L << 32) + (4 << 12) + 1);
        assertThat(row.getShards()).isEqualTo(5);
        assertThat(ServiceHours.topicKey(row)).endsWith("/payments-api/" + row.getQuotaClass());
    }

    /**
     * Threads are known and runnable threads are not: the runnable percentiles must stay null and
     * only bounds appear.
     */
    @Example
    void runnableThreadsAreNeverFilledFromThreads() throws IOException {
        CpuUsageWindow polled =
                JsonTwin.read(
                        Path.of("../../schemas/golden/avro/cpu_usage_window_typical.json"),
                        CpuUsageWindow.class);
        assertThat(polled.getThreads()).isNotNull();
        assertThat(polled.getRunnableHistogram()).isNull();
        ShardWindow window = ShardWindows.toDomain(polled);
        ServiceAccumulator accumulator =
                new ServiceAccumulator(window.key(), WindowPart.minuteOf(window.windowStartUs()));
        accumulator.add(window);
        io.quotascope.wire.avro.ThreadRatio row =
                ThreadRatios.toAvro(
                        ThreadRatio.judge(
                                accumulator.toServiceSums(),
                                0,
                                new CatalogView(Optional.of(entry(1)), 1)));
        assertThat(row.getRunnableThreadsPerReservedCoreP50()).isNull();
        assertThat(row.getRunnableThreadsPerReservedCoreP90()).isNull();
        assertThat(row.getRunnableThreadsPerReservedCoreP99()).isNull();
        assertThat(row.getThreadsPerReservedCoreP50()).isNotNull();
        assertThat(row.getRunnableThreadsPerReservedCoreLow()).isNotNull();
        assertThat(row.getRunnableThreadsPerReservedCoreHigh())
                .isEqualTo(row.getThreadsPerReservedCoreP99());
    }

    @Example
    void packedBytesSpareACopyOnlyWhereTheBufferIsTheWholeArray() {
        byte[] array = {1, 2, 3};
        assertThat(Nullable.packed(ByteBuffer.wrap(array)).bytes()).isSameAs(array);
        assertThat(Nullable.packed(ByteBuffer.wrap(array, 1, 1)))
                .isEqualTo(PackedBytes.of(new byte[] {2}));
        assertThat(new BucketTally().toCounts().pack()).isSameAs(PackedBytes.EMPTY);
    }
}
