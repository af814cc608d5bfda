package io.quotascope.domain.verification;

import io.quotascope.domain.window.ServiceKey;
import java.util.OptionalDouble;

/**
 * What verification reads of one service and class in one hour.
 *
 * @param key service and class
 * @param hourStartUs start, microseconds since the Unix epoch, UTC
 * @param part last part merged
 * @param version version of the row
 * @param periods bandwidth periods elapsed
 * @param throttledPeriods throttled periods
 * @param usedCores mean used cores of all shards
 * @param reservedCores reserved cores of all shards; absent when nobody reserved any
 * @param records records received
 * @param expectedRecords records that the hosts say they sent
 * @param team team of the catalog entry; empty without one
 * @param catalogVersion version of the catalog entry; 0 = none
 */
public record HourReading(
        ServiceKey key,
        long hourStartUs,
        long part,
        long version,
        long periods,
        long throttledPeriods,
        double usedCores,
        OptionalDouble reservedCores,
        long records,
        long expectedRecords,
        String team,
        long catalogVersion) {

    /** Whether this row knows more of its hour than another: a later part, or a greater version. */
    boolean replaces(HourReading other) {
        return part != other.part ? part > other.part : version >= other.version;
    }
}
