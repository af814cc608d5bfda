package io.quotascope.domain.window;

import java.util.Arrays;
import java.util.List;

/** A count for each of the six windows of 10 s of a minute. Immutable. */
public final class SlotCounts {
    /** Nothing in any slot. */
    public static final SlotCounts ZERO = new SlotCounts(new int[WindowPart.SLOTS]);

    private final int[] counts;

    private SlotCounts(int[] counts) {
        this.counts = counts;
    }

    /**
     * Six counts.
     *
     * @throws IllegalArgumentException when there are not six or one is negative
     */
    public static SlotCounts of(List<Integer> counts) {
        if (counts.size() != WindowPart.SLOTS || counts.stream().anyMatch(count -> count < 0)) {
            throw new IllegalArgumentException("six counts expected: " + counts);
        }
        return new SlotCounts(counts.stream().mapToInt(Integer::intValue).toArray());
    }

    /** One more in a slot. */
    SlotCounts plusOne(int slot) {
        int[] sum = counts.clone();
        sum[slot] = Math.addExact(sum[slot], 1);
        return new SlotCounts(sum);
    }

    /** Slot by slot. */
    public SlotCounts plus(SlotCounts other) {
        int[] sum = counts.clone();
        for (int slot = 0; slot < sum.length; slot++) {
            sum[slot] = Math.addExact(sum[slot], other.counts[slot]);
        }
        return new SlotCounts(sum);
    }

    /** The greatest count of a slot. */
    public int max() {
        return Arrays.stream(counts).max().orElseThrow();
    }

    /** The six counts in the order of time. */
    public List<Integer> toList() {
        return Arrays.stream(counts).boxed().toList();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof SlotCounts that && Arrays.equals(counts, that.counts);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(counts);
    }

    @Override
    public String toString() {
        return Arrays.toString(counts);
    }
}
