package io.quotascope.domain.cfs;

import java.util.ArrayList;
import java.util.List;

/** Integrates usage and waiting over time; the engine stops at every sample and period edge. */
final class TraceRecorder {
    private final long sampleIntervalUs;
    private final List<TraceSample> samples = new ArrayList<>();
    private long sampleUsageUs;
    private long sampleRunnableUs;
    private long sampleStalledUs;
    private long usageUs;
    private long activePeriods;
    private long stalledPeriods;
    private boolean active;
    private boolean stalled;

    TraceRecorder(long sampleIntervalUs) {
        this.sampleIntervalUs = sampleIntervalUs;
    }

    long sampleEndAfter(long nowUs) {
        return (Math.floorDiv(nowUs, sampleIntervalUs) + 1) * sampleIntervalUs;
    }

    /** So many CPUs ran and so many tasks were runnable or stalled for this long. */
    void passed(long elapsedUs, int running, int runnable, int waitingThrottled) {
        sampleUsageUs += elapsedUs * running;
        sampleRunnableUs += elapsedUs * runnable;
        sampleStalledUs += elapsedUs * waitingThrottled;
        usageUs += elapsedUs * running;
        active |= runnable + waitingThrottled > 0;
        stalled |= waitingThrottled > 0;
    }

    void endSample(long nowUs, CpuStat stat) {
        samples.add(new TraceSample(nowUs, sampleUsageUs, sampleRunnableUs, sampleStalledUs, stat));
        sampleUsageUs = 0;
        sampleRunnableUs = 0;
        sampleStalledUs = 0;
    }

    void endPeriod() {
        activePeriods += active ? 1 : 0;
        stalledPeriods += stalled ? 1 : 0;
        active = false;
        stalled = false;
    }

    long usageUs() {
        return usageUs;
    }

    SimulationOutcome.ArticleCounts article() {
        return new SimulationOutcome.ArticleCounts(activePeriods, stalledPeriods);
    }

    List<TraceSample> samples() {
        return samples;
    }
}
