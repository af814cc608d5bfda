package io.quotascope.domain.cfs;

import java.util.ArrayList;
import java.util.List;

/** Integrates usage and waiting over time; the engine stops at every sample and period edge. */
final class TraceRecorder {
    private final long sampleIntervalUs;
    private final List<TraceSample> samples = new ArrayList<>();
    private final List<SimulationOutcome.PeriodUse> periods = new ArrayList<>();
    private long sampleEndUs;
    private long sampleUsageUs;
    private long sampleRunnableUs;
    private long sampleStalledUs;
    private long sampleThrottledWallUs;
    private long usageUs;
    private long usageAtRefillUs;
    private long activePeriods;
    private long stalledPeriods;
    private boolean active;
    private boolean stalled;

    TraceRecorder(long sampleIntervalUs) {
        this.sampleIntervalUs = sampleIntervalUs;
        sampleEndUs = sampleIntervalUs;
    }

    long sampleEndUs() {
        return sampleEndUs;
    }

    /** The group was in this state for so long. */
    void passed(long elapsedUs, GroupState state) {
        long ranUs = elapsedUs * state.runningCpus();
        sampleUsageUs += ranUs;
        usageUs += ranUs;
        sampleRunnableUs += elapsedUs * state.runnableTasks();
        sampleStalledUs += elapsedUs * state.stalledTasks();
        boolean waits = state.stalledTasks() > 0;
        sampleThrottledWallUs += waits ? elapsedUs : 0;
        active |= waits || state.runnableTasks() > 0;
        stalled |= waits;
    }

    void endSample(long nowUs, CpuStat stat) {
        samples.add(
                new TraceSample(
                        nowUs,
                        sampleUsageUs,
                        sampleRunnableUs,
                        sampleStalledUs,
                        sampleThrottledWallUs,
                        stat));
        sampleEndUs = nowUs + sampleIntervalUs;
        sampleUsageUs = 0;
        sampleRunnableUs = 0;
        sampleStalledUs = 0;
        sampleThrottledWallUs = 0;
    }

    void endPeriod() {
        activePeriods += active ? 1 : 0;
        stalledPeriods += stalled ? 1 : 0;
        active = false;
        stalled = false;
    }

    /** The period timer fired. */
    void refilled(long nowUs, boolean foundThrottled) {
        periods.add(
                new SimulationOutcome.PeriodUse(nowUs, usageUs - usageAtRefillUs, foundThrottled));
        usageAtRefillUs = usageUs;
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

    List<SimulationOutcome.PeriodUse> periods() {
        return periods;
    }
}
