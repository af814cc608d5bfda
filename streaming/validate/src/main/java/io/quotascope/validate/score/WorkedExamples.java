package io.quotascope.validate.score;

import io.quotascope.domain.cfs.CfsSimulator;
import io.quotascope.domain.cfs.CpuLimit;
import io.quotascope.domain.cfs.CpuStat;
import io.quotascope.domain.cfs.Departure;
import io.quotascope.domain.cfs.KernelRules;
import io.quotascope.domain.cfs.SimulationOutcome;
import io.quotascope.domain.cfs.SimulationSetup;
import io.quotascope.domain.cfs.TaskPlan;
import java.util.List;
import java.util.OptionalLong;

/** The articles' example, as they count it and as the kernel counts it; truth worked by hand. */
public final class WorkedExamples {
    private static final CpuLimit LIMIT = new CpuLimit.Quota(40_000, 100_000, 0, 0);
    private static final long HORIZON_US = 1_000_000;

    private WorkedExamples() {}

    /** Two rows: both countings of 200 ms of work at 0.4 CPU. */
    public static void score(Findings findings) {
        SimulationOutcome article = run(200_000, Departure.ARTICLE);
        // Four periods give 160 ms, the last 40 ms are done at 440: 4 stalls of 60 ms.
        findings.add(
                row(
                        "as the article counts",
                        article.article().activePeriods(),
                        article.article().stalledPeriods(),
                        article,
                        new long[] {5, 4, 240_000, 440_000}));
        // One microsecond less, so that the last refill is not used up to its end; the timer runs
        // through one idle period more.
        SimulationOutcome kernel = run(199_999, Departure.KERNEL);
        findings.add(
                row(
                        "as the kernel counts, phase 0",
                        kernel.stat().periods(),
                        kernel.stat().throttledPeriods(),
                        kernel,
                        new long[] {6, 4, 240_000, 439_999}));
    }

    private static Row row(
            String counting,
            long periods,
            long throttled,
            SimulationOutcome outcome,
            long[] byHand) {
        CpuStat stat = outcome.stat();
        long endUs = outcome.burstEndsUs().get(0).get(0);
        boolean exact =
                periods == byHand[0]
                        && throttled == byHand[1]
                        && stat.throttledUs() == byHand[2]
                        && endUs == byHand[3];
        return new Row(
                "worked example 200 ms at 0.4 CPU, " + counting,
                "hand",
                "none",
                "simulator",
                periods
                        + " periods, "
                        + throttled
                        + " throttled, "
                        + stat.throttledUs() / 1_000
                        + " ms, done at "
                        + endUs / 1e3
                        + " ms",
                "exact",
                exact ? "met" : "missed",
                1);
    }

    private static SimulationOutcome run(long workUs, Departure departure) {
        KernelRules exact = KernelRules.EXACT;
        KernelRules rules =
                new KernelRules(
                        exact.bandwidthSliceUs(),
                        exact.keptUs(),
                        exact.slackDelayUs(),
                        exact.refreshGuardUs(),
                        exact.grantUs(),
                        OptionalLong.empty(),
                        false,
                        departure);
        SimulationSetup setup = SimulationSetup.of(1, LIMIT, rules, HORIZON_US);
        return CfsSimulator.run(setup, List.of(TaskPlan.once(0, workUs)));
    }
}
