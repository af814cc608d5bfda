package io.quotascope.domain.window;

import java.util.OptionalDouble;

/**
 * The kernel's bandwidth counters over the records of a row. Ratios are made from these sums and
 * never averaged.
 *
 * @param bandwidthRecords records that state periods: the base of the next sums
 * @param periods periods elapsed
 * @param throttledPeriods throttled periods
 * @param throttledUs throttled time over run queues, microseconds
 * @param bursts periods that used burst
 * @param burstUsedUs CPU time from the burst allowance, microseconds
 * @param throttledRunRecords records that state throttled runs
 * @param throttledRuns runs of throttled periods
 * @param throttledRunPeriodsMax longest run, periods; 0 without such records
 * @param throttledWallRecords records that state throttled wall time
 * @param throttledWallUs wall time with any CPU throttled, microseconds
 */
public record ThrottlingSums(
        long bandwidthRecords,
        long periods,
        long throttledPeriods,
        long throttledUs,
        long bursts,
        long burstUsedUs,
        long throttledRunRecords,
        long throttledRuns,
        int throttledRunPeriodsMax,
        long throttledWallRecords,
        long throttledWallUs) {
    /** No record. */
    public static final ThrottlingSums ZERO = new ThrottlingSums(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);

    ThrottlingSums plus(ThrottlingCounters record) {
        return new ThrottlingSums(
                bandwidthRecords + (record.periods().isPresent() ? 1 : 0),
                Saturating.plus(periods, record.periods()),
                Saturating.plus(throttledPeriods, record.throttledPeriods()),
                Saturating.plus(throttledUs, record.throttledUs()),
                Saturating.plus(bursts, record.bursts()),
                Saturating.plus(burstUsedUs, record.burstUsedUs()),
                throttledRunRecords + (record.throttledRuns().isPresent() ? 1 : 0),
                Saturating.plus(throttledRuns, record.throttledRuns()),
                Math.max(
                        throttledRunPeriodsMax,
                        (int) record.throttledRunPeriodsMax().orElse(0)), // an int in the record
                throttledWallRecords + (record.throttledWallUs().isPresent() ? 1 : 0),
                Saturating.plus(throttledWallUs, record.throttledWallUs()));
    }

    /** The sums of both. */
    public ThrottlingSums plus(ThrottlingSums other) {
        return new ThrottlingSums(
                Saturating.plus(bandwidthRecords, other.bandwidthRecords),
                Saturating.plus(periods, other.periods),
                Saturating.plus(throttledPeriods, other.throttledPeriods),
                Saturating.plus(throttledUs, other.throttledUs),
                Saturating.plus(bursts, other.bursts),
                Saturating.plus(burstUsedUs, other.burstUsedUs),
                Saturating.plus(throttledRunRecords, other.throttledRunRecords),
                Saturating.plus(throttledRuns, other.throttledRuns),
                Math.max(throttledRunPeriodsMax, other.throttledRunPeriodsMax),
                Saturating.plus(throttledWallRecords, other.throttledWallRecords),
                Saturating.plus(throttledWallUs, other.throttledWallUs));
    }

    /** throttled_periods / periods, 0..1. Absent when no period elapsed. */
    public OptionalDouble throttledPeriodRatio() {
        return periods == 0
                ? OptionalDouble.empty()
                : OptionalDouble.of(throttledPeriods / (double) periods);
    }

    /** Depth: throttled time per throttled period, microseconds. Absent when none was throttled. */
    public OptionalDouble throttledUsPerThrottledPeriod() {
        return throttledPeriods == 0
                ? OptionalDouble.empty()
                : OptionalDouble.of(throttledUs / (double) throttledPeriods);
    }

    /** Wall time with any CPU throttled / wall time, 0..1. Absent when not measured. */
    public OptionalDouble throttledWallRatio() {
        return throttledWallRecords == 0
                ? OptionalDouble.empty()
                : OptionalDouble.of(
                        throttledWallUs / (double) (throttledWallRecords * WindowPart.WINDOW_US));
    }
}
