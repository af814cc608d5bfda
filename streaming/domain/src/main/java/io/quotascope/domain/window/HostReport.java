package io.quotascope.domain.window;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One host in one window of 10 s: the domain's form of HostWindow, as sent and unchecked (see
 * {@link Validation}).
 *
 * @param sender who sent it
 * @param origin where the numbers come from
 * @param cluster named part of the fleet
 * @param windowStartUs start, microseconds since the Unix epoch, UTC
 * @param load what the host did
 * @param shape what the host is
 * @param shardRecords shard records handed over for this window
 * @param serviceRecords the same by service and setting
 * @param untrackedCgroups cgroups that no path rule matched
 * @param overflowCgroups cgroups beyond the cap
 * @param agent what the collector cost
 * @param conduct what the collector did without
 * @param firstRecords records of the window before that come with those of this one: first ones of
 *     shards that were newborn then
 */
public record HostReport(
        Sender sender,
        Origin origin,
        String cluster,
        long windowStartUs,
        HostLoad load,
        HostShape shape,
        int shardRecords,
        List<ServiceRecords> serviceRecords,
        int untrackedCgroups,
        int overflowCgroups,
        AgentCost agent,
        AgentConduct conduct,
        List<ServiceRecords> firstRecords) {
    /** A host without newborn shards. */
    public HostReport(
            Sender sender,
            Origin origin,
            String cluster,
            long windowStartUs,
            HostLoad load,
            HostShape shape,
            int shardRecords,
            List<ServiceRecords> serviceRecords,
            int untrackedCgroups,
            int overflowCgroups,
            AgentCost agent,
            AgentConduct conduct) {
        this(
                sender,
                origin,
                cluster,
                windowStartUs,
                load,
                shape,
                shardRecords,
                serviceRecords,
                untrackedCgroups,
                overflowCgroups,
                agent,
                conduct,
                List.of());
    }

    /**
     * One statement for each service and quota class that the host names, of its window and, about
     * first records, of the window before. Settings that share a label are one statement, so that
     * the host counts once.
     */
    public List<HostStatement> statements() {
        List<HostStatement> all = new ArrayList<>(together(serviceRecords, windowStartUs, false));
        all.addAll(together(firstRecords, windowStartUs - WindowPart.WINDOW_US, true));
        return all;
    }

    private Collection<HostStatement> together(
            List<ServiceRecords> records, long startUs, boolean first) {
        Map<ServiceKey, HostStatement> byKey = new LinkedHashMap<>();
        for (ServiceRecords stated : records) {
            ServiceKey key =
                    new ServiceKey(
                            origin, cluster, stated.service(), stated.bandwidth().quotaClass());
            HostStatement statement =
                    new HostStatement(
                            key,
                            startUs,
                            stated.bandwidth().ofClass(),
                            stated.shardRecords(),
                            shape.kernelRelease(),
                            first);
            byKey.merge(key, statement, HostStatement::plus);
        }
        return byKey.values();
    }
}
