package io.quotascope.fleetsim.minute;

import io.quotascope.fleetsim.fleet.Host;
import io.quotascope.fleetsim.fleet.Setting;
import java.util.SortedSet;

/**
 * What decides the records of one service in one minute, but for its time.
 *
 * @param setting setting in force
 * @param level level of load
 * @param variant which minute of the templates
 * @param mute numbers of hosts of which nothing comes
 * @param lossy numbers of hosts whose own windows come and whose shards' windows do not
 */
public record MinuteState(
        Setting setting,
        int level,
        int variant,
        SortedSet<Integer> mute,
        SortedSet<Integer> lossy) {
    /** Whether windows of shards on a host arrive. */
    boolean arrives(Host host) {
        return !mute.contains(host.number()) && !lossy.contains(host.number());
    }

    /** The same minute under another setting. */
    public MinuteState under(Setting other) {
        return new MinuteState(other, level, variant, mute, lossy);
    }
}
