package io.quotascope.domain.rank;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.quotascope.domain.fleet.CatalogView;
import io.quotascope.domain.fleet.JudgementScope;
import io.quotascope.domain.fleet.ServiceCatalogEntry;
import io.quotascope.domain.golden.GoldenVectors;
import io.quotascope.domain.threads.ThreadRatio;
import io.quotascope.domain.throttling.ThrottlingSummary;
import io.quotascope.domain.throttling.ThrottlingSummary.HistogramStep;
import io.quotascope.domain.window.ServiceSums;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

class JudgementGoldenTest {
    @TestFactory
    Stream<DynamicTest> judgements() {
        return GoldenVectors.tests(
                "judgements.json",
                (input, expect) -> {
                    ServiceSums sums = MinuteFixture.of(input);
                    CatalogView catalog = catalog(input);
                    long part = input.required("part").longValue();
                    threadRatio(
                            ThreadRatio.judge(sums, part, catalog),
                            expect.required("thread_ratio"));
                    summary(
                            ThrottlingSummary.judge(sums, part, catalog),
                            expect.required("throttling_summary"));
                    TreeMap<Long, ServiceSums> minutes = new TreeMap<>();
                    minutes.put(sums.windowStartUs(), sums);
                    rank(
                            TuningRank.judge(minutes, part, catalog, RankPolicy.DEFAULT),
                            expect.required("tuning_rank"));
                });
    }

    private static CatalogView catalog(JsonNode input) {
        JsonNode entry = input.required("catalog");
        long revision = input.required("revision").longValue();
        return entry.isNull()
                ? CatalogView.without(revision)
                : new CatalogView(
                        Optional.of(
                                new ServiceCatalogEntry(
                                        "lab",
                                        "checkout",
                                        entry.required("catalog_version").longValue(),
                                        Optional.of(entry.required("team").asText()),
                                        Optional.empty(),
                                        OptionalLong.of(
                                                entry.required("reserved_millicores").longValue()),
                                        Optional.empty(),
                                        new ServiceCatalogEntry.ClientPolicy(
                                                OptionalLong.empty(),
                                                OptionalInt.empty(),
                                                OptionalLong.empty()),
                                        OptionalLong.empty(),
                                        OptionalInt.empty(),
                                        false)),
                        revision);
    }

    private static void threadRatio(ThreadRatio ratio, JsonNode expect) {
        JudgementScope scope = ratio.scope();
        assertThat(scope.shards()).isEqualTo(expect.required("shards").intValue());
        assertThat(scope.version()).isEqualTo(expect.required("version").longValue());
        assertThat(scope.catalogVersion())
                .isEqualTo(expect.required("catalog_version").longValue());
        same(scope.completeness(), expect, "completeness");
        same(scope.quotaCores(), expect, "quota_cores");
        same(scope.reservedCores(), expect, "reserved_cores");
        same(ratio.threadsPerShard(), expect, "threads_per_shard");
        same(ratio.threads().p50(), expect, "p50");
        same(ratio.threads().p99(), expect, "p99");
        same(ratio.runnable().p50(), expect, "runnable_p50");
        same(ratio.runnableLow(), expect, "low");
        same(ratio.runnableHigh(), expect, "high");
        assertThat(ratio.worstShards()).isEqualTo(texts(expect.required("worst_shards")));
    }

    private static void summary(ThrottlingSummary summary, JsonNode expect) {
        same(
                summary.merged().throttling().throttledPeriodRatio(),
                expect,
                "throttled_period_ratio");
        same(summary.merged().throttling().throttledUsPerThrottledPeriod(), expect, "depth");
        same(summary.excursionRatio(), expect, "excursion_ratio");
        same(summary.merged().sampling().coverage(), expect, "sample_coverage");
        same(OptionalDouble.of(summary.usedCores().total()), expect, "used_cores");
        same(summary.usedCores().perShard(), expect, "used_cores_per_shard");
        same(summary.usedCores().p50(), expect, "used_cores_p50");
        same(summary.usedCores().p99(), expect, "used_cores_p99");
        same(summary.utilization(), expect, "utilization");
        same(summary.shardThrottledRatioP50(), expect, "shard_throttled_ratio_p50");
        assertThat(summary.histogram().stream().map(HistogramStep::coresMin))
                .containsExactlyElementsOf(
                        stream(expect.required("histogram_cores"))
                                .map(JsonNode::doubleValue)
                                .toList());
        assertThat(summary.histogram().stream().map(HistogramStep::samples))
                .containsExactlyElementsOf(
                        stream(expect.required("histogram_samples"))
                                .map(JsonNode::longValue)
                                .toList());
    }

    private static void rank(TuningRank rank, JsonNode expect) {
        assertThat(rank.verdict().name())
                .isEqualToIgnoringCase(expect.required("verdict").asText());
        assertThat(rank.verdict().rankClass()).isEqualTo(expect.required("rank_class").intValue());
        assertThat(rank.score()).isEqualTo(expect.required("score").doubleValue());
        assertThat(rank.reasons()).isEqualTo(texts(expect.required("reasons")));
        JsonNode reclaimable = expect.required("reclaimable");
        assertThat(rank.reclaimable())
                .isEqualTo(
                        reclaimable.isNull()
                                ? Optional.empty()
                                : Optional.of(
                                        new ReclaimableCores(
                                                reclaimable.get(0).doubleValue(),
                                                reclaimable.get(1).doubleValue(),
                                                reclaimable.get(2).doubleValue())));
    }

    private static void same(OptionalDouble actual, JsonNode expect, String field) {
        assertThat(actual)
                .as(field)
                .isEqualTo(GoldenVectors.optionalDouble(expect.required(field)));
    }

    private static List<String> texts(JsonNode array) {
        return stream(array).map(JsonNode::asText).toList();
    }

    private static Stream<JsonNode> stream(JsonNode array) {
        return StreamSupport.stream(array.spliterator(), false);
    }
}
