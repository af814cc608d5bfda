package io.quotascope.fleetsim.template;

import io.quotascope.domain.window.ShardWindow;
import java.util.List;

/**
 * Consecutive minutes of one simulated shard.
 *
 * @param minutes records of each minute, six in the order of time
 */
public record Template(List<List<ShardWindow>> minutes) {
    /** Minutes in every template: what makes rows of one level differ. */
    public static final int VARIANTS = 3;

    /** Lists that cannot change any more. */
    public Template {
        minutes = minutes.stream().map(List::copyOf).toList();
    }

    /** The records of one of the minutes. */
    public List<ShardWindow> variant(long number) {
        return minutes.get((int) Math.floorMod(number, (long) VARIANTS));
    }
}
