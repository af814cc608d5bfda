package io.quotascope.validate.alerts;

import java.util.List;
import java.util.OptionalInt;

/**
 * What really happened to one service.
 *
 * @param collapseSecond second of the run from which it was collapsed; absent = it never was
 * @param loadShares load at the end of each minute / load that collapses it
 */
public record Course(OptionalInt collapseSecond, List<Double> loadShares) {
    private static final double FAR = 0.5;

    /** A list that cannot change any more. */
    public Course {
        loadShares = List.copyOf(loadShares);
    }

    /** Whether it never had more than half of the load that collapses it. */
    public boolean isFar() {
        return loadShares.stream().allMatch(share -> share <= FAR);
    }
}
