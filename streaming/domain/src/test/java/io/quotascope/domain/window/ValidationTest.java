package io.quotascope.domain.window;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotascope.domain.histogram.PackedBytes;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ValidationTest {
    private static final long TOO_MUCH = (1L << 53) + 1;

    @Test
    void soundRecordsPass() {
        assertThat(Validation.of(WindowFixture.window(1))).isEmpty();
        assertThat(Validation.of(WindowFixture.report())).isEmpty();
    }

    static Stream<Arguments> faults() { // tidy: allow, a table of cases
        ShardWindow sound = WindowFixture.window(1);
        UsageReading usage = sound.usage();
        PackedBytes other = WindowFixture.samples(Map.of(3, 999L)).pack();
        return Stream.of(
                fault("host_id", with(sound, new Sender("", 1, 1))),
                fault("host_id", with(sound, new Sender("h".repeat(513), 1, 1))),
                fault("agent_epoch", with(sound, new Sender("h", 0, 1))),
                fault("seq", with(sound, new Sender("h", 1, -1))),
                fault("cluster", named(sound, "", "s", "s")),
                fault("service", named(sound, "c", "", "s")),
                fault("shard", named(sound, "c", "s", "x".repeat(513))),
                fault(
                        "sample_interval_us",
                        with(sound, new Sampling(999, 1000, 0, 0, SamplingMethod.EBPF))),
                fault(
                        "sample_interval_us",
                        with(sound, new Sampling(1_000_001, 1000, 0, 0, SamplingMethod.EBPF))),
                fault("samples", with(sound, new Sampling(10_000, -1, 0, 0, SamplingMethod.EBPF))),
                fault(
                        "missed_samples",
                        with(sound, new Sampling(10_000, 1000, -1, 0, SamplingMethod.EBPF))),
                fault(
                        "lateness_us_max",
                        with(sound, new Sampling(10_000, 1000, 0, -1, SamplingMethod.EBPF))),
                fault(
                        "usage_us",
                        with(sound, usage(usage, -1, usage.histogram(), usage.secondOrder(), 1))),
                fault(
                        "usage_us",
                        with(
                                sound,
                                usage(
                                        usage,
                                        40_960_000_001L,
                                        usage.histogram(),
                                        usage.secondOrder(),
                                        1))),
                fault(
                        "layout_version",
                        with(sound, usage(usage, 1, usage.histogram(), usage.secondOrder(), 2))),
                fault(
                        "usage_histogram",
                        with(sound, usage(usage, 1, other, usage.secondOrder(), 1))),
                fault(
                        "usage_histogram",
                        with(
                                sound,
                                usage(
                                        usage,
                                        1,
                                        PackedBytes.of(new byte[] {5}),
                                        usage.secondOrder(),
                                        1))),
                fault(
                        "second_order",
                        with(
                                sound,
                                usage(
                                        usage,
                                        1,
                                        usage.histogram(),
                                        WindowFixture.secondOrder(999),
                                        1))),
                fault(
                        "second_order",
                        with(sound, usage(usage, 1, usage.histogram(), PackedBytes.EMPTY, 1))),
                fault("quota_us", with(sound, Bandwidth.of(0, 100_000))),
                fault("period_us", with(sound, Bandwidth.of(1, 999))),
                fault("period_us", with(sound, Bandwidth.of(1, 1_000_001))),
                fault("periods", with(sound, WindowFixture.throttling(-1, 0, 0))),
                fault("throttled_periods", with(sound, WindowFixture.throttling(0, TOO_MUCH, 0))),
                fault("throttled_us", with(sound, WindowFixture.throttling(0, 0, TOO_MUCH))),
                fault("threads", with(sound, OptionalLong.of(-1), Optional.empty())),
                fault(
                        "runnable_histogram",
                        with(
                                sound,
                                OptionalLong.empty(),
                                Optional.of(PackedBytes.of(new byte[] {16, 1})))),
                fault(
                        "runnable_histogram",
                        with(
                                sound,
                                OptionalLong.empty(),
                                Optional.of(WindowFixture.samples(Map.of(1, 1001L)).pack()))));
    }

    @ParameterizedTest(name = "{0} {index}")
    @MethodSource("faults")
    void theFieldAtFaultIsNamed(String field, ShardWindow window) {
        assertThat(Validation.of(window).map(Refusal::code)).contains("invalid_field:" + field);
        assertThat(Validation.of(window).orElseThrow().detail()).startsWith(field + ' ');
    }

    @Test
    void theFirstFieldInSchemaOrderNamesTheRefusal() {
        ShardWindow two =
                with(with(WindowFixture.window(1), Bandwidth.of(0, 1)), new Sender("", 1, 1));
        assertThat(Validation.of(two).map(Refusal::code)).contains("invalid_field:host_id");
    }

    @Test
    void aHostReportIsHeldToTheSameBounds() {
        HostReport sound = WindowFixture.report();
        assertThat(
                        Validation.of(stating(sound, new ServiceRecords("", Bandwidth.NONE, 1)))
                                .map(Refusal::code))
                .contains("invalid_field:service_records.service");
        assertThat(
                        Validation.of(
                                        stating(
                                                sound,
                                                new ServiceRecords(
                                                        "s", Bandwidth.of(0, 100_000), 1)))
                                .map(Refusal::code))
                .contains("invalid_field:service_records.quota_us");
        assertThat(
                        Validation.of(stating(sound, new ServiceRecords("s", Bandwidth.NONE, -1)))
                                .map(Refusal::code))
                .contains("invalid_field:service_records.shard_records");
    }

    private static HostReport stating(HostReport sound, ServiceRecords records) {
        return new HostReport(
                sound.sender(),
                sound.origin(),
                sound.cluster(),
                sound.windowStartUs(),
                sound.load(),
                sound.shape(),
                sound.shardRecords(),
                List.of(records),
                0,
                0,
                sound.agent(),
                sound.conduct());
    }

    private static Arguments fault(String field, ShardWindow window) {
        return Arguments.of(field, window);
    }

    private static UsageReading usage(
            UsageReading sound,
            long usageUs,
            PackedBytes histogram,
            PackedBytes secondOrder,
            int layout) {
        return new UsageReading(
                usageUs,
                usageUs < 0 ? 0 : usageUs,
                layout,
                histogram,
                sound.excursionSamples(),
                sound.excursionUs(),
                secondOrder);
    }

    private static ShardWindow named(ShardWindow w, String cluster, String service, String shard) {
        return new ShardWindow(
                w.sender(),
                w.origin(),
                cluster,
                service,
                shard,
                w.shardId(),
                w.windowStartUs(),
                w.sampling(),
                w.usage(),
                w.bandwidth(),
                w.burstUs(),
                w.ancestorBandwidth(),
                w.throttling(),
                w.threads(),
                w.runnableHistogram(),
                w.exemplar(),
                w.hardware(),
                w.excursionThreads(),
                w.placement());
    }

    private static ShardWindow with(ShardWindow w, Sender sender) {
        return new ShardWindow(
                sender,
                w.origin(),
                w.cluster(),
                w.service(),
                w.shard(),
                w.shardId(),
                w.windowStartUs(),
                w.sampling(),
                w.usage(),
                w.bandwidth(),
                w.burstUs(),
                w.ancestorBandwidth(),
                w.throttling(),
                w.threads(),
                w.runnableHistogram(),
                w.exemplar(),
                w.hardware(),
                w.excursionThreads(),
                w.placement());
    }

    private static ShardWindow with(ShardWindow w, Sampling sampling) {
        return new ShardWindow(
                w.sender(),
                w.origin(),
                w.cluster(),
                w.service(),
                w.shard(),
                w.shardId(),
                w.windowStartUs(),
                sampling,
                w.usage(),
                w.bandwidth(),
                w.burstUs(),
                w.ancestorBandwidth(),
                w.throttling(),
                w.threads(),
                w.runnableHistogram(),
                w.exemplar(),
                w.hardware(),
                w.excursionThreads(),
                w.placement());
    }

    private static ShardWindow with(ShardWindow w, UsageReading usage) {
        return new ShardWindow(
                w.sender(),
                w.origin(),
                w.cluster(),
                w.service(),
                w.shard(),
                w.shardId(),
                w.windowStartUs(),
                w.sampling(),
                usage,
                w.bandwidth(),
                w.burstUs(),
                w.ancestorBandwidth(),
                w.throttling(),
                w.threads(),
                w.runnableHistogram(),
                w.exemplar(),
                w.hardware(),
                w.excursionThreads(),
                w.placement());
    }

    private static ShardWindow with(ShardWindow w, Bandwidth bandwidth) {
        return new ShardWindow(
                w.sender(),
                w.origin(),
                w.cluster(),
                w.service(),
                w.shard(),
                w.shardId(),
                w.windowStartUs(),
                w.sampling(),
                w.usage(),
                bandwidth,
                w.burstUs(),
                w.ancestorBandwidth(),
                w.throttling(),
                w.threads(),
                w.runnableHistogram(),
                w.exemplar(),
                w.hardware(),
                w.excursionThreads(),
                w.placement());
    }

    private static ShardWindow with(ShardWindow w, ThrottlingCounters throttling) {
        return new ShardWindow(
                w.sender(),
                w.origin(),
                w.cluster(),
                w.service(),
                w.shard(),
                w.shardId(),
                w.windowStartUs(),
                w.sampling(),
                w.usage(),
                w.bandwidth(),
                w.burstUs(),
                w.ancestorBandwidth(),
                throttling,
                w.threads(),
                w.runnableHistogram(),
                w.exemplar(),
                w.hardware(),
                w.excursionThreads(),
                w.placement());
    }

    private static ShardWindow with(
            ShardWindow w, OptionalLong threads, Optional<PackedBytes> runnable) {
        return new ShardWindow(
                w.sender(),
                w.origin(),
                w.cluster(),
                w.service(),
                w.shard(),
                w.shardId(),
                w.windowStartUs(),
                w.sampling(),
                w.usage(),
                w.bandwidth(),
                w.burstUs(),
                w.ancestorBandwidth(),
                w.throttling(),
                threads,
                runnable,
                w.exemplar(),
                w.hardware(),
                w.excursionThreads(),
                w.placement());
    }
}
