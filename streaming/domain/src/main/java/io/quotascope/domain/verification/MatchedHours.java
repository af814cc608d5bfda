package io.quotascope.domain.verification;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SortedMap;

/**
 * Hours after a change, each beside an hour before it at the same time of the week, or where there
 * is none at the same time of the day. Load swings with both, so hours at other times compare
 * badly.
 */
final class MatchedHours {
    private static final long DAY_HOURS = 24;
    private static final long WEEK_HOURS = 7 * DAY_HOURS;

    /**
     * One pair.
     *
     * @param afterUs start of the later hour
     * @param beforeUs start of the earlier hour
     */
    record Pair(long afterUs, long beforeUs) {
        /** Whether both hours are of the same time of the week. */
        boolean ofTheSameWeekday() {
            return (afterUs - beforeUs) % (WEEK_HOURS * ServiceHour.HOUR_US) == 0;
        }
    }

    private MatchedHours() {}

    /**
     * Pairs of one service, in the order of time.
     *
     * @param hours readings by start
     * @param changeUs instant of the change; its own hour and the settling time belong to neither
     *     side
     */
    static List<Pair> around(
            long changeUs, SortedMap<Long, ServiceHour> hours, VerificationPolicy policy) {
        long firstUs = ceiling(changeUs) + policy.settlingHours() * ServiceHour.HOUR_US;
        long endUs = firstUs + policy.hoursAfterMax() * ServiceHour.HOUR_US;
        List<Pair> pairs = new ArrayList<>();
        for (long afterUs : hours.subMap(firstUs, endUs).keySet()) {
            counterpart(afterUs, changeUs, hours, policy)
                    .ifPresent(beforeUs -> pairs.add(new Pair(afterUs, beforeUs)));
        }
        return pairs;
    }

    private static Optional<Long> counterpart(
            long afterUs,
            long changeUs,
            SortedMap<Long, ServiceHour> hours,
            VerificationPolicy policy) {
        for (long step : new long[] {WEEK_HOURS, DAY_HOURS}) {
            for (long back = step; back <= policy.hoursBackMax(); back += step) {
                long beforeUs = afterUs - back * ServiceHour.HOUR_US;
                boolean before = beforeUs + ServiceHour.HOUR_US <= changeUs;
                if (before && hours.containsKey(beforeUs)) {
                    return Optional.of(beforeUs);
                }
            }
        }
        return Optional.empty();
    }

    /** Growth of a quantity over a pair; absent when either hour lacks it. */
    static OptionalDouble growth(Pair pair, SortedMap<Long, ServiceHour> hours, Quantity quantity) {
        ServiceHour after = hours.get(pair.afterUs());
        ServiceHour before = hours.get(pair.beforeUs());
        if (after == null || before == null) {
            return OptionalDouble.empty();
        }
        OptionalDouble later = quantity.of(after);
        OptionalDouble earlier = quantity.of(before);
        return later.isPresent() && earlier.isPresent()
                ? OptionalDouble.of(later.getAsDouble() - earlier.getAsDouble())
                : OptionalDouble.empty();
    }

    private static long ceiling(long instantUs) {
        return -Math.floorDiv(-instantUs, ServiceHour.HOUR_US) * ServiceHour.HOUR_US;
    }
}
