package io.quotascope.wire;

import io.quotascope.domain.analysis.AnalysedCliff;
import io.quotascope.domain.analysis.AnalysedCliff.Clients;
import io.quotascope.domain.analysis.AnalysedCliff.WorstShardCliff;
import io.quotascope.domain.analysis.CollapseRisk;
import io.quotascope.domain.risk.DeathSpiralRisk.LoadForecast;
import io.quotascope.domain.risk.Multiple;
import io.quotascope.domain.risk.RiskBand;
import io.quotascope.domain.risk.ServiceCliff;
import io.quotascope.domain.risk.ServiceCliff.Redistribution;
import io.quotascope.domain.whatif.ClientPolicy;
import java.util.Optional;

/** Records of topic collapse-risks.v1, which are also the rows of table collapse_risks. */
public final class CollapseRisks {
    private static final SingleObject<io.quotascope.wire.avro.CollapseRisk> FORMAT =
            new SingleObject<>(io.quotascope.wire.avro.CollapseRisk.class, "collapse_risk");

    private CollapseRisks() {}

    /** The message of a record. */
    public static byte[] framed(io.quotascope.wire.avro.CollapseRisk avro) {
        return FORMAT.encode(avro);
    }

    /** Key on topic collapse-risks.v1: origin/cluster/service/quota_class. */
    public static String topicKey(io.quotascope.wire.avro.CollapseRisk avro) {
        return ScopeFields.of(avro).key().topicKey();
    }

    /** The record as it travels and is stored. */
    public static io.quotascope.wire.avro.CollapseRisk toAvro(CollapseRisk risk) {
        io.quotascope.wire.avro.CollapseRisk avro = new io.quotascope.wire.avro.CollapseRisk();
        ScopeFields.set(avro, risk.scope());
        avro.setAnalysisTrigger(risk.trigger().map(AnalysisFields::trigger).orElse(null));
        avro.setRiskBand(band(risk.band()));
        setOutlook(avro, risk.outlook());
        risk.cliff().ifPresent(cliff -> setCliff(avro, cliff));
        avro.setAlarm(risk.alarm());
        avro.setHeadroom(Nullable.orNull(risk.headroom()));
        avro.setUsedCoresPerShard(Nullable.orNull(risk.load().usedCoresPerShard()));
        avro.setThrottledPeriodRatio(Nullable.orNull(risk.load().throttledPeriodRatio()));
        avro.setThrottledRunPeriodsMax(risk.load().throttledRunPeriodsMax());
        avro.setReasons(risk.reasons());
        return avro;
    }

    /** The domain form. */
    public static CollapseRisk toDomain(io.quotascope.wire.avro.CollapseRisk avro) {
        return new CollapseRisk(
                ScopeFields.of(avro),
                new CollapseRisk.Load(
                        Nullable.optional(avro.getUsedCoresPerShard()),
                        Nullable.optional(avro.getThrottledPeriodRatio()),
                        avro.getThrottledRunPeriodsMax()),
                avro.getCollapseLoadMultiple() == null
                        ? Optional.empty()
                        : Optional.of(cliff(avro)),
                Optional.ofNullable(avro.getAnalysisTrigger()).map(AnalysisFields::trigger),
                band(avro.getRiskBand()),
                outlook(avro),
                avro.getAlarm(),
                avro.getReasons());
    }

    private static void setOutlook(
            io.quotascope.wire.avro.CollapseRisk avro, CollapseRisk.Outlook outlook) {
        avro.setHorizonUs(outlook.horizonUs());
        avro.setDeathSpiralRisk(Nullable.orNull(outlook.probability()));
        avro.setLoadGrowthExpected(outlook.forecast().map(LoadForecast::growth).orElse(null));
        avro.setLoadGrowthLogDeviation(
                outlook.forecast().map(LoadForecast::deviation).orElse(null));
        avro.setLoadHistoryHours(outlook.historyHours());
    }

    private static CollapseRisk.Outlook outlook(io.quotascope.wire.avro.CollapseRisk avro) {
        return new CollapseRisk.Outlook(
                avro.getHorizonUs(),
                Nullable.optional(avro.getDeathSpiralRisk()),
                avro.getLoadGrowthExpected() == null
                        ? Optional.empty()
                        : Optional.of(
                                new LoadForecast(
                                        avro.getLoadGrowthExpected(),
                                        avro.getLoadGrowthLogDeviation(),
                                        avro.getHorizonUs())),
                avro.getLoadHistoryHours());
    }

    private static void setCliff(io.quotascope.wire.avro.CollapseRisk avro, AnalysedCliff known) {
        avro.setAnalysedAtUs(known.analysedAtUs());
        avro.setEvidenceUs(known.evidenceUs());
        avro.setEvidenceWindows(known.evidenceWindows());
        Multiple service = known.cliff().service();
        avro.setCollapseLoadMultiple(service.value());
        avro.setCollapseLoadMultipleLow(service.low());
        avro.setCollapseLoadMultipleHigh(service.high());
        avro.setCollapseBeyond(service.beyond());
        Multiple hottest = known.cliff().hottestShard();
        avro.setHottestShardCollapseLoadMultiple(hottest.value());
        avro.setHottestShardCollapseLoadMultipleLow(hottest.low());
        avro.setHottestShardCollapseLoadMultipleHigh(hottest.high());
        avro.setGainFromBalancing(known.cliff().gainFromBalancing());
        avro.setRecoveryLoadMultiple(known.recovery().value());
        avro.setRecoveryLoadMultipleLow(known.recovery().low());
        avro.setRecoveryLoadMultipleHigh(known.recovery().high());
        avro.setShardLoadDeviation(known.shardLoadDeviation());
        avro.setRedistribution(redistribution(known.clients().redistribution()));
        avro.setTimeoutUs(known.clients().policy().timeoutUs());
        avro.setRetries(known.clients().policy().retries());
        avro.setClientsAssumed(known.clients().assumed());
        known.worstShard()
                .ifPresent(
                        worst -> {
                            avro.setWorstShard(worst.shard());
                            avro.setWorstShardCollapseLoadMultiple(worst.collapse().value());
                            avro.setWorstShardCollapseLoadMultipleLow(worst.collapse().low());
                            avro.setWorstShardCollapseLoadMultipleHigh(worst.collapse().high());
                        });
    }

    private static AnalysedCliff cliff(io.quotascope.wire.avro.CollapseRisk avro) {
        boolean beyond = avro.getCollapseBeyond();
        Multiple service =
                new Multiple(
                        avro.getCollapseLoadMultiple(),
                        avro.getCollapseLoadMultipleLow(),
                        avro.getCollapseLoadMultipleHigh(),
                        beyond);
        Multiple hottest =
                new Multiple(
                        avro.getHottestShardCollapseLoadMultiple(),
                        avro.getHottestShardCollapseLoadMultipleLow(),
                        avro.getHottestShardCollapseLoadMultipleHigh(),
                        beyond);
        return new AnalysedCliff(
                avro.getAnalysedAtUs(),
                avro.getEvidenceUs(),
                avro.getEvidenceWindows(),
                new ServiceCliff(hottest, service, avro.getGainFromBalancing()),
                new Multiple(
                        avro.getRecoveryLoadMultiple(),
                        avro.getRecoveryLoadMultipleLow(),
                        avro.getRecoveryLoadMultipleHigh(),
                        beyond),
                avro.getShardLoadDeviation(),
                new Clients(
                        new ClientPolicy(avro.getTimeoutUs(), avro.getRetries()),
                        avro.getClientsAssumed(),
                        redistribution(avro.getRedistribution())),
                worst(avro));
    }

    private static Optional<WorstShardCliff> worst(io.quotascope.wire.avro.CollapseRisk avro) {
        return avro.getWorstShard() == null
                ? Optional.empty()
                : Optional.of(
                        new WorstShardCliff(
                                avro.getWorstShard(),
                                new Multiple(
                                        avro.getWorstShardCollapseLoadMultiple(),
                                        avro.getWorstShardCollapseLoadMultipleLow(),
                                        avro.getWorstShardCollapseLoadMultipleHigh(),
                                        false)));
    }

    private static io.quotascope.wire.avro.RiskBand band(RiskBand band) {
        return io.quotascope.wire.avro.RiskBand.valueOf(band.label());
    }

    private static RiskBand band(io.quotascope.wire.avro.RiskBand band) {
        return switch (band) {
            case stable -> RiskBand.STABLE;
            case vulnerable -> RiskBand.VULNERABLE;
            case collapsed -> RiskBand.COLLAPSED;
            case unknown -> RiskBand.UNKNOWN;
        };
    }

    private static io.quotascope.wire.avro.Redistribution redistribution(Redistribution what) {
        return what == Redistribution.EJECT
                ? io.quotascope.wire.avro.Redistribution.eject
                : io.quotascope.wire.avro.Redistribution.stay;
    }

    private static Redistribution redistribution(io.quotascope.wire.avro.Redistribution what) {
        return what == io.quotascope.wire.avro.Redistribution.eject
                ? Redistribution.EJECT
                : Redistribution.STAY;
    }
}
