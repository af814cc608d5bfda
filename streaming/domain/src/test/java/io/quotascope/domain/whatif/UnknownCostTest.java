package io.quotascope.domain.whatif;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotascope.domain.cfs.CpuLimit;
import org.junit.jupiter.api.Test;

class UnknownCostTest {
    private static final CpuLimit.Quota QUOTA = new CpuLimit.Quota(150_000, 100_000, 0, 0);
    private static final DemandSeries DEMAND = MeasuredDemand.bursts(21, 12_000);

    private static Outcome asked(CpuLimit.Quota now, double times, boolean costKnown) {
        DemandEvidence evidence = MeasuredDemand.under(DEMAND, now, 16);
        WhatIf whatIf =
                costKnown ? WhatIf.of(evidence, CostGrowth.NONE, 42) : WhatIf.of(evidence, 42);
        long quotaUs = Math.round(times * now.quotaUs());
        return whatIf.outcome(new Scenario.SetQuota(new CpuLimit.Quota(quotaUs, 100_000, 0, 0)));
    }

    @Test
    void aTighterQuotaMayBeMuchWorseWhenTheCostIsUnknown() {
        double used = DEMAND.meanCores();
        // 70 % of the smaller quota used: dearer work would make a backlog that stays.
        double times = used / 0.7 / 1.5;
        Outcome unknown = asked(QUOTA, times, false);
        Outcome known = asked(QUOTA, times, true);
        assertThat(unknown.throttledPeriodRatio().value())
                .isEqualTo(known.throttledPeriodRatio().value());
        assertThat(unknown.throttledPeriodRatio().high())
                .isGreaterThan(known.throttledPeriodRatio().high());
        assertThat(unknown.trust().reasons()).contains(Trust.Reason.COST_UNKNOWN);
        assertThat(known.trust().reasons()).doesNotContain(Trust.Reason.COST_UNKNOWN);
    }

    @Test
    void whoIsThrottledMuchMayBeFreedByASlightRelief() {
        CpuLimit.Quota tight =
                new CpuLimit.Quota(Math.round(105_000 * DEMAND.meanCores()), 100_000, 0, 0);
        Outcome relieved = asked(tight, 1.2, false);
        assertThat(relieved.throttledPeriodRatio().value()).isGreaterThan(0.1);
        assertThat(relieved.throttledPeriodRatio().low())
                .isLessThan(0.1 * relieved.throttledPeriodRatio().value());
        assertThat(relieved.trust().reasons()).contains(Trust.Reason.COST_UNKNOWN);
    }

    @Test
    void farFromTheLimitAndAsItIsNothingIsWidened() {
        assertThat(asked(QUOTA, 1.3, false)).isEqualTo(asked(QUOTA, 1.3, true));
        DemandEvidence evidence = MeasuredDemand.under(DEMAND, QUOTA, 16);
        assertThat(WhatIf.of(evidence, 42).outcome(new Scenario.AsItIs()))
                .isEqualTo(WhatIf.of(evidence, CostGrowth.NONE, 42).outcome(new Scenario.AsItIs()));
    }

    /** Parts of a shard have less room for one request: it never helps, and may harm much. */
    @Test
    void splittingAShardGainsNothingAndMayHarm() {
        CpuLimit.Quota tight =
                new CpuLimit.Quota(Math.round(150_000 * DEMAND.meanCores()), 100_000, 0, 0);
        DemandEvidence evidence = MeasuredDemand.under(DEMAND, tight, 16);
        Outcome split = WhatIf.of(evidence, 42).outcome(new Scenario.Split(2));
        assertThat(split.throttledPeriodRatio().value())
                .isGreaterThanOrEqualTo(evidence.throttledPeriodRatio() - 0.005);
        assertThat(split.trust().reasons()).contains(Trust.Reason.COST_UNKNOWN);
        Outcome priced = WhatIf.of(evidence, CostGrowth.NONE, 42).outcome(new Scenario.Split(2));
        assertThat(split.throttledPeriodRatio().high())
                .isGreaterThan(priced.throttledPeriodRatio().high() + 0.1);
    }
}
