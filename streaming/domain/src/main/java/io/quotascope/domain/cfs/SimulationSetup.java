package io.quotascope.domain.cfs;

/**
 * Everything but the work.
 *
 * @param hostCpus CPUs of the host, idle but for this group
 * @param timesliceUs turn of a task while others wait on its CPU
 * @param limit what limits the group
 * @param rules how the kernel enforces it
 * @param cost what work costs
 * @param sampleIntervalUs length of one trace sample
 * @param horizonUs the run covers [0, horizon)
 */
public record SimulationSetup(
        int hostCpus,
        long timesliceUs,
        CpuLimit limit,
        KernelRules rules,
        CpuCost cost,
        long sampleIntervalUs,
        long horizonUs) {
    /**
     * A run that can be made.
     *
     * @throws IllegalArgumentException when a value is outside its range
     */
    public SimulationSetup {
        Ranges.atLeast(1, hostCpus, "hostCpus");
        Ranges.atLeast(1, timesliceUs, "timesliceUs");
        Ranges.atLeast(1, sampleIntervalUs, "sampleIntervalUs");
        Ranges.atLeast(1, horizonUs, "horizonUs");
    }

    /** 4 ms turns, work that costs its own length, and 10 ms samples. */
    public static SimulationSetup of(
            int hostCpus, CpuLimit limit, KernelRules rules, long horizonUs) {
        return new SimulationSetup(
                hostCpus, 4_000, limit, rules, CpuCost.CONSTANT, 10_000, horizonUs);
    }

    /** The same with another limit. */
    public SimulationSetup with(CpuLimit other) {
        return new SimulationSetup(
                hostCpus, timesliceUs, other, rules, cost, sampleIntervalUs, horizonUs);
    }

    /** The same with other rules. */
    public SimulationSetup with(KernelRules other) {
        return new SimulationSetup(
                hostCpus, timesliceUs, limit, other, cost, sampleIntervalUs, horizonUs);
    }

    /** The same with work that costs something else. */
    public SimulationSetup with(CpuCost other) {
        return new SimulationSetup(
                hostCpus, timesliceUs, limit, rules, other, sampleIntervalUs, horizonUs);
    }

    /** The same over another time. */
    public SimulationSetup lasting(long otherHorizonUs) {
        return new SimulationSetup(
                hostCpus, timesliceUs, limit, rules, cost, sampleIntervalUs, otherHorizonUs);
    }
}
