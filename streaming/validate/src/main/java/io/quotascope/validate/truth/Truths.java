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

    /** Runs that vote on a collapse load: one of them repeats only to a tenth. */
    public static final int VOTES = 15;

    /** The same on a capacity. */
    public static final int CAPACITY_VOTES = 5;

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

    /** Between the requests of one voting run and the next. */
    private static final long VOTE_SALT = 7_001;

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

    /**
     * Smallest load at which the empty service collapses within the horizon in most of {@value
     * #VOTES} runs with different requests.
     */
    public double collapseLoad(Subject subject) {
        return collapseLoad(subject, 0);
    }

    /**
     * The same, found once more with other requests.
     *
     * @param repeat 0 = the truth itself
     */
    public double collapseLoad(Subject subject, int repeat) {
        return cache.ask(
                "collapse in most of " + VOTES + " runs " + repeat + ' ' + subject,
                () -> {
                    DoublePredicate[] runs = new DoublePredicate[VOTES];
                    for (int run = 0; run < VOTES; run++) {
                        long salt = COLLAPSE_SALT + VOTE_SALT * (VOTES * repeat + run);
                        runs[run] = load -> collapses(subject, load, salt, false);
                    }
                    return vote(subject, collapseOfOneRun(subject, 0), runs);
                });
    }

    /**
     * Smallest load from which one run does not return to health after the standard pulse; the
     * collapse load where that is smaller.
     */
    public double recoveryLoad(Subject subject) {
        return Math.min(collapseLoad(subject), ofOneRun(subject, true, 0));
    }

    /**
     * Smallest load at which one run collapses.
     *
     * @param repeat 0 = the first run of the vote
     */
    public double collapseOfOneRun(Subject subject, int repeat) {
        return ofOneRun(subject, false, repeat);
    }

    private static double vote(Subject subject, double first, DoublePredicate... runs) {
        return new LoadVote(runs)
                .load(
                        first,
                        LEAST_OF_QUOTA / subject.utilization(),
                        MOST_OF_QUOTA / subject.utilization());
    }

    private double ofOneRun(Subject subject, boolean pulsed, int repeat) {
        long salt = COLLAPSE_SALT + VOTE_SALT * VOTES * repeat;
        return cache.ask(
                name(pulsed) + (repeat == 0 ? "" : repeat + " ") + subject,
                () -> leastLoad(subject, load -> collapses(subject, load, salt, pulsed)));
    }

    private static String name(boolean pulsed) {
        return pulsed ? "recovery " : "collapse ";
    }

    /**
     * Largest load at which the 99th percentile of latency stays within the objective in most of
     * {@value #CAPACITY_VOTES} runs with different requests.
     */
    public double capacity(Subject subject, Scenario fix, long objectiveUs) {
        String question = subject + fix.toString() + objectiveUs;
        double first =
                cache.ask(
                        "capacity " + question,
                        () ->
                                leastLoad(
                                        subject,
                                        load ->
                                                latencyUs(subject, fix, load, LOAD_SALT)
                                                        > objectiveUs));
        return cache.ask(
                "capacity in most of " + CAPACITY_VOTES + " runs " + question,
                () -> {
                    DoublePredicate[] runs = new DoublePredicate[CAPACITY_VOTES];
                    for (int run = 0; run < CAPACITY_VOTES; run++) {
                        long salt = LOAD_SALT + VOTE_SALT * run;
                        runs[run] = load -> latencyUs(subject, fix, load, salt) > objectiveUs;
                    }
                    return vote(subject, first, runs);
                });
    }

    /** One run of a subject at a load, as it is, with the arrivals that observations see. */
    public static ServiceRun observed(Subject subject, OfferedLoad load, long horizonUs) {
        return ServiceSimulator.run(
                subject.setup(subject.quota(), horizonUs),
                subject.plan(),
                load.requests(horizonUs));
    }

    /** Whether such a run shows a service that has not collapsed. */
    public boolean isSeenHealthy(Subject subject, double load, long horizonUs) {
        double collapsed =
                cache.ask(
                        "seen collapsed " + load + ' ' + horizonUs + ' ' + subject,
                        () ->
                                observed(subject, subject.load().at(load), horizonUs)
                                                .requests()
                                                .collapsed()
                                        ? 1
                                        : 0);
        return collapsed == 0;
    }

    private static double latencyUs(Subject subject, Scenario fix, double load, long salt) {
        ServicePlan plan = subject.plan();
        if (fix.poolThreads().isPresent()) {
            plan = plan.with(pool(subject, fix.poolThreads().getAsInt()));
        }
        return ServiceSimulator.run(
                        subject.setup(fix.limit(), CAPACITY_HORIZON_US),
                        plan,
                        subject.load()
                                .at(load)
                                .seeded(subject.load().seed() + salt)
                                .requests(CAPACITY_HORIZON_US))
                .requests()
                .latencyUs(0.99);
    }

    private static boolean collapses(Subject subject, double load, long salt, boolean pulsed) {
        long horizonUs = COLLAPSE_HORIZON_US;
        OfferedLoad offered = subject.load().at(load).seeded(subject.load().seed() + salt);
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
