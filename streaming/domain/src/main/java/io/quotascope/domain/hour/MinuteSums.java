package io.quotascope.domain.hour;

import io.quotascope.domain.window.ServiceSums;
import io.quotascope.domain.window.SlotCounts;
import io.quotascope.domain.window.WindowPart;
import java.util.OptionalDouble;

/**
 * What an hour keeps of one row of a minute, because it cannot be read off the hour's sums.
 *
 * @param slotRecords records by window of 10 s
 * @param usageUs CPU time used, microseconds
 * @param periods periods elapsed
 * @param throttledPeriods throttled periods
 */
public record MinuteSums(
        SlotCounts slotRecords, long usageUs, long periods, long throttledPeriods) {
    /** Of a row. */
    public static MinuteSums of(ServiceSums row) {
        return new MinuteSums(
                row.reporting().slotRecords(),
                row.usage().usageUs(),
                row.throttling().periods(),
                row.throttling().throttledPeriods());
    }

    /** Of two parts of one minute. */
    MinuteSums plus(MinuteSums other) {
        return new MinuteSums(
                slotRecords.plus(other.slotRecords),
                Math.addExact(usageUs, other.usageUs),
                Math.addExact(periods, other.periods),
                Math.addExact(throttledPeriods, other.throttledPeriods));
    }

    double usedCores() {
        return usageUs / (double) WindowPart.MINUTE_US;
    }

    OptionalDouble throttledPeriodRatio() {
        return periods == 0
                ? OptionalDouble.empty()
                : OptionalDouble.of(throttledPeriods / (double) periods);
    }
}
