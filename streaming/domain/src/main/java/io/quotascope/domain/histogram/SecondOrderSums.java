package io.quotascope.domain.histogram;

import java.math.BigInteger;

/**
 * Sums over samples x of used cores in 1/256: how many, sum x, sum x^2, and for lags of 1, 2, 4 ..
 * 128 samples the pairs and sum x(t) x(t + lag). They give variance and autocorrelation after
 * merging, exactly. Each number has 128 bits. Mutable; any order of adding gives the same sums.
 */
public final class SecondOrderSums {
    /** Lags with sums, in samples. */
    public static final int LAGS = 8;

    private static final int NUMBERS = 3 + 2 * LAGS;
    private static final int RECORD_BITS = 63;
    private static final int SUM_BITS = 128;

    private final WideSums sums;

    /** Sums over nothing. */
    public SecondOrderSums() {
        this(new WideSums(NUMBERS));
    }

    private SecondOrderSums(WideSums sums) {
        this.sums = sums;
    }

    /**
     * Reads sums of up to 128 bits.
     *
     * @throws MalformedPackingException when they are not nineteen whole varints
     */
    public static SecondOrderSums unpack(PackedBytes packed) {
        SecondOrderSums unpacked = new SecondOrderSums();
        unpacked.addPacked(packed);
        return unpacked;
    }

    /**
     * Reads the bytes of one record, nineteen varints of up to 63 bits: how many samples they
     * state, or what is wrong.
     */
    public static PackingCheck check(PackedBytes packed) {
        try {
            new WideSums(NUMBERS).addPacked(packed, RECORD_BITS);
            return new PackingCheck.Holds(new PackedVarints(packed.bytes()).next());
        } catch (MalformedPackingException malformed) {
            return new PackingCheck.Broken(malformed.fault());
        }
    }

    /**
     * Adds packed sums.
     *
     * @throws MalformedPackingException when they are not nineteen whole varints of up to 128 bits
     */
    public void addPacked(PackedBytes packed) {
        sums.addPacked(packed, SUM_BITS);
    }

    /** Adds other sums. */
    public void add(SecondOrderSums other) {
        sums.add(other.sums);
    }

    /** Number of samples. */
    public BigInteger samples() {
        return sums.number(0);
    }

    /** Sum of x. */
    public BigInteger sum() {
        return sums.number(1);
    }

    /** Sum of x squared. */
    public BigInteger sumOfSquares() {
        return sums.number(2);
    }

    /** Pairs at a distance of 2^lagIndex samples, lagIndex 0 .. 7; 0 = not available. */
    public BigInteger pairs(int lagIndex) {
        return sums.number(3 + 2 * lagIndex);
    }

    /** Sum of x(t) x(t + 2^lagIndex). */
    public BigInteger sumOfProducts(int lagIndex) {
        return sums.number(4 + 2 * lagIndex);
    }

    /** The nineteen numbers as varints. */
    public PackedBytes pack() {
        return sums.pack();
    }

    /** The same sums, apart from these. */
    public SecondOrderSums copy() {
        return new SecondOrderSums(sums.copy());
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof SecondOrderSums that && sums.equals(that.sums);
    }

    @Override
    public int hashCode() {
        return sums.hashCode();
    }

    @Override
    public String toString() {
        return "SecondOrderSums{samples="
                + samples()
                + ", sum="
                + sum()
                + ", squares="
                + sumOfSquares()
                + "}";
    }
}
