package io.quotascope.domain.cfs.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotascope.domain.cfs.CpuCost;
import io.quotascope.domain.cfs.CpuLimit;
import io.quotascope.domain.cfs.KernelRules;
import io.quotascope.domain.cfs.SimulationSetup;
import io.quotascope.domain.cfs.TraceSample;
import io.quotascope.domain.cfs.offered.ArrivalLaw;
import io.quotascope.domain.cfs.offered.LoadCurve;
import io.quotascope.domain.cfs.offered.OfferedLoad;
import io.quotascope.domain.cfs.offered.RequestClass;
import io.quotascope.domain.cfs.offered.WorkLaw;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class ServiceLawsTest {
    private static final long HORIZON_US = 2_000_000;
    private static final Client PATIENT = new Client(10_000_000, 0, 0);

    @Property(tries = 60)
    void everyRequestIsAnsweredGivenUpOrOpen(
            @ForAll long seed,
            @ForAll @DoubleRange(min = 0.1, max = 2) double load,
            @ForAll @IntRange(min = 0, max = 3) int retries) {
        ServicePlan plan =
                new ServicePlan(
                        new Client(100_000, retries, 1_000L * (seed & 15)),
                        List.of(Pool.of(8, 200)),
                        Optional.of(new Collections(300_000, 4, 5_000)),
                        List.of(Loop.steady(1, 500, 20_000)));
        ServiceRequests requests = run(plan, mixed(seed).at(load), quota()).requests();
        long finished = requests.answered() + requests.givenUp();
        assertThat(requests.latenciesUs()).hasSize((int) finished);
        assertThat(finished).isLessThanOrEqualTo(requests.offered());
        assertThat(requests.attempts())
                .isBetween(requests.offered(), requests.offered() * (1 + retries));
        assertThat(requests.answered() + requests.timedOutAttempts() + requests.refusedAttempts())
                .isLessThanOrEqualTo(requests.attempts());
        assertThat(requests.latencyUs(1))
                .isLessThanOrEqualTo((1 + retries) * 100_000L + retries * 15_000L);
    }

    @Property(tries = 40)
    void settingsDoNotChangeWhatIsOffered(@ForAll long seed) {
        ServicePlan few = ServicePlan.of(PATIENT, Pool.of(1, 10));
        ServicePlan many = ServicePlan.of(PATIENT, Pool.of(40, 1_000_000));
        ServiceRequests tight = run(few, mixed(seed), quota()).requests();
        ServiceRequests roomy = run(many, mixed(seed), new CpuLimit.Unlimited()).requests();
        assertThat(tight.offered()).isEqualTo(roomy.offered());
        assertThat(tight.offeredWorkUs()).isEqualTo(roomy.offeredWorkUs());
    }

    @Property(tries = 40)
    void theSameRunIsTheSameRun(@ForAll long seed) {
        ServicePlan plan = ServicePlan.of(new Client(50_000, 2, 0), Pool.of(16, 1_000));
        ServiceRun one = run(plan, mixed(seed), quota());
        assertThat(run(plan, mixed(seed), quota())).isEqualTo(one);
    }

    @Property(tries = 40)
    void usageIsTheWorkThatWasDone(@ForAll long seed) {
        ServicePlan plan = ServicePlan.of(PATIENT, Pool.of(4, 100_000));
        // Requests stop at half of the run, so that all work is done by its end.
        OfferedLoad load = mixed(seed).at(new LoadCurve(0.5, 0, HORIZON_US / 2, 0));
        ServiceRun run = run(plan, load, new CpuLimit.Pinned(4));
        assertThat(run.requests().answered()).isEqualTo(run.requests().offered());
        assertThat(run.trace().usageUs()).isEqualTo(run.requests().offeredWorkUs());
    }

    @Property(tries = 40)
    void aCapOrFewerThreadsNeverRunMoreThanThat(
            @ForAll long seed, @ForAll @IntRange(min = 1, max = 6) int most) {
        ServicePlan small = ServicePlan.of(PATIENT, Pool.of(most, 100_000));
        ServicePlan large = ServicePlan.of(PATIENT, Pool.of(32, 100_000));
        for (ServiceRun run :
                List.of(
                        run(small, mixed(seed).at(3), quota()),
                        run(large, mixed(seed).at(3), new CpuLimit.ConcurrencyCap(most)))) {
            for (TraceSample sample : run.trace().samples()) {
                assertThat(sample.usageUs()).isLessThanOrEqualTo(10_000L * most);
            }
        }
    }

    @Test
    void workCostsMoreWhileMoreCpusRun() {
        // Eight tasks of 1 ms at once on eight CPUs cost 1 + 0.5 (8 - 4) / 4 = 1.5 ms each.
        Request burst =
                new Request(0, new long[] {1_000, 1_000, 1_000, 1_000, 1_000, 1_000, 1_000, 1_000});
        SimulationSetup setup =
                SimulationSetup.of(8, new CpuLimit.Unlimited(), KernelRules.EXACT, HORIZON_US)
                        .with(new CpuCost(0.5, 4));
        ServiceRun run =
                ServiceSimulator.run(
                        setup,
                        ServicePlan.of(PATIENT, Pool.of(8, 100)),
                        RequestStream.of(List.of(burst)));
        assertThat(run.requests().latenciesUs()).containsExactly(1_500);
        assertThat(run.trace().usageUs()).isEqualTo(8 * 1_500);
    }

    @Test
    void aCollectionWaitsForTasksAndHoldsTheOthersBack() {
        // The task runs 9..14 ms; the collection is due at 10 and runs 14..16; the second task,
        // there
        // since 11, runs 16..17.
        ServicePlan plan =
                new ServicePlan(
                        PATIENT,
                        List.of(Pool.of(2, 10)),
                        Optional.of(new Collections(10_000, 3, 2_000)),
                        List.of());
        List<Request> requests =
                List.of(
                        new Request(9_000, new long[] {5_000}),
                        new Request(11_000, new long[] {1_000}));
        SimulationSetup setup =
                SimulationSetup.of(8, new CpuLimit.Unlimited(), KernelRules.EXACT, 20_000);
        ServiceRun run = ServiceSimulator.run(setup, plan, RequestStream.of(requests));
        assertThat(run.requests().latenciesUs()).containsExactly(5_000, 6_000);
        assertThat(run.trace().usageUs()).isEqualTo(6_000 + 3 * 2_000);
    }

    @Test
    void retriesOfImpatientClientsAreWorkForNobody() {
        // One worker, 30 ms of work, clients leave after 20 ms and ask once more: the first attempt
        // is done at 30 (late), the second, asked at 20, at 60 (late too).
        ServicePlan plan = ServicePlan.of(new Client(20_000, 1, 0), Pool.of(1, 10));
        ServiceRequests requests =
                ServiceSimulator.run(
                                SimulationSetup.of(
                                        1, new CpuLimit.Unlimited(), KernelRules.EXACT, 100_000),
                                plan,
                                RequestStream.of(List.of(new Request(0, new long[] {30_000}))))
                        .requests();
        assertThat(requests.lateAnswers()).isEqualTo(2);
        assertThat(requests.givenUp()).isEqualTo(1);
        assertThat(requests.latenciesUs()).containsExactly(40_000);
    }

    @Test
    void aServerThatKnowsDeadlinesDropsWhatNobodyWaitsFor() {
        ServicePlan plan = ServicePlan.of(new Client(20_000, 0, 0), new Pool(1, 10, true));
        List<Request> requests =
                List.of(new Request(0, new long[] {30_000}), new Request(1, new long[] {30_000}));
        ServiceRun run =
                ServiceSimulator.run(
                        SimulationSetup.of(1, new CpuLimit.Unlimited(), KernelRules.EXACT, 100_000),
                        plan,
                        RequestStream.of(requests));
        assertThat(run.requests().droppedTasks()).isEqualTo(1);
        assertThat(run.trace().usageUs()).isEqualTo(30_000);
    }

    private static OfferedLoad mixed(long seed) {
        return new OfferedLoad(
                List.of(
                        new RequestClass(
                                new ArrivalLaw.Modulated(20, 0.5, 200_000),
                                2,
                                12,
                                new WorkLaw.Exponential(4_000, 8)),
                        new RequestClass(
                                new ArrivalLaw.OnOff(200, 10, 100_000, 300_000, 1.5),
                                1,
                                1,
                                new WorkLaw.Pareto(2_000, 1.5, 50))),
                LoadCurve.constant(1),
                seed);
    }

    private static CpuLimit quota() {
        return new CpuLimit.Quota(100_000, 100_000, 0, 0);
    }

    private static ServiceRun run(ServicePlan plan, OfferedLoad load, CpuLimit limit) {
        SimulationSetup setup = SimulationSetup.of(8, limit, KernelRules.EXACT, HORIZON_US);
        return ServiceSimulator.run(setup, plan, load.requests(HORIZON_US));
    }
}
