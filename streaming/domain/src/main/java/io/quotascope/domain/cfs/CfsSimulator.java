package io.quotascope.domain.cfs;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Runs task plans on the CPUs of a host under a limit. Time moves from event to event, in whole
 * microseconds; the same setup and plans always give the same outcome.
 *
 * <p>Events of one instant happen in this order: refill, redistribution of slack, then for every
 * CPU by number the end of a burst or else a charge or the end of a turn, then wake-ups by task
 * number, then idle CPUs by number take a waiting task from the longest queue.
 */
public final class CfsSimulator {
    private final SimulationSetup setup;
    private final Optional<CpuLimit.Quota> quota;
    private final Optional<BandwidthPool> pool;
    private final RunQueue[] queues;
    private final List<RunningTask> tasks = new ArrayList<>();
    private final TraceRecorder recorder;
    private final RunPlacement placement;
    private long nowUs;

    private CfsSimulator(SimulationSetup setup, List<TaskPlan> plans) {
        this.setup = setup;
        quota =
                setup.limit() instanceof CpuLimit.Quota limited
                        ? Optional.of(limited)
                        : Optional.empty();
        pool = quota.map(limited -> new BandwidthPool(limited, setup.rules()));
        queues = new RunQueue[setup.limit().cpusOf(setup.hostCpus())];
        Arrays.setAll(queues, cpu -> new RunQueue());
        placement = new RunPlacement(queues);
        for (TaskPlan plan : plans) {
            tasks.add(new RunningTask(plan, tasks.size() % queues.length));
        }
        recorder = new TraceRecorder(setup.sampleIntervalUs());
    }

    /** The outcome of one run over [0, horizon). */
    public static SimulationOutcome run(SimulationSetup setup, List<TaskPlan> plans) {
        CfsSimulator simulator = new CfsSimulator(setup, plans);
        while (simulator.nowUs < setup.horizonUs()) {
            simulator.settle();
            simulator.advance();
        }
        return simulator.outcome();
    }

    private void settle() {
        if (pool.isPresent() && pool.get().refillAtUs() == nowUs) {
            pool.get().refill(nowUs);
        }
        if (pool.isPresent() && pool.get().slackAtUs() == nowUs) {
            pool.get().redistribute(nowUs);
        }
        for (RunQueue queue : queues) {
            if (queue.isRunning()) {
                serve(queue);
            }
        }
        for (RunningTask task : tasks) {
            if (task.wakesAtUs() <= nowUs) {
                task.wake();
                place(task, placement.wakeUpCpu(task));
            }
        }
        for (int cpu = 0; cpu < queues.length; cpu++) {
            Optional<RunningTask> stolen = placement.steal(cpu);
            if (stolen.isPresent()) {
                place(stolen.get(), cpu);
            }
        }
    }

    private void serve(RunQueue queue) {
        if (queue.current().leftUs() == 0) {
            depart(queue);
            return;
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
        if (pool.isEmpty() || leftAsTheArticlesCount) {
            queue.settle();
            queue.removeCurrent().endBurst(nowUs);
            return;
        }
        pool.get().charge(queue, nowUs);
        queue.removeCurrent().endBurst(nowUs);
        if (last) {
            pool.get().takeBack(queue, nowUs);
        }
        pool.get().throttleIfSpent(queue, nowUs);
    }

    private void place(RunningTask task, int cpu) {
        task.moveTo(cpu);
        queues[cpu].enqueue(task, nowUs);
        charge(queues[cpu]);
    }

    private void charge(RunQueue queue) {
        if (pool.isEmpty()) {
            queue.settle();
            return;
        }
        pool.get().charge(queue, nowUs);
        pool.get().throttleIfSpent(queue, nowUs);
    }

    private boolean isChargeDue(RunQueue queue) {
        if (pool.isEmpty()) {
            return false;
        }
        return setup.rules().tickUs().isPresent()
                ? nowUs % setup.rules().tickUs().getAsLong() == 0
                : queue.leftUs() <= 0;
    }

    private long turnLeftUs(RunQueue queue) {
        return queue.size() > 1 ? setup.timesliceUs() - queue.turnUs() : Long.MAX_VALUE;
    }

    private void advance() {
        long untilUs = nextEventUs();
        long elapsedUs = untilUs - nowUs;
        int running = 0;
        int runnable = 0;
        int stalled = 0;
        for (RunQueue queue : queues) {
            if (queue.isRunning()) {
                running++;
                runnable += queue.size();
                queue.ran(elapsedUs);
            } else {
                stalled += queue.size();
            }
        }
        recorder.passed(elapsedUs, running, runnable, stalled);
        closeIntervals(untilUs);
        nowUs = untilUs;
    }

    private void closeIntervals(long untilUs) {
        boolean end = untilUs == setup.horizonUs();
        if (end || untilUs == recorder.sampleEndAfter(nowUs)) {
            recorder.endSample(untilUs, stat());
        }
        if (quota.isPresent() && (end || untilUs == quota.get().refillAfter(nowUs))) {
            recorder.endPeriod();
        }
    }

    private long nextEventUs() {
        long next = Math.min(setup.horizonUs(), recorder.sampleEndAfter(nowUs));
        if (quota.isPresent()) {
            next = Math.min(next, quota.get().refillAfter(nowUs));
            next = Math.min(next, pool.get().slackAtUs());
        }
        for (RunQueue queue : queues) {
            if (queue.isRunning()) {
                next = Math.min(next, nowUs + untilServedUs(queue));
            }
        }
        for (RunningTask task : tasks) {
            next = Math.min(next, task.wakesAtUs());
        }
        return next;
    }

    private long untilServedUs(RunQueue queue) {
        long untilUs = queue.current().leftUs();
        if (queue.size() > 1) {
            untilUs = Math.min(untilUs, turnLeftUs(queue));
        }
        if (pool.isEmpty()) {
            return untilUs;
        }
        if (setup.rules().tickUs().isEmpty()) {
            return Math.min(untilUs, queue.leftUs());
        }
        long tickUs = setup.rules().tickUs().getAsLong();
        return Math.min(untilUs, tickUs - nowUs % tickUs);
    }

    private CpuStat stat() {
        return pool.map(BandwidthPool::stat).orElse(new CpuStat(0, 0, 0, 0, 0));
    }

    private SimulationOutcome outcome() {
        List<SimulationOutcome.CpuLeft> cpus = new ArrayList<>();
        for (RunQueue queue : queues) {
            long leftUs = pool.isPresent() ? queue.leftUs() : 0;
            cpus.add(new SimulationOutcome.CpuLeft(leftUs, queue.isThrottled()));
        }
        return new SimulationOutcome(
                stat(),
                recorder.article(),
                recorder.usageUs(),
                tasks.stream().map(RunningTask::burstEndsUs).toList(),
                pool.map(BandwidthPool::runtimeUs).orElse(0L),
                cpus,
                recorder.samples());
    }
}
