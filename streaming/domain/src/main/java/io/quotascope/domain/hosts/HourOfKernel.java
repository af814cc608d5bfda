package io.quotascope.domain.hosts;

import io.quotascope.domain.kernel.HostKernelFinding;
import io.quotascope.domain.kernel.StrandedShards;

/**
 * A finding about the kernel of a host in one hour, with what its row says beside it.
 *
 * @param hour the host's hour
 * @param seen what the host's shards under that kernel showed
 * @param finding the finding
 */
public record HourOfKernel(HostHour hour, StrandedShards seen, HostKernelFinding finding) {}
