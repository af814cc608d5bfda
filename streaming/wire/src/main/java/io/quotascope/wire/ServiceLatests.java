package io.quotascope.wire;

import io.quotascope.domain.hour.Horizons;
import io.quotascope.domain.rank.LatestState;
import io.quotascope.domain.rank.ReclaimableCores;
import io.quotascope.domain.rank.TuningOffer.Risk;
import io.quotascope.domain.rank.TuningRank;
import io.quotascope.domain.rank.TuningWorth;
import io.quotascope.domain.threads.ThreadRatio;
import io.quotascope.domain.throttling.ThrottlingSummary;
import io.quotascope.wire.avro.ServiceLatest;
import java.util.List;

/** Rows of table service_latest. */
public final class ServiceLatests {
    private ServiceLatests() {}

    /** The row as it is stored, before its worth is known. */
    public static ServiceLatest toAvro(LatestState state) {
        ServiceLatest avro = new ServiceLatest();
        ScopeFields.set(avro, state.rank().scope());
        avro.setVersion(state.version());
        setRank(avro, state.rank());
        setMinute(avro, state.throttling());
        setThreads(avro, state.threads());
        setHorizons(avro, state.horizons());
        avro.setValueReasons(List.of());
        return avro;
    }

    /** The row with what tuning is worth and how near collapse is. */
    public static ServiceLatest with(ServiceLatest judged, TuningWorth worth) {
        ServiceLatest avro = ServiceLatest.newBuilder(judged).build();
        WorthFields.set(avro, worth);
        avro.setRiskBand(worth.risk().map(Risk::riskBand).orElse(null));
        WorthFields.setInterval(
                avro, "collapse_load_multiple", worth.risk().flatMap(Risk::collapseMultiple));
        return avro;
    }

    private static void setRank(ServiceLatest avro, TuningRank rank) {
        avro.setHorizonUs(rank.horizonUs());
        avro.setHorizonWindows(rank.horizonWindows());
        avro.setVerdict(TuningRanks.verdict(rank.verdict()));
        avro.setRankClass(rank.verdict().rankClass());
        avro.setRankScore(rank.score());
        avro.setReclaimableCores(rank.reclaimable().map(ReclaimableCores::median).orElse(null));
        avro.setReclaimableCoresLow(rank.reclaimable().map(ReclaimableCores::low).orElse(null));
        avro.setReclaimableCoresHigh(rank.reclaimable().map(ReclaimableCores::high).orElse(null));
        avro.setStrandedQuotaCores(Nullable.orNull(rank.evidence().strandedQuotaCores()));
        avro.setReasons(rank.reasons());
        avro.setWorstShards(rank.worstShards());
    }

    private static void setMinute(ServiceLatest avro, ThrottlingSummary minute) {
        avro.setThrottledPeriodRatio(
                Nullable.orNull(minute.merged().throttling().throttledPeriodRatio()));
        avro.setThrottledUsPerThrottledPeriod(
                Nullable.orNull(minute.merged().throttling().throttledUsPerThrottledPeriod()));
        avro.setExcursionRatio(Nullable.orNull(minute.excursionRatio()));
        avro.setUsedCores(minute.usedCores().total());
        avro.setUsedCoresP99(Nullable.orNull(minute.usedCores().p99()));
        avro.setReservedCoreUtilization(Nullable.orNull(minute.utilization()));
    }

    private static void setThreads(ServiceLatest avro, ThreadRatio threads) {
        avro.setThreadsPerReservedCoreP99(Nullable.orNull(threads.threads().p99()));
        avro.setRunnableThreadsPerReservedCoreP99(Nullable.orNull(threads.runnable().p99()));
        avro.setRunnableThreadsPerReservedCoreLow(Nullable.orNull(threads.runnableLow()));
        avro.setRunnableThreadsPerReservedCoreHigh(Nullable.orNull(threads.runnableHigh()));
    }

    private static void setHorizons(ServiceLatest avro, Horizons horizons) {
        avro.setUsedCoresHour(Nullable.orNull(horizons.hour().usedCores()));
        avro.setThrottledPeriodRatioHour(Nullable.orNull(horizons.hour().throttledPeriodRatio()));
        avro.setCompletenessHour(Nullable.orNull(horizons.hour().completeness()));
        avro.setUsedCoresDay(Nullable.orNull(horizons.day().usedCores()));
        avro.setThrottledPeriodRatioDay(Nullable.orNull(horizons.day().throttledPeriodRatio()));
        avro.setCompletenessDay(Nullable.orNull(horizons.day().completeness()));
        avro.setUsedCoresPeak(Nullable.orNull(horizons.peak().usedCores()));
        avro.setThrottledPeriodRatioPeak(Nullable.orNull(horizons.peak().throttledPeriodRatio()));
        avro.setUsedCoresMax(Nullable.orNull(horizons.usedCoresMax()));
        avro.setDailySwingRatio(Nullable.orNull(horizons.dailySwing()));
        avro.setWeeklySwingRatio(Nullable.orNull(horizons.weeklySwing()));
        avro.setHistoryHours(horizons.historyHours());
    }
}
