package io.quotascope.analyze;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * Readers of counters come late on a busy machine and then read several times at once: one slice of
 * 40 ms and three of nothing. Taken as slices of 10 ms they would show more cores than there are,
 * so use is spread evenly between two reads and cut anew.
 */
final class EvenSlices {
    /** Slices within this part of the interval are as even as timers get. */
    private static final double EVEN_WITHIN = 0.5;

    private EvenSlices() {}

    /** The same slices, or slices of the interval when too many of them are uneven. */
    static List<Slice> of(List<Slice> slices, long intervalNs) {
        long uneven =
                slices.stream()
                        .filter(
                                slice ->
                                        Math.abs(slice.elapsedNs() - intervalNs)
                                                > EVEN_WITHIN * intervalNs)
                        .count();
        long gaps = slices.get(slices.size() - 1).slot() + 1 - slices.size();
        return uneven == 0 || gaps > 0 ? slices : cut(slices, intervalNs);
    }

    private static List<Slice> cut(List<Slice> slices, long intervalNs) {
        List<Slice> even = new ArrayList<>();
        Counters counters = new Counters();
        double used = 0;
        double usedBefore = 0;
        long readNs = 0;
        for (Slice slice : slices) {
            counters.add(slice);
            long untilNs = readNs + slice.elapsedNs();
            for (long endNs = (even.size() + 1) * intervalNs;
                    endNs <= untilNs;
                    endNs += intervalNs) {
                double now =
                        used + slice.usageNs() * ((endNs - readNs) / (double) slice.elapsedNs());
                even.add(
                        counters.take(
                                even.size(), Math.round(now - usedBefore), intervalNs, slice));
                usedBefore = now;
            }
            used += slice.usageNs();
            readNs = untilNs;
        }
        return even.isEmpty() ? slices : even;
    }

    /** What counters grew by since a slice was cut. */
    private static final class Counters {
        private long periods;
        private long throttledPeriods;
        private long throttledUs;

        void add(Slice slice) {
            periods += slice.periods().orElse(0);
            throttledPeriods += slice.throttledPeriods().orElse(0);
            throttledUs += slice.throttledUs().orElse(0);
        }

        Slice take(long slot, long usageNs, long elapsedNs, Slice like) {
            Slice taken =
                    new Slice(
                            slot,
                            Math.max(0, usageNs),
                            elapsedNs,
                            like.runnableThreads(),
                            kept(like.periods(), periods),
                            kept(like.throttledPeriods(), throttledPeriods),
                            kept(like.throttledUs(), throttledUs));
            periods = 0;
            throttledPeriods = 0;
            throttledUs = 0;
            return taken;
        }

        private static OptionalLong kept(OptionalLong measured, long sum) {
            return measured.isPresent() ? OptionalLong.of(sum) : OptionalLong.empty();
        }
    }
}
