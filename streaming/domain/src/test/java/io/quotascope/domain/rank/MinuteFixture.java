package io.quotascope.domain.rank;

import com.fasterxml.jackson.databind.JsonNode;
import io.quotascope.domain.golden.GoldenVectors;
import io.quotascope.domain.histogram.BucketCounts;
import io.quotascope.domain.window.Bandwidth;
import io.quotascope.domain.window.HostStatement;
import io.quotascope.domain.window.Sampling;
import io.quotascope.domain.window.SamplingMethod;
import io.quotascope.domain.window.ServiceAccumulator;
import io.quotascope.domain.window.ServiceSums;
import io.quotascope.domain.window.ShardWindow;
import io.quotascope.domain.window.UsageReading;
import io.quotascope.domain.window.Validation;
import io.quotascope.domain.window.WindowFixture;
import io.quotascope.domain.window.WindowPart;
import java.util.OptionalLong;

/** A minute of identical shards, as judgements.json describes it. */
final class MinuteFixture {
    private MinuteFixture() {}

    static ServiceSums of(JsonNode input) {
        Bandwidth bandwidth =
                new Bandwidth(
                        GoldenVectors.optionalLong(input.required("quota_us")),
                        GoldenVectors.optionalLong(input.required("period_us")));
        ShardWindow first = window(input, bandwidth, 0, 0);
        long minute = input.required("minute_start_us").longValue();
        ServiceAccumulator accumulator = new ServiceAccumulator(first.key(), minute);
        for (int shard = 0; shard < input.required("shards").intValue(); shard++) {
            for (int slot = 0; slot < input.required("windows").intValue(); slot++) {
                ShardWindow window = window(input, bandwidth, shard, slot);
                Validation.of(window)
                        .ifPresent(
                                refusal -> {
                                    throw new IllegalArgumentException(refusal.toString());
                                });
                accumulator.add(window);
            }
        }
        accumulator.add(
                new HostStatement(
                        first.key(),
                        minute,
                        bandwidth,
                        input.required("expected_records").longValue(),
                        "6.18.44"));
        return accumulator.toServiceSums();
    }

    private static ShardWindow window(JsonNode input, Bandwidth bandwidth, int shard, int slot) {
        JsonNode record = input.required("record");
        ShardWindow sound = WindowFixture.window(shard);
        BucketCounts samples = GoldenVectors.counts(record.required("histogram"));
        return new ShardWindow(
                sound.sender(),
                sound.origin(),
                sound.cluster(),
                sound.service(),
                sound.shard(),
                sound.shardId(),
                input.required("minute_start_us").longValue() + slot * WindowPart.WINDOW_US,
                new Sampling(
                        10_000,
                        record.required("samples").intValue(),
                        record.required("missed_samples").intValue(),
                        0,
                        SamplingMethod.TICK_POLL),
                new UsageReading(
                        record.required("usage_us").longValue(),
                        record.required("usage_us").longValue(),
                        1,
                        samples.pack(),
                        GoldenVectors.optionalLong(record.required("excursion_samples")),
                        OptionalLong.empty(),
                        WindowFixture.secondOrder((int) samples.total())),
                bandwidth,
                OptionalLong.empty(),
                Bandwidth.NONE,
                WindowFixture.throttling(
                        record.required("periods").longValue(),
                        record.required("throttled_periods").longValue(),
                        record.required("throttled_us").longValue()),
                GoldenVectors.optionalLong(record.required("threads")),
                sound.runnableHistogram(),
                sound.exemplar(),
                sound.hardware(),
                sound.excursionThreads(),
                sound.placement());
    }
}
