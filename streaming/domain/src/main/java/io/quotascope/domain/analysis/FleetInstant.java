package io.quotascope.domain.analysis;

import java.util.Collection;
import java.util.List;
import java.util.stream.LongStream;

/** Instants for which services are added up, and which of their estimates count at one. */
public final class FleetInstant {
    /** Between two instants, microseconds. */
    public static final long INTERVAL_US = 600_000_000L;

    /** An older estimate says nothing of today any more, microseconds. */
    public static final long KEPT_US = 24 * 3_600_000_000L;

    /** A class without an estimate for so many turns while its service has others is over. */
    public static final int TURNS_WITHOUT = 2;

    private FleetInstant() {}

    /** The first instant at which an estimate counts, microseconds since the Unix epoch. */
    public static long of(long analysedAtUs) {
        return -Math.floorDiv(-analysedAtUs, INTERVAL_US) * INTERVAL_US;
    }

    /**
     * The totals of one origin at an instant; none when nothing was analysed since the one before.
     *
     * @param newest of each service and class the newest estimate up to the instant, in any order
     * @param turnUs time between two analyses of one service, microseconds
     */
    public static List<FleetTotal> totals(
            long instantUs, Collection<FleetPart> newest, long turnUs) {
        List<FleetPart> kept =
                newest.stream().filter(part -> part.analysedAtUs() > instantUs - KEPT_US).toList();
        LongStream analysed = kept.stream().mapToLong(FleetPart::analysedAtUs);
        if (analysed.noneMatch(atUs -> atUs > instantUs - INTERVAL_US)) {
            return List.of();
        }
        List<FleetPart> current = FleetPart.current(kept, TURNS_WITHOUT * turnUs);
        return FleetTotal.all(kept.get(0).key().origin(), instantUs, current, kept);
    }
}
