package io.quotascope.domain.window;

/**
 * CPU use over the records of a row.
 *
 * @param usageUs by the kernel's counters, microseconds
 * @param sampledUsageUs by the samples, microseconds
 * @param excursionSamples samples above quota, of records with a quota
 * @param excursionUs CPU time above quota in them, microseconds
 */
public record UsageSums(
        long usageUs, long sampledUsageUs, long excursionSamples, long excursionUs) {
    /** No record. */
    public static final UsageSums ZERO = new UsageSums(0, 0, 0, 0);

    UsageSums plus(UsageReading record) {
        return new UsageSums(
                Saturating.plus(usageUs, record.usageUs()),
                Saturating.plus(sampledUsageUs, record.sampledUsageUs()),
                Saturating.plus(excursionSamples, record.excursionSamples()),
                Saturating.plus(excursionUs, record.excursionUs()));
    }

    /** The sums of both. */
    public UsageSums plus(UsageSums other) {
        return new UsageSums(
                Saturating.plus(usageUs, other.usageUs),
                Saturating.plus(sampledUsageUs, other.sampledUsageUs),
                Saturating.plus(excursionSamples, other.excursionSamples),
                Saturating.plus(excursionUs, other.excursionUs));
    }
}
