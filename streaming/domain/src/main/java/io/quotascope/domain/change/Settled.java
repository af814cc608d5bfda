package io.quotascope.domain.change;

import java.util.Map;
import java.util.Optional;

/**
 * A setting that most of a service has, and one that may be about to replace it.
 *
 * @param value the setting in force; absent before the first
 * @param candidate the setting that most have had lately; absent when it is the one in force
 * @param streak minutes in a row that most have had the candidate
 * @param sinceUs first of these minutes, microseconds since the Unix epoch
 */
public record Settled(
        Optional<String> value, Optional<String> candidate, int streak, long sinceUs) {
    /** Nothing was seen yet. */
    public static final Settled NONE = new Settled(Optional.empty(), Optional.empty(), 0, 0);

    /** Share of a service that must agree: in the middle of a rolling change nobody wins. */
    private static final double MOST = 2 / 3.0;

    /**
     * A change that has settled.
     *
     * @param before the setting before
     * @param after the setting after
     * @param sinceUs first minute in which most had it, microseconds since the Unix epoch
     */
    public record Change(String before, String after, long sinceUs) {}

    /**
     * After a minute.
     *
     * @param next from now on
     * @param change what has settled with it
     */
    public record Step(Settled next, Optional<Change> change) {}

    /** The setting that most agree on; absent when none does. */
    static <N extends Number> Optional<String> most(Map<String, N> counts) {
        double total = counts.values().stream().mapToDouble(Number::doubleValue).sum();
        return counts.entrySet().stream()
                .filter(entry -> entry.getValue().doubleValue() >= MOST * total && total > 0)
                .map(Map.Entry::getKey)
                .findFirst();
    }

    /** One minute further. */
    Step after(long minuteUs, Optional<String> most, int minutesNeeded) {
        if (value.isEmpty()) {
            return unchanged(new Settled(most, Optional.empty(), 0, 0));
        }
        if (most.isEmpty() || most.equals(value)) {
            return unchanged(new Settled(value, Optional.empty(), 0, 0));
        }
        boolean same = most.equals(candidate);
        int held = same ? streak + 1 : 1;
        long since = same ? sinceUs : minuteUs;
        if (held < minutesNeeded) {
            return unchanged(new Settled(value, most, held, since));
        }
        return new Step(
                new Settled(most, Optional.empty(), 0, 0),
                Optional.of(new Change(value.get(), most.get(), since)));
    }

    private static Step unchanged(Settled next) {
        return new Step(next, Optional.empty());
    }
}
