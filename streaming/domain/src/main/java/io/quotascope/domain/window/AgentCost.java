package io.quotascope.domain.window;

import java.util.Map;
import java.util.OptionalLong;

/**
 * What the collector itself cost, and what it lost.
 *
 * @param cpuUs CPU time of the agent in the window, microseconds
 * @param bpfRunUs CPU time of its BPF programs, microseconds; absent without eBPF
 * @param rssBytes resident memory, bytes
 * @param bpfMapBytes memory of BPF maps, bytes; absent without eBPF
 * @param spoolBytes bytes waiting in the spool
 * @param drops records dropped since the agent started, by reason
 */
public record AgentCost(
        long cpuUs,
        OptionalLong bpfRunUs,
        long rssBytes,
        OptionalLong bpfMapBytes,
        long spoolBytes,
        Map<String, Long> drops) {}
