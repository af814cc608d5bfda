package io.quotascope.domain.histogram;

import java.util.Arrays;

/**
 * Second-order sums of samples as they come, window by window. The last 128 samples are remembered
 * across windows; a pair belongs to the window of its later sample. A slot that was missed makes no
 * pair. Not for two threads at once.
 */
public final class LaggedSamples {
    private static final int MEMORY = 1 << (SecondOrderSums.LAGS - 1);
    private static final int NUMBERS = 3 + 2 * SecondOrderSums.LAGS;
    private static final long CORE = 256;
    private static final long RATE_MAX = 4096 * CORE;
    private static final long USAGE_MAX = Long.MAX_VALUE / (4 * CORE);

    private final long[] rates = new long[MEMORY];
    private final long[] slots = new long[MEMORY];
    private long[] sums = new long[NUMBERS];

    /** Remembers nothing. */
    public LaggedSamples() {
        Arrays.fill(slots, Long.MIN_VALUE);
    }

    /**
     * Used cores in 1/256, rounded half up and at most 4096 cores.
     *
     * @throws IllegalArgumentException when usage is negative or beyond 2^53, or elapsed is not
     *     positive
     */
    public static long rate(long usage, long elapsed) {
        if (usage < 0 || usage > USAGE_MAX || elapsed <= 0) {
            throw new IllegalArgumentException("usage " + usage + " over " + elapsed);
        }
        return Math.min(RATE_MAX, (2 * CORE * usage + elapsed) / (2 * elapsed));
    }

    /** Adds the sample of a slot; slots ascend from 0. */
    public void add(long slot, long rate) {
        sums[0]++;
        sums[1] += rate;
        sums[2] += rate * rate;
        for (int lag = 0; lag < SecondOrderSums.LAGS; lag++) {
            long earlier = slot - (1L << lag);
            int at = (int) (earlier & (MEMORY - 1));
            if (slots[at] == earlier) {
                sums[3 + 2 * lag]++;
                sums[4 + 2 * lag] += rate * rates[at];
            }
        }
        int at = (int) (slot & (MEMORY - 1));
        slots[at] = slot;
        rates[at] = rate;
    }

    /** The sums since this was last asked, packed as in a record. */
    public PackedBytes take() {
        int size = 0;
        for (long number : sums) {
            size += PackedVarints.sizeOf(number);
        }
        byte[] packed = new byte[size];
        int at = 0;
        for (long number : sums) {
            at = PackedVarints.write(packed, at, number);
        }
        sums = new long[NUMBERS];
        return PackedBytes.of(packed);
    }
}
