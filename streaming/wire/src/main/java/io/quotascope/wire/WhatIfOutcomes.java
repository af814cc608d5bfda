package io.quotascope.wire;

import io.quotascope.domain.analysis.ScenarioKind;
import io.quotascope.domain.analysis.WhatIfOutcome;
import io.quotascope.domain.whatif.Outcome;
import io.quotascope.domain.whatif.RatioEstimate;
import java.util.Locale;

/** Rows of table what_if_outcomes. */
public final class WhatIfOutcomes {
    private WhatIfOutcomes() {}

    /** The row as it is stored. */
    public static io.quotascope.wire.avro.WhatIfOutcome toAvro(WhatIfOutcome row) {
        io.quotascope.wire.avro.WhatIfOutcome avro = new io.quotascope.wire.avro.WhatIfOutcome();
        ScopeFields.set(avro, row.scope());
        avro.setScenario(row.question().scenario());
        avro.setScenarioKind(kind(row.question().kind()));
        avro.setScenarioOrder(row.question().order());
        avro.setAnalysedAtUs(row.analysed().analysedAtUs());
        avro.setAnalysisTrigger(AnalysisFields.trigger(row.analysed().trigger()));
        avro.setHorizonUs(row.analysed().horizonUs());
        avro.setHorizonWindows(row.analysed().horizonWindows());
        avro.setScenarioQuotaCores(Nullable.orNull(row.figures().quotaCores()));
        avro.setScenarioPeriodUs(row.figures().periodUs().orElse(null));
        avro.setScenarioBurstUs(row.figures().burstUs().orElse(null));
        avro.setScenarioCapCores(row.figures().capCores());
        avro.setScenarioLoadMultiple(row.figures().loadMultiple());
        setBaseline(avro, row.baseline());
        setOutcome(avro, row.outcome());
        avro.setSettingText(row.settingText().orElse(null));
        avro.setReasons(row.reasons());
        return avro;
    }

    private static void setBaseline(io.quotascope.wire.avro.WhatIfOutcome avro, Outcome baseline) {
        RatioEstimate ratio = baseline.throttledPeriodRatio();
        avro.setBaselineThrottledPeriodRatio(ratio.value());
        avro.setBaselineThrottledPeriodRatioLow(ratio.low());
        avro.setBaselineThrottledPeriodRatioHigh(ratio.high());
        avro.setBaselineStallUsP99(baseline.stall().p99());
        avro.setBaselineDelayUsP99(baseline.delay().p99());
    }

    private static void setOutcome(io.quotascope.wire.avro.WhatIfOutcome avro, Outcome outcome) {
        RatioEstimate ratio = outcome.throttledPeriodRatio();
        avro.setThrottledPeriodRatio(ratio.value());
        avro.setThrottledPeriodRatioLow(ratio.low());
        avro.setThrottledPeriodRatioHigh(ratio.high());
        avro.setWillThrottle(outcome.willThrottle());
        avro.setStallUsP50(outcome.stall().p50());
        avro.setStallUsP90(outcome.stall().p90());
        avro.setStallUsP99(outcome.stall().p99());
        avro.setDelayUsP50(outcome.delay().p50());
        avro.setDelayUsP90(outcome.delay().p90());
        avro.setDelayUsP99(outcome.delay().p99());
        avro.setDemandCores(outcome.meanCores());
        avro.setTrust(AnalysisFields.trust(outcome.trust().verdict()));
    }

    private static io.quotascope.wire.avro.ScenarioKind kind(ScenarioKind kind) {
        return io.quotascope.wire.avro.ScenarioKind.valueOf(kind.name().toLowerCase(Locale.ROOT));
    }
}
