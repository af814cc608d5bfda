package io.quotascope.validate.population;

import io.quotascope.domain.cfs.CpuCost;
import io.quotascope.domain.cfs.CpuLimit;
import io.quotascope.domain.cfs.KernelRules;
import io.quotascope.domain.cfs.SimulationSetup;
import io.quotascope.domain.cfs.offered.OfferedLoad;
import io.quotascope.domain.cfs.service.ServicePlan;

/**
 * One service of a population.
 *
 * @param name number and family, for the reader
 * @param hostCpus CPUs of its host
 * @param quota its limit
 * @param rules the kernel's rules there
 * @param cost what its work costs
 * @param plan threads and clients
 * @param load what is asked of it; at load 1 it offers {@code utilization} of the quota
 * @param utilization offered cores / quota cores at load 1
 */
public record Subject(
        String name,
        int hostCpus,
        CpuLimit.Quota quota,
        KernelRules rules,
        CpuCost cost,
        ServicePlan plan,
        OfferedLoad load,
        double utilization) {
    /** Cores that the quota allows. */
    public double quotaCores() {
        return quota.quotaUs() / (double) quota.periodUs();
    }

    /** Threads of the service, as pids.current would say. */
    public int threads() {
        return plan.threads();
    }

    /** A run of it under a limit. */
    public SimulationSetup setup(CpuLimit limit, long horizonUs) {
        return SimulationSetup.of(hostCpus, limit, rules, horizonUs).with(cost);
    }

    /** The same with other threads and clients. */
    public Subject with(ServicePlan other) {
        return new Subject(name, hostCpus, quota, rules, cost, other, load, utilization);
    }

    /** The same on another kernel. */
    public Subject with(KernelRules other) {
        return new Subject(name, hostCpus, quota, other, cost, plan, load, utilization);
    }

    /** The same with other requests. */
    public Subject with(OfferedLoad other) {
        return new Subject(name, hostCpus, quota, rules, cost, plan, other, utilization);
    }
}
