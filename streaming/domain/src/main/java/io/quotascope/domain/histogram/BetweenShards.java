package io.quotascope.domain.histogram;

import java.math.BigInteger;

/**
 * What separates variance within a shard from variance between shards: records, the sum of their
 * usage_us and the sum of its squares (128 bits). Mutable; any order of adding gives the same sums.
 */
public final class BetweenShards {
    private static final int NUMBERS = 3;

    private final WideSums sums;

    /** Sums over no record. */
    public BetweenShards() {
        this(new WideSums(NUMBERS));
    }

    private BetweenShards(WideSums sums) {
        this.sums = sums;
    }

    /**
     * Reads packed sums.
     *
     * @throws MalformedPackingException when they are not three whole varints of up to 128 bits
     */
    public static BetweenShards unpack(PackedBytes packed) {
        BetweenShards unpacked = new BetweenShards();
        unpacked.sums.addPacked(packed, 128);
        return unpacked;
    }

    /** Adds one record of one shard. */
    public void addRecord(long usageUs) {
        sums.add(0, 1);
        sums.add(1, usageUs);
        sums.addSquare(2, usageUs);
    }

    /** Adds other sums. */
    public void add(BetweenShards other) {
        sums.add(other.sums);
    }

    /** Records added. */
    public BigInteger records() {
        return sums.number(0);
    }

    /** Sum of usage, microseconds. */
    public BigInteger usageUs() {
        return sums.number(1);
    }

    /** Sum of squared usage, square microseconds. */
    public BigInteger usageUsSquared() {
        return sums.number(2);
    }

    /** The three numbers as varints. */
    public PackedBytes pack() {
        return sums.pack();
    }

    /** The same sums, apart from these. */
    public BetweenShards copy() {
        return new BetweenShards(sums.copy());
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof BetweenShards that && sums.equals(that.sums);
    }

    @Override
    public int hashCode() {
        return sums.hashCode();
    }

    @Override
    public String toString() {
        return "BetweenShards{records=" + records() + ", usageUs=" + usageUs() + "}";
    }
}
