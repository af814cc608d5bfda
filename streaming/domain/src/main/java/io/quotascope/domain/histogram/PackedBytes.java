package io.quotascope.domain.histogram;

import java.util.Arrays;
import java.util.HexFormat;

/**
 * Packed numbers as they travel, with equality by content. The bytes are not checked; the array is
 * handed over, not copied, because a million of these pass per second: whoever gives or takes it
 * does not write to it.
 */
public final class PackedBytes implements Comparable<PackedBytes> {
    /** No bytes: an empty histogram. */
    public static final PackedBytes EMPTY = new PackedBytes(new byte[0]);

    private final byte[] bytes;

    private PackedBytes(byte[] bytes) {
        this.bytes = bytes;
    }

    /** Wraps the array without copying it. */
    public static PackedBytes of(byte[] bytes) {
        return bytes.length == 0 ? EMPTY : new PackedBytes(bytes);
    }

    /** The array itself: read only. */
    public byte[] bytes() {
        return bytes;
    }

    /** Number of bytes. */
    public int length() {
        return bytes.length;
    }

    /**
     * Unsigned lexicographic order, the last resort of every choice that must not depend on
     * arrival.
     */
    @Override
    public int compareTo(PackedBytes other) {
        return Arrays.compareUnsigned(bytes, other.bytes);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof PackedBytes that && Arrays.equals(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    @Override
    public String toString() {
        return HexFormat.of().formatHex(bytes);
    }
}
