package io.quotascope.wire;

import io.quotascope.domain.advice.Candidate;
import io.quotascope.domain.analysis.Estimate;
import io.quotascope.domain.analysis.SavingsEstimate;
import io.quotascope.domain.savings.FixSet;
import io.quotascope.domain.savings.FleetSavings;
import io.quotascope.domain.whatif.RatioEstimate;
import io.quotascope.domain.whatif.advice.Setting;
import java.util.List;

/** Records of topic savings-estimates.v1, which are also the rows of table savings_estimates. */
public final class SavingsEstimates {
    private static final SingleObject<io.quotascope.wire.avro.SavingsEstimate> FORMAT =
            new SingleObject<>(io.quotascope.wire.avro.SavingsEstimate.class, "savings_estimate");

    private SavingsEstimates() {}

    /** The message of a record. */
    public static byte[] framed(io.quotascope.wire.avro.SavingsEstimate avro) {
        return FORMAT.encode(avro);
    }

    /** Key on topic savings-estimates.v1: origin/cluster/service/quota_class. */
    public static String topicKey(io.quotascope.wire.avro.SavingsEstimate avro) {
        return ScopeFields.of(avro).key().topicKey();
    }

    /** The row as it is stored. */
    public static io.quotascope.wire.avro.SavingsEstimate toAvro(SavingsEstimate row) {
        io.quotascope.wire.avro.SavingsEstimate avro =
                new io.quotascope.wire.avro.SavingsEstimate();
        ScopeFields.set(avro, row.scope());
        avro.setAnalysedAtUs(row.analysed().analysedAtUs());
        avro.setAnalysisTrigger(AnalysisFields.trigger(row.analysed().trigger()));
        avro.setHorizonUs(row.analysed().horizonUs());
        avro.setHorizonWindows(row.analysed().horizonWindows());
        setChoice(avro, row.choice());
        avro.setCommonErrorShare(FleetSavings.commonErrorShare(row.kappa().measured()));
        setReservation(avro, row.reservation());
        row.freed().ifPresent(freed -> setFreed(avro, freed));
        row.value().ifPresent(value -> setValue(avro, value));
        avro.setKappa(row.kappa().value());
        avro.setKappaMeasured(row.kappa().measured());
        avro.setSloUs(row.objective().sloUs());
        avro.setSloAssumed(!row.objective().stated());
        avro.setTrust(AnalysisFields.trust(row.trust()));
        avro.setSettingText(row.settingText().orElse(null));
        avro.setReasons(row.reasons());
        avro.setTrustReasons(row.trustReasons());
        avro.setAim(AnalysisFields.aim(row.aim()));
        avro.setNeeds(List.of());
        row.change().ifPresent(change -> setChange(avro, change));
        return avro;
    }

    private static void setChoice(
            io.quotascope.wire.avro.SavingsEstimate avro, SavingsEstimate.Choice choice) {
        avro.setFixSet(choice.name());
        avro.setFixSetOrder(choice.order());
        avro.setBest(choice.best());
        avro.setGain(choice.fixes().map(FixSet::gain).orElse(null));
        avro.setGainLow(choice.fixes().map(FixSet::gainLow).orElse(null));
        avro.setGainHigh(choice.fixes().map(FixSet::gainHigh).orElse(null));
        avro.setGainLogDeviation(choice.fixes().map(FixSet::logDeviation).orElse(null));
        avro.setEffortDays(choice.fixes().map(FixSet::effortDays).orElse(0.0));
        avro.setSuccessProbability(choice.fixes().map(FixSet::successProbability).orElse(1.0));
    }

    private static void setChange(
            io.quotascope.wire.avro.SavingsEstimate avro, SavingsEstimate.Change change) {
        Candidate candidate = change.candidate();
        Setting setting = candidate.setting();
        avro.setEffortDays(candidate.effortDays());
        avro.setSuccessProbability(candidate.successProbability());
        avro.setRecommendedChange(candidate.words());
        avro.setNeeds(candidate.needs());
        avro.setDecidedBy(candidate.decidedBy().label());
        avro.setTargetReached(candidate.reached());
        avro.setThrottledPeriodRatioTarget(change.target().throttledPeriodRatio());
        avro.setPeakLoadMultiple(change.target().peakMultiple());
        avro.setCoresAfter(candidate.cores());
        avro.setPoolThreadsAfter(Nullable.orNull(setting.poolThreads()));
        if (setting.wholeCpus()) {
            avro.setWholeCpusAfter((int) Math.round(setting.cores()));
        } else {
            avro.setQuotaCoresAfter(setting.cores());
            avro.setBurstUsAfter(setting.quota().burstUs());
        }
        avro.setThrottledPeriodRatioNow(change.now().throttledPeriodRatio().value());
        RatioEstimate ratio = candidate.after().throttledPeriodRatio();
        avro.setThrottledPeriodRatioAfter(ratio.value());
        avro.setThrottledPeriodRatioAfterLow(ratio.low());
        avro.setThrottledPeriodRatioAfterHigh(ratio.high());
        avro.setTailDelayUsNow(change.now().tailDelayUs());
        avro.setTailDelayUsAfter(candidate.after().tailDelayUs());
        avro.setHeadroomAfter(Nullable.orNull(candidate.headroom()));
    }

    private static void setReservation(
            io.quotascope.wire.avro.SavingsEstimate avro, SavingsEstimate.Reservation reserved) {
        avro.setReservedCoresTotal(Nullable.orNull(reserved.reservedCoresTotal()));
        avro.setPeakUsedCores(Nullable.orNull(reserved.peakUsedCores()));
        avro.setHeadroom(Nullable.orNull(reserved.headroom()));
        avro.setHeadroomTarget(reserved.headroomTarget());
        avro.setNeedCores(Nullable.orNull(reserved.needCores()));
        avro.setFloorCores(Nullable.orNull(reserved.floorCores()));
    }

    private static void setFreed(
            io.quotascope.wire.avro.SavingsEstimate avro, SavingsEstimate.Freed freed) {
        Estimate free = freed.rightSizing();
        avro.setRightSizingCores(free.value());
        avro.setRightSizingCoresLow(free.low());
        avro.setRightSizingCoresHigh(free.high());
        Estimate fixed = freed.byFixes();
        avro.setReclaimableCores(fixed.value());
        avro.setReclaimableCoresLow(fixed.low());
        avro.setReclaimableCoresHigh(fixed.high());
    }

    private static void setValue(
            io.quotascope.wire.avro.SavingsEstimate avro, SavingsEstimate.Value value) {
        avro.setPriceClass(value.priceClass());
        avro.setPriceBookVersion(value.priceBookVersion());
        Estimate free = value.rightSizing();
        avro.setRightSizingUsdPerYear(free.value());
        avro.setRightSizingUsdPerYearLow(free.low());
        avro.setRightSizingUsdPerYearHigh(free.high());
        Estimate fixed = value.byFixes();
        avro.setSavingsUsdPerYear(fixed.value());
        avro.setSavingsUsdPerYearLow(fixed.low());
        avro.setSavingsUsdPerYearHigh(fixed.high());
        avro.setCashableUsdPerYear(Nullable.orNull(value.cashable()));
    }
}
