package io.quotascope.domain.cfs;

/** A set of CPU numbers that is read in ascending order. */
final class CpuSet {
    /** No CPU. */
    static final int NONE = -1;

    private final long[] words;

    CpuSet(int cpus) {
        words = new long[(cpus + 63) >>> 6];
    }

    void put(int cpu, boolean member) {
        long bit = 1L << cpu;
        if (member) {
            words[cpu >>> 6] |= bit;
        } else {
            words[cpu >>> 6] &= ~bit;
        }
    }

    void addAll(CpuSet other) {
        for (int word = 0; word < words.length; word++) {
            words[word] |= other.words[word];
        }
    }

    boolean isEmpty() {
        for (long word : words) {
            if (word != 0) {
                return false;
            }
        }
        return true;
    }

    /** The first member that is not below a number; {@link #NONE} if there is none. */
    int next(int from) {
        int word = from >>> 6;
        if (word >= words.length) {
            return NONE;
        }
        long bits = words[word] & (-1L << from);
        while (bits == 0) {
            if (++word == words.length) {
                return NONE;
            }
            bits = words[word];
        }
        return (word << 6) + Long.numberOfTrailingZeros(bits);
    }
}
