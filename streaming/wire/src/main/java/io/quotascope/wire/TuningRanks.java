package io.quotascope.wire;

import io.quotascope.domain.fleet.JudgementScope;
import io.quotascope.domain.rank.ReclaimableCores;
import io.quotascope.domain.rank.TuningRank;
import io.quotascope.domain.rank.TuningVerdict;

/** Rows of table tuning_ranks. */
public final class TuningRanks {
    private TuningRanks() {}

    /** The row as it is stored. */
    public static io.quotascope.wire.avro.TuningRank toAvro(TuningRank rank) {
        io.quotascope.wire.avro.TuningRank avro = new io.quotascope.wire.avro.TuningRank();
        setScope(avro, rank.scope());
        avro.setHorizonUs(rank.horizonUs());
        avro.setHorizonWindows(rank.horizonWindows());
        avro.setVerdict(verdict(rank.verdict()));
        avro.setRankClass(rank.verdict().rankClass());
        avro.setRankScore(rank.score());
        setEvidence(avro, rank.evidence());
        avro.setReclaimableCores(rank.reclaimable().map(ReclaimableCores::median).orElse(null));
        avro.setReclaimableCoresLow(rank.reclaimable().map(ReclaimableCores::low).orElse(null));
        avro.setReclaimableCoresHigh(rank.reclaimable().map(ReclaimableCores::high).orElse(null));
        avro.setReasons(rank.reasons());
        avro.setWorstShards(rank.worstShards());
        return avro;
    }

    private static void setScope(io.quotascope.wire.avro.TuningRank avro, JudgementScope scope) {
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

    private static void setEvidence(
            io.quotascope.wire.avro.TuningRank avro, TuningRank.Evidence evidence) {
        avro.setThrottledPeriodRatio(Nullable.orNull(evidence.throttledPeriodRatio()));
        avro.setThrottledUsPerThrottledPeriod(
                Nullable.orNull(evidence.throttledUsPerThrottledPeriod()));
        avro.setExcursionRatio(Nullable.orNull(evidence.excursionRatio()));
        avro.setReservedCoreUtilization(Nullable.orNull(evidence.reservedCoreUtilization()));
        avro.setUsedCoresP99(Nullable.orNull(evidence.usedCoresP99()));
        avro.setThreadsPerReservedCore(Nullable.orNull(evidence.threadsPerReservedCore()));
    }

    private static io.quotascope.wire.avro.TuningVerdict verdict(TuningVerdict verdict) {
        return switch (verdict) {
            case THROTTLED -> io.quotascope.wire.avro.TuningVerdict.throttled;
            case GIVE_BACK -> io.quotascope.wire.avro.TuningVerdict.give_back;
            case HEALTHY -> io.quotascope.wire.avro.TuningVerdict.healthy;
            case UNKNOWN -> io.quotascope.wire.avro.TuningVerdict.unknown;
        };
    }
}
