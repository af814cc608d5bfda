package io.quotascope.wire;

import io.quotascope.domain.fleet.JudgementScope;
import io.quotascope.domain.threads.ThreadRatio;

/** Rows of table thread_ratios. */
public final class ThreadRatios {
    private ThreadRatios() {}

    /** The row as it is stored. */
    public static io.quotascope.wire.avro.ThreadRatio toAvro(ThreadRatio ratio) {
        JudgementScope scope = ratio.scope();
        io.quotascope.wire.avro.ThreadRatio avro = new io.quotascope.wire.avro.ThreadRatio();
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
        avro.setThreadsPerShard(Nullable.orNull(ratio.threadsPerShard()));
        avro.setThreadsPerReservedCoreP50(Nullable.orNull(ratio.threads().p50()));
        avro.setThreadsPerReservedCoreP90(Nullable.orNull(ratio.threads().p90()));
        avro.setThreadsPerReservedCoreP99(Nullable.orNull(ratio.threads().p99()));
        avro.setRunnableThreadsPerReservedCoreP50(Nullable.orNull(ratio.runnable().p50()));
        avro.setRunnableThreadsPerReservedCoreP90(Nullable.orNull(ratio.runnable().p90()));
        avro.setRunnableThreadsPerReservedCoreP99(Nullable.orNull(ratio.runnable().p99()));
        avro.setRunnableThreadsPerReservedCoreLow(Nullable.orNull(ratio.runnableLow()));
        avro.setRunnableThreadsPerReservedCoreHigh(Nullable.orNull(ratio.runnableHigh()));
        avro.setWorstShards(ratio.worstShards());
        return avro;
    }
}
