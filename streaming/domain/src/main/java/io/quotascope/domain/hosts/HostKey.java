package io.quotascope.domain.hosts;

import io.quotascope.domain.window.HostReport;
import io.quotascope.domain.window.Origin;
import io.quotascope.domain.window.ShardWindow;

/**
 * What rows of hosts are about.
 *
 * @param origin where the numbers come from
 * @param cluster named part of the fleet
 * @param hostId stable identity of the host
 */
public record HostKey(Origin origin, String cluster, String hostId) {
    /** The host of a shard's window. */
    public static HostKey of(ShardWindow window) {
        return new HostKey(window.origin(), window.cluster(), window.sender().hostId());
    }

    /** The host of a host's window. */
    public static HostKey of(HostReport report) {
        return new HostKey(report.origin(), report.cluster(), report.sender().hostId());
    }
}
