package io.quotascope.domain.hosts;

import io.quotascope.domain.kernel.HostKernelFinding;
import io.quotascope.domain.kernel.StrandedShards;
import java.util.ArrayList;
import java.util.List;

/**
 * A finding about the kernel of a host in one hour, with what its row says beside it.
 *
 * @param hour the host's hour
 * @param seen what the host's shards under that kernel showed
 * @param finding the finding
 */
public record HourOfKernel(HostHour hour, StrandedShards seen, HostKernelFinding finding) {

    /** A finding for each kernel that the host ran in the hour and each rule. */
    public static List<HourOfKernel> of(HostHour hour, HostShards shards) {
        List<HourOfKernel> findings = new ArrayList<>();
        shards.byKernel(hour.tally().kernels(), hour.cpus())
                .forEach(
                        (release, seen) ->
                                HostKernelFinding.of(release, seen)
                                        .forEach(
                                                finding ->
                                                        findings.add(
                                                                new HourOfKernel(
                                                                        hour, seen, finding))));
        return findings;
    }
}
