package io.quotascope.fleetsim.fleet;

/**
 * A host.
 *
 * @param number index in the fleet
 * @param id host id
 * @param cluster cluster
 * @param kernel kernel
 * @param cpus CPUs
 * @param agentEpoch start of its collector, microseconds since the Unix epoch
 * @param noisy whether work outside of every cgroup of ours saturates it
 */
public record Host(
        int number,
        String id,
        String cluster,
        KernelMix kernel,
        int cpus,
        long agentEpoch,
        boolean noisy) {}
