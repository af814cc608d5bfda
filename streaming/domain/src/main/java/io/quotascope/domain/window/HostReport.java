package io.quotascope.domain.window;

import java.util.ArrayList;
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
        AgentConduct conduct) {

    /**
     * One statement for each service and quota class that the host names. Settings that share a
     * label are one statement, so that the host counts once.
     */
    public List<HostStatement> statements() {
        Map<ServiceKey, HostStatement> byKey = new LinkedHashMap<>();
        for (ServiceRecords stated : serviceRecords) {
            ServiceKey key =
                    new ServiceKey(
                            origin, cluster, stated.service(), stated.bandwidth().quotaClass());
            HostStatement statement =
                    new HostStatement(
                            key,
                            windowStartUs,
                            stated.bandwidth().ofClass(),
                            stated.shardRecords(),
                            shape.kernelRelease());
            byKey.merge(key, statement, HostStatement::plus);
        }
        return new ArrayList<>(byKey.values());
    }
}
