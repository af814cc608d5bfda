package io.quotascope.domain.window;

import java.util.OptionalLong;

/**
 * Sums of counts that stop at the largest long. Over counts that are never negative this is
 * min(2^63 - 1, true sum), so it stays order-free, and absurd but valid records can neither wrap a
 * sum below zero nor stop a job.
 */
final class Saturating {
    private Saturating() {}

    static long plus(long one, long other) {
        long sum = one + other;
        return sum < 0 ? Long.MAX_VALUE : sum;
    }

    static long plus(long one, OptionalLong other) {
        return other.isEmpty() ? one : plus(one, other.getAsLong());
    }
}
