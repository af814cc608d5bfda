package io.quotascope.domain.window;

import java.util.OptionalDouble;

/**
 * What arrived, against what the hosts say they sent.
 *
 * @param slotRecords records by window of 10 s; the greatest is the number of shards
 * @param slotHosts hosts that named the service and class, by window of 10 s
 * @param records records in the row
 * @param expectedRecords records that the hosts say they sent
 */
public record Reporting(
        SlotCounts slotRecords, SlotCounts slotHosts, long records, long expectedRecords) {
    /** Nothing arrived. */
    public static final Reporting ZERO = new Reporting(SlotCounts.ZERO, SlotCounts.ZERO, 0, 0);

    Reporting plusRecord(int slot) {
        return new Reporting(slotRecords.plusOne(slot), slotHosts, records + 1, expectedRecords);
    }

    Reporting plusFirst(long shardRecords) {
        return new Reporting(
                slotRecords, slotHosts, records, Saturating.plus(expectedRecords, shardRecords));
    }

    Reporting plusHost(int slot, long shardRecords) {
        return new Reporting(
                slotRecords,
                slotHosts.plusOne(slot),
                records,
                Saturating.plus(expectedRecords, shardRecords));
    }

    /** The sums of both. */
    public Reporting plus(Reporting other) {
        return new Reporting(
                slotRecords.plus(other.slotRecords),
                slotHosts.plus(other.slotHosts),
                Saturating.plus(records, other.records),
                Saturating.plus(expectedRecords, other.expectedRecords));
    }

    /** Shards of the minute: the greatest record count of a slot. */
    public int shards() {
        return slotRecords.max();
    }

    /**
     * Records received / records the hosts say they sent, 0..1. Absent while no host has said
     * anything.
     */
    public OptionalDouble completeness() {
        return completeness(records, expectedRecords);
    }

    /** The same over any sums of records. */
    public static OptionalDouble completeness(long records, long expectedRecords) {
        if (expectedRecords <= 0) {
            return OptionalDouble.empty();
        }
        return OptionalDouble.of(Math.min(1.0, records / (double) expectedRecords));
    }
}
