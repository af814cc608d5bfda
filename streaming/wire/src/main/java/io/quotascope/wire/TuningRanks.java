package io.quotascope.wire;

import io.quotascope.domain.rank.ReclaimableCores;
import io.quotascope.domain.rank.TuningRank;
import io.quotascope.domain.rank.TuningStake;
import io.quotascope.domain.rank.TuningVerdict;
import io.quotascope.domain.rank.TuningWorth;
import java.util.List;
import java.util.Locale;

/** Rows of table tuning_ranks. */
public final class TuningRanks {
    private TuningRanks() {}

    /** The row as it is stored. */
    public static io.quotascope.wire.avro.TuningRank toAvro(TuningRank rank) {
        io.quotascope.wire.avro.TuningRank avro = new io.quotascope.wire.avro.TuningRank();
        ScopeFields.set(avro, rank.scope());
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
        // Nothing is known of its worth until it is weighed.
        avro.setValueReasons(List.of());
        return avro;
    }

    /** The row with what tuning is worth. */
    public static io.quotascope.wire.avro.TuningRank with(
            io.quotascope.wire.avro.TuningRank judged, TuningWorth worth) {
        io.quotascope.wire.avro.TuningRank avro =
                io.quotascope.wire.avro.TuningRank.newBuilder(judged).build();
        WorthFields.set(avro, worth);
        return avro;
    }

    /** What a row says of a service before anybody has estimated a change. */
    public static TuningStake stake(io.quotascope.wire.avro.TuningRank row) {
        Double reserved = row.getReservedCores();
        return new TuningStake(
                TuningVerdict.valueOf(row.getVerdict().name().toUpperCase(Locale.ROOT)),
                row.getRankScore(),
                reserved == null ? 0 : reserved * row.getShards(),
                row.getStrandedQuotaCores() != null);
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
        avro.setStrandedQuotaCores(Nullable.orNull(evidence.strandedQuotaCores()));
    }

    static io.quotascope.wire.avro.TuningVerdict verdict(TuningVerdict verdict) {
        return switch (verdict) {
            case THROTTLED -> io.quotascope.wire.avro.TuningVerdict.throttled;
            case GIVE_BACK -> io.quotascope.wire.avro.TuningVerdict.give_back;
            case HEALTHY -> io.quotascope.wire.avro.TuningVerdict.healthy;
            case UNKNOWN -> io.quotascope.wire.avro.TuningVerdict.unknown;
        };
    }
}
