package io.quotascope.domain.change;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The number of shards of a service, and whether it has moved for good. Autoscaling moves it many
 * times a day: after {@link Policy#perDayMax} changes in 24 h the level is followed in silence.
 *
 * @param reference shards that the last change led to; 0 before the first minute
 * @param streak minutes in a row far from the reference, on one side
 * @param upward the side of the streak
 * @param sinceUs first minute of the streak, microseconds since the Unix epoch
 * @param toldUs instants of the changes told in the last day, ascending
 */
public record ShardLevel(
        int reference, int streak, boolean upward, long sinceUs, List<Long> toldUs) {
    /** Nothing was seen yet. */
    public static final ShardLevel NONE = new ShardLevel(0, 0, false, 0, List.of());

    private static final long DAY_US = 86_400_000_000L;

    /**
     * When a level has moved.
     *
     * @param share relative move that counts, of the reference
     * @param shards least move that counts, shards
     * @param minutes minutes in a row that it takes
     * @param perDayMax changes told in 24 h at most
     */
    public record Policy(double share, int shards, int minutes, int perDayMax) {
        /** A quarter and two shards, for ten minutes; four a day. */
        public static final Policy DEFAULT = new Policy(0.25, 2, 10, 4);

        /**
         * @throws IllegalArgumentException when a value is outside its range
         */
        public Policy {
            if (!(share > 0) || shards < 1 || minutes < 1 || perDayMax < 0) {
                throw new IllegalArgumentException(
                        "share, shards and minutes must be positive, changes a day not negative");
            }
        }
    }

    /**
     * After a minute.
     *
     * @param next from now on
     * @param change what has settled with it, in numbers of shards
     */
    public record Step(ShardLevel next, Optional<Settled.Change> change) {}

    /** One minute further. */
    Step after(long minuteUs, int shards, Policy policy) {
        if (reference == 0) {
            return new Step(new ShardLevel(shards, 0, false, 0, toldUs), Optional.empty());
        }
        int moved = shards - reference;
        boolean far =
                Math.abs(moved) >= policy.shards() && Math.abs(moved) >= policy.share() * reference;
        if (!far) {
            return new Step(new ShardLevel(reference, 0, false, 0, toldUs), Optional.empty());
        }
        boolean same = streak > 0 && upward == moved > 0;
        int held = same ? streak + 1 : 1;
        long since = same ? sinceUs : minuteUs;
        if (held < policy.minutes()) {
            return new Step(
                    new ShardLevel(reference, held, moved > 0, since, toldUs), Optional.empty());
        }
        List<Long> recent =
                new ArrayList<>(toldUs.stream().filter(at -> at > since - DAY_US).toList());
        if (recent.size() >= policy.perDayMax()) {
            return new Step(new ShardLevel(shards, 0, false, 0, recent), Optional.empty());
        }
        recent.add(since);
        return new Step(
                new ShardLevel(shards, 0, false, 0, recent),
                Optional.of(
                        new Settled.Change(
                                String.valueOf(reference), String.valueOf(shards), since)));
    }
}
