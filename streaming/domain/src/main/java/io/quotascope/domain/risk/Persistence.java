package io.quotascope.domain.risk;

import io.quotascope.domain.window.ServiceSums;
import io.quotascope.domain.window.ThrottlingSums;
import java.util.List;
import java.util.OptionalDouble;

/**
 * How long throttling lasts once it has begun: of throttled periods, ln of the length in periods of
 * the run that they belong to, on average. 0 = runs of one period, or none at all.
 *
 * <p>A queue that is far from its limit is worked off within a period or two, one that is close to
 * it takes many: disturbances last longer the nearer a system is to its tipping point. It is a mean
 * and no count, so it does not grow with the shards and minutes that were looked at.
 *
 * <p>The squares of the lengths are not recorded. The longest run of a row is known, all others
 * count as equally long, which understates their spread: of very many shards it is the mean length
 * instead.
 */
public final class Persistence {
    /** Periods that the population's services were watched for: a minute of 100 ms. */
    private static final double WATCHED_PERIODS = 600;

    private Persistence() {}

    /** Of minutes, in any order; absent when periods or their runs were not counted. */
    public static OptionalDouble of(List<ServiceSums> minutes) {
        return ofThrottling(minutes.stream().map(ServiceSums::throttling).toList());
    }

    static OptionalDouble ofThrottling(List<ThrottlingSums> rows) {
        double periods = 0;
        double throttled = 0;
        double longest = 0;
        double longestSquared = 0;
        double otherRuns = 0;
        for (ThrottlingSums row : rows) {
            if (row.throttledRunRecords() < row.bandwidthRecords()) {
                return OptionalDouble.empty();
            }
            // A run that began in the minute before is stated with its whole length.
            double ran = Math.min(row.throttledRunPeriodsMax(), row.throttledPeriods());
            periods += row.periods();
            throttled += row.throttledPeriods();
            longest += ran;
            longestSquared += ran * ran;
            otherRuns += Math.max(0, row.throttledRuns() - 1);
        }
        if (periods == 0) {
            return OptionalDouble.empty();
        }
        double others = throttled - longest;
        double squared = longestSquared + (otherRuns > 0 ? others * others / otherRuns : 0);
        // One throttled period more that stood alone: few periods say little.
        double alone = periods / WATCHED_PERIODS;
        return OptionalDouble.of(StrictMath.log((squared + alone) / (throttled + alone)));
    }
}
