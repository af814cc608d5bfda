package io.quotascope.domain.histogram;

/**
 * Unsigned LEB128 varints of up to 63 bits: seven bits a byte, least significant group first, the
 * high bit says that more follow. A reader walks one array; it allocates nothing but itself.
 */
public final class PackedVarints {
    private static final int MORE_FOLLOW = 0x80;
    private static final int GROUP = 0x7F;

    private final byte[] bytes;
    private int position;

    /** A reader at the start of the bytes. */
    public PackedVarints(byte[] bytes) {
        this.bytes = bytes;
    }

    /** True while a byte is left. */
    public boolean hasNext() {
        return position < bytes.length;
    }

    /**
     * The next number, 0 .. 2^63 - 1.
     *
     * @throws MalformedPackingException when the bytes end inside the number or it needs more than
     *     63 bits
     */
    public long next() {
        if (position < bytes.length && bytes[position] >= 0) { // most steps and counts are one byte
            return bytes[position++];
        }
        return nextOfManyBytes();
    }

    private long nextOfManyBytes() {
        long value = 0;
        for (int shift = 0; position < bytes.length; shift += 7) {
            int read = bytes[position++];
            long group = read & GROUP;
            if (shift > 56
                    && group
                            != 0) { // nine groups are 63 bits; beyond them only zeros carry nothing
                throw new MalformedPackingException(PackingFault.VARINT_TOO_LARGE);
            }
            if (shift <= 56) {
                value |= group << shift;
            }
            if (read >= 0) {
                return value;
            }
        }
        throw new MalformedPackingException(PackingFault.TRUNCATED_VARINT);
    }

    /** Bytes that a number of 0 .. 2^63 - 1 takes. */
    public static int sizeOf(long value) {
        return value == 0 ? 1 : (63 - Long.numberOfLeadingZeros(value)) / 7 + 1;
    }

    /**
     * Writes a number of 0 .. 2^63 - 1 at a position and returns the position behind it.
     *
     * @throws IllegalArgumentException when the number is negative
     */
    public static int write(byte[] target, int at, long value) {
        if (value < 0) {
            throw new IllegalArgumentException("not a count: " + value);
        }
        int next = at;
        long rest = value;
        while (rest > GROUP) {
            target[next++] = (byte) (rest & GROUP | MORE_FOLLOW);
            rest >>>= 7;
        }
        target[next++] = (byte) rest;
        return next;
    }
}
