package io.quotascope.oracle;

import io.quotascope.domain.analysis.FleetInstant;
import io.quotascope.domain.analysis.FleetPart;
import io.quotascope.domain.analysis.FleetTotal;
import io.quotascope.domain.window.Origin;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * Totals of the fleet, its clusters and its teams for every ten minutes in which anything was
 * analysed: of each service and class the newest estimate up to then, out of all that there are.
 */
final class FleetJudgements {
    private final long turnUs;
    private final Map<Origin, List<FleetPart>> parts = new EnumMap<>(Origin.class);

    /**
     * @param turnUs time between two analyses of one service, microseconds
     */
    FleetJudgements(long turnUs) {
        this.turnUs = turnUs;
    }

    /** Takes an estimate, in any order. */
    void add(FleetPart part) {
        parts.computeIfAbsent(part.key().origin(), origin -> new ArrayList<>()).add(part);
    }

    List<FleetTotal> totals() {
        List<FleetTotal> totals = new ArrayList<>();
        for (List<FleetPart> ofOrigin : parts.values()) {
            TreeSet<Long> instants = new TreeSet<>();
            ofOrigin.forEach(part -> instants.add(FleetInstant.of(part.analysedAtUs())));
            for (long instantUs : instants) {
                totals.addAll(
                        FleetInstant.totals(
                                instantUs, newest(ofOrigin, instantUs).values(), turnUs));
            }
        }
        return totals;
    }

    private static Map<String, FleetPart> newest(List<FleetPart> parts, long instantUs) {
        Map<String, FleetPart> newest = new HashMap<>();
        for (FleetPart part : parts) {
            if (part.analysedAtUs() <= instantUs) {
                newest.merge(
                        part.key().topicKey(),
                        part,
                        (one, other) -> other.isNewerThan(one) ? other : one);
            }
        }
        return newest;
    }
}
