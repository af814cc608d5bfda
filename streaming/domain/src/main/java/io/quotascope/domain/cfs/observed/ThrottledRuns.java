package io.quotascope.domain.cfs.observed;

/**
 * Runs of consecutive throttled periods. A run that crosses a window's end is reported by both
 * windows with the length it has reached.
 */
final class ThrottledRuns {
    private long current;
    private long seen;
    private long longest;

    void add(boolean throttled) {
        if (!throttled) {
            current = 0;
            return;
        }
        if (current == 0) {
            seen++;
        }
        current++;
        longest = Math.max(longest, current);
    }

    long seen() {
        return seen;
    }

    long longest() {
        return longest;
    }

    void nextWindow() {
        seen = current > 0 ? 1 : 0;
        longest = current;
    }
}
