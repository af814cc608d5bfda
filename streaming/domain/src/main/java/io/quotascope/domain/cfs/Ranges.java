package io.quotascope.domain.cfs;

/** Refusals of settings outside their range. */
final class Ranges {
    private Ranges() {}

    static void atLeast(long least, long value, String name) {
        if (value < least) {
            throw new IllegalArgumentException(name + " must be at least " + least + ": " + value);
        }
    }
}
