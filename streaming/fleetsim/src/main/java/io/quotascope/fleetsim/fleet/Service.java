package io.quotascope.fleetsim.fleet;

import java.util.List;
import java.util.Optional;

/**
 * One service.
 *
 * @param name unique in the fleet
 * @param cluster where it runs
 * @param team who owns it
 * @param kind what it is
 * @param shards its shards
 * @param swing its load
 * @param change what was done to it; absent if nothing was
 */
public record Service(
        String name,
        String cluster,
        String team,
        Kind kind,
        List<ShardPlace> shards,
        Swing swing,
        Optional<Change> change) {
    /** Lists that cannot change any more. */
    public Service {
        shards = List.copyOf(shards);
    }

    /** The setting in force in a minute. */
    public Setting settingAt(long minuteUs) {
        return change.filter(done -> minuteUs >= done.atUs())
                .map(Change::after)
                .orElse(kind.setting());
    }

    Service with(Change done) {
        return new Service(name, cluster, team, kind, shards, swing, Optional.of(done));
    }
}
