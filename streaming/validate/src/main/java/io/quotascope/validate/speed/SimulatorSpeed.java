package io.quotascope.validate.speed;

import io.quotascope.domain.cfs.CpuCost;
import io.quotascope.domain.cfs.CpuLimit;
import io.quotascope.domain.cfs.KernelRules;
import io.quotascope.domain.cfs.SimulationSetup;
import io.quotascope.domain.cfs.offered.ArrivalLaw;
import io.quotascope.domain.cfs.offered.LoadCurve;
import io.quotascope.domain.cfs.offered.OfferedLoad;
import io.quotascope.domain.cfs.offered.RequestClass;
import io.quotascope.domain.cfs.offered.WorkLaw;
import io.quotascope.domain.cfs.service.Client;
import io.quotascope.domain.cfs.service.Pool;
import io.quotascope.domain.cfs.service.ServicePlan;
import io.quotascope.domain.cfs.service.ServiceRun;
import io.quotascope.domain.cfs.service.ServiceSimulator;
import java.lang.management.ManagementFactory;
import java.util.List;

/**
 * Prints the CPU time of simulating 20 s of a service of 20 cores on 64 CPUs: make bench-simulator.
 */
public final class SimulatorSpeed {
    private static final long HORIZON_US = 20_000_000;
    private static final int ROUNDS = 12;

    private SimulatorSpeed() {}

    /** No arguments. */
    public static void main(String[] arguments) {
        OfferedLoad load =
                new OfferedLoad(
                        List.of(
                                new RequestClass(
                                        new ArrivalLaw.Modulated(60, 0.3, 500_000),
                                        10,
                                        50,
                                        new WorkLaw.Exponential(5_000, 8)),
                                new RequestClass(
                                        new ArrivalLaw.Steady(3_000),
                                        1,
                                        1,
                                        new WorkLaw.Exponential(1_000, 8))),
                        LoadCurve.constant(1),
                        7);
        ServicePlan plan = ServicePlan.of(new Client(200_000, 2, 0), Pool.of(128, 1_000_000));
        System.out.println(
                "| charged | kappa | load | CPU ms, best of "
                        + ROUNDS
                        + " | requests | throttled |");
        System.out.println("|---|---|---|---|---|---|");
        for (KernelRules rules : List.of(KernelRules.EXACT, KernelRules.EXACT.withTicks(250))) {
            for (double kappa : new double[] {0, 0.4}) {
                for (double multiple : new double[] {0.6, 1.3}) {
                    SimulationSetup setup =
                            SimulationSetup.of(
                                            64,
                                            new CpuLimit.Quota(2_000_000, 100_000, 0, 0),
                                            rules,
                                            HORIZON_US)
                                    .with(new CpuCost(kappa, 20));
                    print(setup, plan, load.at(multiple));
                }
            }
        }
    }

    private static void print(SimulationSetup setup, ServicePlan plan, OfferedLoad load) {
        long best = Long.MAX_VALUE;
        ServiceRun run = null;
        for (int round = 0; round < ROUNDS; round++) {
            long before = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
            run = ServiceSimulator.run(setup, plan, load.requests(HORIZON_US));
            best =
                    Math.min(
                            best,
                            ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - before);
        }
        System.out.printf(
                "| %s | %.1f | %.1f of %.0f cores | %.0f | %d | %.0f %% |%n",
                setup.rules().tickUs().isPresent() ? "at ticks" : "exactly",
                setup.cost().kappa(),
                load.load().from() * load.offeredCores(),
                20.0,
                best / 1e6,
                run.requests().offered(),
                100 * run.throttledPeriodRatio().orElse(0));
    }
}
