package io.quotascope.validate.truth;

import io.quotascope.domain.cfs.CpuLimit;
import io.quotascope.domain.cfs.SimulationSetup;
import io.quotascope.domain.cfs.offered.ArrivalLaw;
import io.quotascope.domain.cfs.offered.OfferedLoad;
import io.quotascope.domain.cfs.offered.RequestClass;
import io.quotascope.domain.cfs.service.Pool;
import io.quotascope.domain.cfs.service.ServicePlan;
import io.quotascope.domain.cfs.service.ServiceRun;
import io.quotascope.domain.cfs.service.ServiceSimulator;
import io.quotascope.validate.estimate.Scenario;
import io.quotascope.validate.population.Subject;
import java.util.function.DoublePredicate;
import java.util.function.DoubleSupplier;

/** Truths about one subject; loads are multiples of the subject's load 1. */
public final class Truths {
    /** Horizon of collapse: the load is offered to an empty service for so long. */
    public static final long COLLAPSE_HORIZON_US = 40_000_000;

    private static final long CAPACITY_HORIZON_US = 20_000_000;
    private static final long PULSE_AT_US = 10_000_000;
    private static final long PULSE_US = 1_000_000;
    private static final double PULSE_QUOTAS = 3;

    /** Bisection ends when the bounds are this factor apart. */
    private static final double PRECISION = 1.015;

    private static final double LEAST_OF_QUOTA = 0.05;
    private static final double MOST_OF_QUOTA = 1.5;

    /**
     * A salt for each kind of run, so that no truth is found with the arrivals that were observed.
     */
    private static final long COLLAPSE_SALT = 101;

    private static final long LOAD_SALT = 303;

    private final TruthCache cache;

    /** Truths kept in a cache. */
    public Truths(TruthCache cache) {
        this.cache = cache;
    }

    /**
     * Throttled period ratio of a subject after a change, over a horizon. The same requests come as
     * in the observation, unless the load is another.
     */
    public double throttledPeriodRatio(Subject subject, Scenario scenario, long horizonUs) {
        return cache.ask(
                "ratio " + subject + scenario + horizonUs,
                () -> {
                    long seed = subject.load().seed();
                    OfferedLoad load = subject.load().at(scenario.loadMultiple());
                    load = scenario.loadMultiple() == 1 ? load : load.seeded(seed + LOAD_SALT);
                    ServicePlan plan = subject.plan();
                    if (scenario.poolThreads().isPresent()) {
                        plan = plan.with(pool(subject, scenario.poolThreads().getAsInt()));
                    }
                    SimulationSetup setup = subject.setup(scenario.limit(), horizonUs);
                    return ServiceSimulator.run(setup, plan, load.requests(horizonUs))
                            .throttledPeriodRatio()
                            .orElse(0);
                });
    }

    /** A truth of another kind of run: asked once, then known. */
    public double ask(String question, DoubleSupplier simulate) {
        return cache.ask(question, simulate);
    }

    /** Smallest load at which the empty service collapses within the horizon. */
    public double collapseLoad(Subject subject) {
        return cache.ask(
                "collapse " + subject,
                () -> leastLoad(subject, load -> collapses(subject, load, false)));
    }

    /** Largest load at which it returns to health after the standard pulse. */
    public double recoveryLoad(Subject subject) {
        return cache.ask(
                "recovery " + subject,
                () -> leastLoad(subject, load -> collapses(subject, load, true)));
    }

    /** Largest load at which the 99th percentile of latency stays within the objective. */
    public double capacity(Subject subject, Scenario fix, long objectiveUs) {
        return cache.ask(
                "capacity " + subject + fix + objectiveUs,
                () -> leastLoad(subject, load -> latencyUs(subject, fix, load) > objectiveUs));
    }

    /** One run of a subject at a load, as it is, with the arrivals that observations see. */
    public static ServiceRun observed(Subject subject, OfferedLoad load, long horizonUs) {
        return ServiceSimulator.run(
                subject.setup(subject.quota(), horizonUs),
                subject.plan(),
                load.requests(horizonUs));
    }

    private static double latencyUs(Subject subject, Scenario fix, double load) {
        ServicePlan plan = subject.plan();
        if (fix.poolThreads().isPresent()) {
            plan = plan.with(pool(subject, fix.poolThreads().getAsInt()));
        }
        return ServiceSimulator.run(
                        subject.setup(fix.limit(), CAPACITY_HORIZON_US),
                        plan,
                        subject.load()
                                .at(load)
                                .seeded(subject.load().seed() + LOAD_SALT)
                                .requests(CAPACITY_HORIZON_US))
                .requests()
                .latencyUs(0.99);
    }

    private static boolean collapses(Subject subject, double load, boolean pulsed) {
        long horizonUs = COLLAPSE_HORIZON_US;
        OfferedLoad offered = subject.load().at(load).seeded(subject.load().seed() + COLLAPSE_SALT);
        if (pulsed) {
            RequestClass kind = subject.load().classes().get(0);
            double perSecond = PULSE_QUOTAS * subject.quotaCores() * 1e6 / kind.requestWorkUs();
            offered =
                    offered.plus(
                            kind.with(
                                    new ArrivalLaw.Pulse(
                                            PULSE_AT_US, PULSE_AT_US + PULSE_US, perSecond)));
        }
        CpuLimit limit = subject.quota();
        return ServiceSimulator.run(
                        subject.setup(limit, horizonUs),
                        subject.plan(),
                        offered.requests(horizonUs))
                .requests()
                .collapsed();
    }

    /** The load from which something happens, by bisection between 5 % and 150 % of the quota. */
    private static double leastLoad(Subject subject, DoublePredicate happens) {
        double low = LEAST_OF_QUOTA / subject.utilization();
        double high = MOST_OF_QUOTA / subject.utilization();
        while (high / low > PRECISION) {
            double middle = Math.sqrt(low * high);
            if (happens.test(middle)) {
                high = middle;
            } else {
                low = middle;
            }
        }
        return Math.sqrt(low * high);
    }

    private static Pool pool(Subject subject, int threads) {
        Pool now = subject.plan().pools().get(0);
        return new Pool(threads, now.queueTasks(), now.dropsExpired());
    }
}
