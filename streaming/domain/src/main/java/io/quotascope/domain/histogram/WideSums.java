package io.quotascope.domain.histogram;

import java.math.BigInteger;
import java.util.Arrays;

/**
 * A fixed number of unsigned 128-bit sums, two longs each, because sums of squares over a fleet
 * pass 2^63. Adding wraps silently beyond 2^128, which 10^12 records of the largest allowed values
 * do not reach.
 */
final class WideSums {
    private static final int GROUP_BITS = 7;

    private final long[] low;
    private final long[] high;

    WideSums(int numbers) {
        low = new long[numbers];
        high = new long[numbers];
    }

    private WideSums(long[] low, long[] high) {
        this.low = low;
        this.high = high;
    }

    void add(int index, long nonNegative) {
        add(index, 0, nonNegative);
    }

    /** Adds the square of a non-negative number. */
    void addSquare(int index, long root) {
        add(index, Math.multiplyHigh(root, root), root * root);
    }

    void add(WideSums other) {
        for (int index = 0; index < low.length; index++) {
            add(index, other.high[index], other.low[index]);
        }
    }

    private void add(int index, long addedHigh, long addedLow) {
        long sum = low[index] + addedLow;
        long carry = Long.compareUnsigned(sum, addedLow) < 0 ? 1 : 0;
        low[index] = sum;
        high[index] += addedHigh + carry;
    }

    /**
     * Adds exactly as many packed numbers as there are sums.
     *
     * @param bitsMax 63 for what one record may carry, 128 for sums
     * @throws MalformedPackingException with the fault; the sums are then unusable
     */
    void addPacked(PackedBytes packed, int bitsMax) {
        byte[] bytes = packed.bytes();
        int position = 0;
        for (int index = 0; index < low.length; index++) {
            if (position == bytes.length) {
                throw new MalformedPackingException(PackingFault.WRONG_NUMBER_COUNT);
            }
            position = addVarint(bytes, position, index, bitsMax);
        }
        if (position != bytes.length) {
            throw new MalformedPackingException(PackingFault.WRONG_NUMBER_COUNT);
        }
    }

    private int addVarint(byte[] bytes, int from, int index, int bitsMax) {
        if (bytes[from] >= 0) {
            add(index, 0, bytes[from]);
            return from + 1;
        }
        long readLow = 0;
        long readHigh = 0;
        int shift = 0;
        for (int position = from; position < bytes.length; position++, shift += GROUP_BITS) {
            long group = bytes[position] & 0x7F;
            if (group != 0 && shift + 64 - Long.numberOfLeadingZeros(group) > bitsMax) {
                throw new MalformedPackingException(PackingFault.VARINT_TOO_LARGE);
            }
            if (shift < 64) {
                readLow |= group << shift;
                readHigh |= shift > 57 ? group >>> (64 - shift) : 0;
            } else if (shift < 128) {
                readHigh |= group << (shift - 64);
            }
            if (bytes[position] >= 0) {
                add(index, readHigh, readLow);
                return position + 1;
            }
        }
        throw new MalformedPackingException(PackingFault.TRUNCATED_VARINT);
    }

    PackedBytes pack() {
        byte[] packed = new byte[low.length * 19];
        int at = 0;
        for (int index = 0; index < low.length; index++) {
            long restLow = low[index];
            long restHigh = high[index];
            while (restHigh != 0 || restLow < 0 || restLow > 0x7F) {
                packed[at++] = (byte) (restLow & 0x7F | 0x80);
                restLow = restLow >>> GROUP_BITS | restHigh << (64 - GROUP_BITS);
                restHigh >>>= GROUP_BITS;
            }
            packed[at++] = (byte) restLow;
        }
        return PackedBytes.of(Arrays.copyOf(packed, at));
    }

    BigInteger number(int index) {
        BigInteger upper = new BigInteger(Long.toUnsignedString(high[index]));
        return upper.shiftLeft(64).add(new BigInteger(Long.toUnsignedString(low[index])));
    }

    WideSums copy() {
        return new WideSums(low.clone(), high.clone());
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof WideSums that
                && Arrays.equals(low, that.low)
                && Arrays.equals(high, that.high);
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.hashCode(low) + Arrays.hashCode(high);
    }
}
