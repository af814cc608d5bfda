package io.quotascope.domain.cfs;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Runs a workload on the CPUs of a host under a limit. Time moves from event to event, in whole
 * microseconds; the same setup and workload always give the same outcome.
 *
 * <p>Events of one instant happen in this order: refill, redistribution of slack, then for every
 * CPU by number the end of a piece of work or else a charge or the end of a turn, then the
 * workload's wake-ups in its own order, then idle CPUs by number take a waiting task from the
 * longest queue.
 */
public final class CfsSimulator {
    private final SimulationSetup setup;
    private final Workload workload;
    private final Optional<CpuLimit.Quota> quota;
    private final BandwidthPool pool;
    private final SimulationClock clock;
    private final RunQueue[] queues;
    private final RunningTask[] tasks;
    private final GroupState state;
    private final CpuAgenda completions;
    private final CpuAgenda timers;
    private final CpuSet due;
    private final TraceRecorder recorder;
    private final RunPlacement placement;
    private final long tickUs;
    private long gridEdgeUs = Workload.NEVER;

    private CfsSimulator(SimulationSetup setup, Workload workload) {
        this.setup = setup;
        this.workload = workload;
        quota =
                setup.limit() instanceof CpuLimit.Quota limited
                        ? Optional.of(limited)
                        : Optional.empty();
        // Asked at every event: a field that may be null is what keeps this loop cheap.
        pool = quota.map(limited -> new BandwidthPool(limited, setup.rules())).orElse(null);
        quota.ifPresent(limited -> gridEdgeUs = limited.refillAfter(0));
        tickUs = pool == null ? 0 : setup.rules().tickUs().orElse(0);
        int cpus = setup.limit().cpusOf(setup.hostCpus());
        clock = new SimulationClock(setup.cost(), cpus);
        queues = new RunQueue[cpus];
        Arrays.setAll(queues, cpu -> new RunQueue(clock, cpu));
        tasks = new RunningTask[workload.threads()];
        Arrays.setAll(tasks, number -> new RunningTask(number, number % cpus));
        state = new GroupState(cpus);
        completions = new CpuAgenda(cpus);
        timers = new CpuAgenda(cpus);
        due = new CpuSet(cpus);
        placement = new RunPlacement(queues, state);
        recorder = new TraceRecorder(setup.sampleIntervalUs());
    }

    /** The outcome of task plans over [0, horizon). */
    public static SimulationOutcome run(SimulationSetup setup, List<TaskPlan> plans) {
        PlannedWork work = new PlannedWork(plans);
        CfsSimulator simulator = new CfsSimulator(setup, work);
        simulator.runToHorizon();
        return simulator.outcome(work.burstEndsUs());
    }

    /** The outcome of a workload over [0, horizon); it has no bursts of its own to report. */
    public static SimulationOutcome run(SimulationSetup setup, Workload workload) {
        CfsSimulator simulator = new CfsSimulator(setup, workload);
        simulator.runToHorizon();
        return simulator.outcome(List.of());
    }

    private void runToHorizon() {
        while (clock.nowUs() < setup.horizonUs()) {
            settle();
            advance();
        }
    }

    private void settle() {
        if (pool != null) {
            runTimers();
        }
        serveDue();
        if (workload.actsAtUs() <= clock.nowUs()) {
            workload.act(clock.nowUs(), this::wake);
        }
        spread();
    }

    private void runTimers() {
        long nowUs = clock.nowUs();
        if (pool.refillAtUs() == nowUs) {
            recorder.refilled(nowUs, pool.refill(nowUs));
        }
        if (pool.slackAtUs() == nowUs) {
            pool.redistribute(nowUs);
        }
        for (RunQueue released : pool.takeReleased()) {
            touched(released);
            due.put(released.cpu(), true);
        }
    }

    private void serveDue() {
        long nowUs = clock.nowUs();
        completions.collect(clock.progress(), due);
        timers.collect(nowUs, due);
        if (tickUs > 0 && nowUs % tickUs == 0) {
            due.addAll(state.running());
        }
        for (int cpu = due.next(0); cpu != CpuSet.NONE; cpu = due.next(cpu + 1)) {
            due.put(cpu, false);
            RunQueue queue = queues[cpu];
            queue.catchUp();
            if (queue.isRunning()) {
                serve(queue);
                touched(queue);
            }
        }
    }

    private void serve(RunQueue queue) {
        RunningTask current = queue.current();
        if (current.left() <= 0) {
            long moreUs = workload.finished(current.number(), clock.nowUs());
            if (moreUs == 0) {
                depart(queue);
                return;
            }
            current.assign(moreUs);
        }
        if (isChargeDue(queue)) {
            charge(queue);
        }
        if (queue.isRunning() && turnLeftUs(queue) <= 0) {
            charge(queue);
            queue.rotate();
        }
    }

    private void depart(RunQueue queue) {
        boolean last = queue.size() == 1;
        boolean leftAsTheArticlesCount =
                last && queue.leftUs() == 0 && setup.rules().departure() == Departure.ARTICLE;
        if (pool == null || leftAsTheArticlesCount) {
            queue.settle();
            queue.removeCurrent();
            return;
        }
        pool.charge(queue, clock.nowUs());
        queue.removeCurrent();
        if (last) {
            pool.takeBack(queue, clock.nowUs());
        }
        pool.throttleIfSpent(queue, clock.nowUs());
    }

    private void wake(int thread, long workUs) {
        RunningTask task = tasks[thread];
        task.assign(workUs);
        place(task, placement.wakeUpCpu(task));
    }

    /** CPUs without a task, by number, take one from the longest queue. */
    private void spread() {
        if (state.crowded().isEmpty()) {
            return;
        }
        for (int cpu = state.free().next(0); cpu != CpuSet.NONE; cpu = state.free().next(cpu + 1)) {
            Optional<RunQueue> crowded = placement.crowdedQueue();
            if (crowded.isEmpty()) {
                return;
            }
            crowded.get().catchUp();
            RunningTask stolen = crowded.get().removeLast();
            touched(crowded.get());
            place(stolen, cpu);
        }
    }

    private void place(RunningTask task, int cpu) {
        RunQueue queue = queues[cpu];
        queue.catchUp();
        task.moveTo(cpu);
        queue.enqueue(task, clock.nowUs());
        charge(queue);
        touched(queue);
    }

    private void charge(RunQueue queue) {
        if (pool == null) {
            queue.settle();
            return;
        }
        pool.charge(queue, clock.nowUs());
        pool.throttleIfSpent(queue, clock.nowUs());
    }

    private boolean isChargeDue(RunQueue queue) {
        if (pool == null) {
            return false;
        }
        return tickUs > 0 ? clock.nowUs() % tickUs == 0 : queue.leftUs() <= 0;
    }

    private long turnLeftUs(RunQueue queue) {
        return queue.size() > 1 ? setup.timesliceUs() - queue.turnUs() : Workload.NEVER;
    }

    /** The queue has changed: note what it is and when it needs looking after. */
    private void touched(RunQueue queue) {
        state.note(queue);
        if (!queue.isRunning()) {
            completions.set(queue.cpu(), Workload.NEVER);
            timers.set(queue.cpu(), Workload.NEVER);
            return;
        }
        completions.set(queue.cpu(), clock.progress() + queue.current().left());
        long untilUs = turnLeftUs(queue);
        if (pool != null && tickUs == 0) {
            untilUs = Math.min(untilUs, queue.leftUs());
        }
        timers.set(
                queue.cpu(), untilUs == Workload.NEVER ? Workload.NEVER : clock.nowUs() + untilUs);
    }

    private void advance() {
        long nowUs = clock.nowUs();
        long untilUs = nextEventUs();
        recorder.passed(untilUs - nowUs, state);
        clock.advanceTo(untilUs, state.runningCpus());
        boolean end = untilUs == setup.horizonUs();
        if (end || untilUs == recorder.sampleEndUs()) {
            recorder.endSample(untilUs, stat());
        }
        if (quota.isPresent() && (end || untilUs == gridEdgeUs)) {
            recorder.endPeriod();
            gridEdgeUs = quota.get().refillAfter(untilUs);
        }
    }

    private long nextEventUs() {
        long nowUs = clock.nowUs();
        long next = Math.min(setup.horizonUs(), recorder.sampleEndUs());
        next = Math.min(next, Math.min(gridEdgeUs, timers.first()));
        next = Math.min(next, workload.actsAtUs());
        if (pool != null) {
            next = Math.min(next, pool.slackAtUs());
        }
        if (state.runningCpus() > 0) {
            next = Math.min(next, clock.reachesUs(completions.first(), state.runningCpus()));
            if (tickUs > 0) {
                next = Math.min(next, nowUs - nowUs % tickUs + tickUs);
            }
        }
        return next;
    }

    private CpuStat stat() {
        return pool == null ? CpuStat.NONE : pool.stat();
    }

    private SimulationOutcome outcome(List<List<Long>> burstEndsUs) {
        List<SimulationOutcome.CpuLeft> cpus = new ArrayList<>();
        for (RunQueue queue : queues) {
            queue.catchUp();
            long leftUs = pool == null ? 0 : queue.leftUs();
            cpus.add(new SimulationOutcome.CpuLeft(leftUs, queue.isThrottled()));
        }
        return new SimulationOutcome(
                stat(),
                recorder.article(),
                recorder.usageUs(),
                burstEndsUs,
                pool == null ? 0 : pool.runtimeUs(),
                cpus,
                recorder.samples(),
                recorder.periods());
    }
}
