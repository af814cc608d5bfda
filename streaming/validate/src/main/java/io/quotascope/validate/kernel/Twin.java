package io.quotascope.validate.kernel;

import io.quotascope.domain.cfs.service.RequestStream;
import io.quotascope.domain.cfs.service.ServiceRun;
import io.quotascope.domain.cfs.service.ServiceSimulator;
import java.util.ArrayList;
import java.util.List;

/**
 * The simulator's account of a recording: the mean over phases of the periods, because the
 * recording does not know its own.
 *
 * @param throttledPeriodRatio mean of the phases
 * @param latencyUs median of the phases: 50th, 90th and 99th percentile
 * @param collapsedShare share of the phases that collapsed
 */
public record Twin(double throttledPeriodRatio, long[] latencyUs, double collapsedShare) {
    /** Percentiles that are compared. */
    public static final double[] SHARES = {0.5, 0.9, 0.99};

    private static final int PHASES = 8;

    /** Simulates a recording. */
    public static Twin of(KernelRun run) {
        double ratio = 0;
        double collapsed = 0;
        List<List<Long>> latencies =
                List.of(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
        for (int phase = 0; phase < PHASES; phase++) {
            ServiceRun simulated =
                    ServiceSimulator.run(
                            run.setup(phase * run.quota().periodUs() / PHASES),
                            run.plan(),
                            RequestStream.of(run.requests()));
            ratio += simulated.throttledPeriodRatio().orElse(0) / PHASES;
            collapsed += simulated.requests().collapsed() ? 1.0 / PHASES : 0;
            for (int share = 0; share < SHARES.length; share++) {
                latencies.get(share).add(simulated.requests().latencyUs(SHARES[share]));
            }
        }
        long[] medians = new long[SHARES.length];
        for (int share = 0; share < SHARES.length; share++) {
            medians[share] = latencies.get(share).stream().sorted().toList().get(PHASES / 2);
        }
        return new Twin(ratio, medians, collapsed);
    }
}
