package io.quotascope.domain.advice;

import io.quotascope.domain.cfs.CpuLimit;
import io.quotascope.domain.histogram.BucketTally;
import io.quotascope.domain.histogram.UsageLayout;
import io.quotascope.domain.savings.Fix;
import io.quotascope.domain.savings.FixSet;
import io.quotascope.domain.savings.LatencyObjective;
import io.quotascope.domain.savings.Provisioning;
import io.quotascope.domain.whatif.Allowance;
import io.quotascope.domain.whatif.DemandEnsemble;
import io.quotascope.domain.whatif.DemandEvidence;
import io.quotascope.domain.whatif.DemandSeries;
import io.quotascope.domain.whatif.FluidReplay;
import io.quotascope.domain.whatif.TimeStructure;
import io.quotascope.domain.whatif.WhatIf;
import io.quotascope.domain.whatif.advice.HeadroomModel;
import io.quotascope.domain.whatif.advice.Target;
import io.quotascope.domain.window.ThrottlingSums;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** A service of known demand and what is advised to it. */
record Advised(
        DemandSeries demand,
        int shards,
        double quotaCores,
        double headroom,
        double peakCores,
        double headroomTarget,
        HeadroomModel risk) {
    static final double GAIN_SPREAD = 1.2;

    /** Repeats so many slots of which the first are busy, for a minute. */
    static DemandSeries every(int slots, int busy, double cores) {
        double[] series = new double[6_000];
        for (int slot = 0; slot < series.length; slot++) {
            series[slot] = slot % slots < busy ? cores : 0.0;
        }
        return DemandSeries.of(series, DemandSeries.Provenance.RECORDED);
    }

    /** Headroom 1.4 to keep, and nothing known of the headroom after a change. */
    static Advised of(DemandSeries demand, int shards, double quotaCores, double headroom) {
        return new Advised(
                demand,
                shards,
                quotaCores,
                headroom,
                demand.meanCores() * shards,
                1.4,
                HeadroomModel.UNKNOWN);
    }

    Advised with(HeadroomModel model) {
        return new Advised(demand, shards, quotaCores, headroom, peakCores, headroomTarget, model);
    }

    Advised keeping(double target) {
        return new Advised(demand, shards, quotaCores, headroom, peakCores, target, risk);
    }

    Service service() {
        CpuLimit.Quota quota = new CpuLimit.Quota(Math.round(quotaCores * 100_000), 100_000, 0, 0);
        Provisioning provisioning =
                new Provisioning(
                        shards,
                        quota.quotaUs() / 1e5,
                        peakCores,
                        headroom,
                        OptionalLong.empty(),
                        OptionalLong.empty(),
                        OptionalInt.empty());
        return new Service(provisioning, new Provisioning.Targets(headroomTarget, 0.8, 0.1), quota);
    }

    /** A set of fixes of this service that gains so much. */
    FixSet set(double gain, int... which) {
        List<Fix> all = service().fixes();
        List<Fix> chosen = java.util.Arrays.stream(which).mapToObj(all::get).toList();
        return new FixSet(chosen, gain, gain / GAIN_SPREAD, gain * GAIN_SPREAD, 0.11);
    }

    Decision decide(List<FixSet> sets) {
        return decide(sets, Target.Aim.SAVINGS);
    }

    Decision decide(List<FixSet> sets, Target.Aim aim) {
        return decide(sets, aim, LatencyObjective.ASSUMED);
    }

    Decision decide(List<FixSet> sets, Target.Aim aim, LatencyObjective objective) {
        Service service = service();
        BucketTally tally = new BucketTally();
        for (double cores : demand.toArray()) {
            tally.add(UsageLayout.bucket(Math.round(cores * 10_000), 10_000), 1);
        }
        double ratio =
                new FluidReplay()
                        .throttledPeriodRatio(demand, Allowance.quota(service.quota(), 16));
        DemandEvidence evidence =
                new DemandEvidence(
                        tally.toCounts(),
                        demand.meanCores(),
                        new TimeStructure(0, new double[8], new boolean[8]),
                        6,
                        new ThrottlingSums(6, 600, Math.round(600 * ratio), 0, 0, 0, 0, 0, 0, 0, 0),
                        Optional.of(service.quota()),
                        16,
                        false);
        WhatIf whatIf = WhatIf.of(evidence, new DemandEnsemble(List.of(demand)), 0);
        return Advisor.decide(
                whatIf, service, sets, risk, new Target(0.01, headroomTarget, 1, aim), objective);
    }
}
