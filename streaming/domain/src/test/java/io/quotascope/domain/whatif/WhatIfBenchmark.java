package io.quotascope.domain.whatif;

import io.quotascope.domain.cfs.CpuLimit;
import java.time.Duration;
import java.util.Locale;

/**
 * What a what-if costs, in CPU time of this process: run by {@code make bench-model}. Every figure
 * is the least of several rounds, because other load can only add to it.
 */
public final class WhatIfBenchmark {
    private static final int ROUNDS = 7;
    private static final int SCENARIOS = 15;
    private static final CpuLimit.Quota QUOTA = new CpuLimit.Quota(150_000, 100_000, 0, 0);

    private WhatIfBenchmark() {}

    /** Prints one line for each figure. */
    public static void main(String[] arguments) {
        DemandSeries tenSeconds = MeasuredDemand.bursts(1, 1_000);
        Allowance allowance = Allowance.quota(QUOTA, 16);
        FluidReplay replay = new FluidReplay();
        ReplayCase patient = ReplayCase.of(tenSeconds, allowance);
        ReplayCase impatient = patient.withClients(new ClientPolicy(100_000, 2));
        print(
                "ratio of 1000 slots",
                30_000,
                () -> replay.throttledPeriodRatio(tenSeconds, allowance));
        print("replay of 1000 slots with delays", 30_000, () -> replay.run(patient).periods());
        print("the same with clients and 2 retries", 30_000, () -> replay.run(impatient).periods());

        DemandSeries minute = MeasuredDemand.bursts(2, 6_000);
        CpuLimit.Quota ample = new CpuLimit.Quota(900_000, 100_000, 0, 0);
        DemandEvidence calm = MeasuredDemand.under(minute, ample, 16);
        DemandEvidence throttled = MeasuredDemand.under(minute, QUOTA, 16);
        print("reconstruction, not throttled", 100, () -> WhatIf.of(calm, 7).now().capCores());
        print("reconstruction, throttled", 100, () -> WhatIf.of(throttled, 7).now().capCores());
        WhatIf whatIf = WhatIf.of(throttled, 7);
        Scenario scenario = new Scenario.SetQuota(new CpuLimit.Quota(110_000, 100_000, 0, 0));
        print("one scenario, four minutes", 1_000, () -> whatIf.outcome(scenario).meanCores());
        print(
                "full analysis: throttled, " + SCENARIOS + " scenarios",
                50,
                () -> {
                    WhatIf fresh = WhatIf.of(throttled, 7);
                    double sum = 0.0;
                    for (int multiple = 1; multiple <= SCENARIOS; multiple++) {
                        CpuLimit.Quota quota =
                                new CpuLimit.Quota(20_000L * multiple, 100_000, 0, 0);
                        sum += fresh.outcome(new Scenario.SetQuota(quota)).meanCores();
                    }
                    return sum;
                });
    }

    private interface Work {
        double run();
    }

    private static void print(String what, int times, Work work) {
        double least = Double.MAX_VALUE;
        double sink = 0.0;
        for (int round = 0; round < ROUNDS; round++) {
            long before = cpuNs();
            for (int time = 0; time < times; time++) {
                sink += work.run();
            }
            least = Math.min(least, (cpuNs() - before) / 1e3 / times);
        }
        System.out.printf(Locale.ROOT, "%-40s %10.1f us%n", what, least);
        if (sink == Math.PI) {
            System.out.println("unlikely");
        }
    }

    private static long cpuNs() {
        return ProcessHandle.current()
                .info()
                .totalCpuDuration()
                .map(Duration::toNanos)
                .orElseGet(System::nanoTime);
    }
}
