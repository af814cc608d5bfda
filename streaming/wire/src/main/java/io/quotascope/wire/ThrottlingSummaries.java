package io.quotascope.wire;

import io.quotascope.domain.fleet.JudgementScope;
import io.quotascope.domain.throttling.ThrottlingSummary;
import io.quotascope.domain.throttling.ThrottlingSummary.HistogramStep;
import io.quotascope.domain.throttling.UsedCores;
import io.quotascope.domain.window.ServiceSums;
import io.quotascope.domain.window.ThrottlingSums;

/** Rows of table throttling_summaries. */
public final class ThrottlingSummaries {
    private ThrottlingSummaries() {}

    /** The row as it is stored. */
    public static io.quotascope.wire.avro.ThrottlingSummary toAvro(ThrottlingSummary summary) {
        io.quotascope.wire.avro.ThrottlingSummary avro =
                new io.quotascope.wire.avro.ThrottlingSummary();
        setScope(avro, summary.scope());
        setSums(avro, summary.merged());
        avro.setExcursionRatio(Nullable.orNull(summary.excursionRatio()));
        setUsedCores(avro, summary);
        avro.setShardThrottledRatioP50(Nullable.orNull(summary.shardThrottledRatioP50()));
        avro.setShardThrottledRatioP90(Nullable.orNull(summary.shardThrottledRatioP90()));
        avro.setShardThrottledRatioP99(Nullable.orNull(summary.shardThrottledRatioP99()));
        avro.setUsageHistogramCores(
                summary.histogram().stream().map(HistogramStep::coresMin).toList());
        avro.setUsageHistogramSamples(
                summary.histogram().stream().map(HistogramStep::samples).toList());
        avro.setWorstShards(summary.worstShards());
        return avro;
    }

    private static void setScope(
            io.quotascope.wire.avro.ThrottlingSummary avro, JudgementScope scope) {
        avro.setOrigin(Nullable.origin(scope.key().origin()));
        avro.setCluster(scope.key().cluster());
        avro.setService(scope.key().service());
        avro.setQuotaClass(scope.key().quotaClass());
        avro.setWindowStartUs(scope.windowStartUs());
        avro.setPart(scope.part());
        avro.setVersion(scope.version());
        avro.setCatalogVersion(scope.catalogVersion());
        avro.setTeam(scope.team().orElse(null));
        avro.setShards(scope.shards());
        avro.setCompleteness(Nullable.orNull(scope.completeness()));
        avro.setQuotaCores(Nullable.orNull(scope.quotaCores()));
        avro.setReservedCores(Nullable.orNull(scope.reservedCores()));
    }

    private static void setSums(
            io.quotascope.wire.avro.ThrottlingSummary avro, ServiceSums merged) {
        ThrottlingSums throttling = merged.throttling();
        avro.setRecords(merged.reporting().records());
        avro.setExpectedRecords(merged.reporting().expectedRecords());
        avro.setSampleCoverage(Nullable.orNull(merged.sampling().coverage()));
        avro.setUsageUs(merged.usage().usageUs());
        avro.setPeriods(throttling.periods());
        avro.setThrottledPeriods(throttling.throttledPeriods());
        avro.setThrottledUs(throttling.throttledUs());
        avro.setThrottledPeriodRatio(Nullable.orNull(throttling.throttledPeriodRatio()));
        avro.setThrottledUsPerThrottledPeriod(
                Nullable.orNull(throttling.throttledUsPerThrottledPeriod()));
        avro.setThrottledWallRatio(Nullable.orNull(throttling.throttledWallRatio()));
    }

    private static void setUsedCores(
            io.quotascope.wire.avro.ThrottlingSummary avro, ThrottlingSummary summary) {
        UsedCores used = summary.usedCores();
        avro.setUsedCores(used.total());
        avro.setUsedCoresPerShard(Nullable.orNull(used.perShard()));
        avro.setUsedCoresP50(Nullable.orNull(used.p50()));
        avro.setUsedCoresP90(Nullable.orNull(used.p90()));
        avro.setUsedCoresP99(Nullable.orNull(used.p99()));
        avro.setUsedCoresP999(Nullable.orNull(used.p999()));
        avro.setReservedCoreUtilization(Nullable.orNull(summary.utilization()));
        avro.setReservedCoreUtilizationP50(Nullable.orNull(summary.utilizationP50()));
        avro.setReservedCoreUtilizationP99(Nullable.orNull(summary.utilizationP99()));
    }
}
