package io.quotascope.validate.population;

import io.quotascope.domain.cfs.CpuCost;
import io.quotascope.domain.cfs.CpuLimit;
import io.quotascope.domain.cfs.KernelRules;
import io.quotascope.domain.cfs.offered.ArrivalLaw;
import io.quotascope.domain.cfs.offered.LoadCurve;
import io.quotascope.domain.cfs.offered.OfferedLoad;
import io.quotascope.domain.cfs.offered.RequestClass;
import io.quotascope.domain.cfs.offered.WorkLaw;
import io.quotascope.domain.cfs.service.Client;
import io.quotascope.domain.cfs.service.Pool;
import io.quotascope.domain.cfs.service.ServicePlan;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The service of the articles: 20 reserved cores on 64 CPUs, an untuned pool of 128 threads, light
 * requests beside ones that fan out into about 30 tasks of 5 ms, work that costs more the more CPUs
 * run; and its relatives.
 */
public final class ServiceOne {
    private static final long PERIOD_US = 100_000;
    private static final int QUEUE_TASKS = 1_000_000;

    /** Latencies are measured to their end. */
    private static final Client PATIENT = new Client(30_000_000, 0, 0);

    private ServiceOne() {}

    /** The service itself at a growth of cost. */
    public static Subject of(double kappa) {
        return subject("service-1 kappa " + kappa, 20, 64, 128, 30, 5_000, 0.3, kappa, 1);
    }

    static List<Subject> draw(long seed, int count) {
        List<Subject> drawn = new ArrayList<>();
        for (int number = 0; number < count; number++) {
            Chance chance = new Chance(seed, 20_000 + number);
            int cores = chance.whole(chance.factor(5, 20));
            drawn.add(
                    subject(
                            "s" + number,
                            cores,
                            chance.oneOf(48, 64, 96),
                            chance.whole(cores * chance.uniform(4, 8)),
                            chance.whole(cores * chance.uniform(0.5, 2)),
                            chance.factor(2_000, 8_000),
                            chance.uniform(0.1, 0.4),
                            chance.uniform(0.2, 0.6),
                            chance.seed()));
        }
        return drawn;
    }

    private static Subject subject(
            String name,
            int cores,
            int hostCpus,
            int threads,
            int fanOut,
            double taskUs,
            double logSd,
            double kappa,
            long seed) {
        // Nine tenths of the work is in the fan-outs, yet nearly all requests are light.
        double fanOuts = 0.9 * cores * 1e6 / (fanOut * taskUs);
        double light = 0.1 * cores * 1e6 / 500;
        List<RequestClass> kinds =
                List.of(
                        new RequestClass(
                                new ArrivalLaw.Modulated(fanOuts, logSd, 1_000_000),
                                1,
                                2 * fanOut,
                                new WorkLaw.Exponential(taskUs, 8)),
                        new RequestClass(
                                new ArrivalLaw.Modulated(light, logSd, 1_000_000),
                                1,
                                1,
                                new WorkLaw.Exponential(500, 8),
                                1));
        OfferedLoad load = new OfferedLoad(kinds, LoadCurve.constant(1), seed);
        return new Subject(
                name,
                hostCpus,
                new CpuLimit.Quota(cores * PERIOD_US, PERIOD_US, 0, 0),
                KernelRules.EXACT.withTicks(250),
                new CpuCost(kappa, cores),
                new ServicePlan(
                        PATIENT,
                        List.of(Pool.of(threads, QUEUE_TASKS), Pool.of(threads / 4, QUEUE_TASKS)),
                        Optional.empty(),
                        List.of()),
                load,
                load.offeredCores() / cores);
    }
}
