package io.quotascope.domain.analysis;

import io.quotascope.domain.savings.FleetSavings;
import io.quotascope.domain.window.ServiceKey;
import io.quotascope.domain.window.WindowPart;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What totals keep of the best set of the newest estimate of one service and class.
 *
 * @param key service and class
 * @param team that owns it
 * @param analysedAtUs end of the analysed minute, microseconds since the Unix epoch
 * @param part last part of the minute that the estimate knew
 * @param reservedCoresTotal reserved cores of all shards; absent when nothing is reserved
 * @param rightSizing cores that can go without a fix; absent when the cliff is not known
 * @param taken cores that the change takes beyond what is reserved; absent when it takes none
 * @param tuning what the fixes do; absent when none is worth it or the cliff is not known
 * @param usdPerCoreYear what a core is worth; absent without a price
 */
public record FleetPart(
        ServiceKey key,
        Optional<String> team,
        long analysedAtUs,
        long part,
        OptionalDouble reservedCoresTotal,
        Optional<Estimate> rightSizing,
        Optional<Estimate> taken,
        Optional<FleetSavings.Part> tuning,
        OptionalDouble usdPerCoreYear) {
    /**
     * Parts without those of classes that are over: their shards have another quota now, and both
     * classes together would count them twice.
     *
     * @param overUs how long after the last estimate of a class another one of its service says so
     */
    public static List<FleetPart> current(List<FleetPart> parts, long overUs) {
        Map<String, Long> newestUs = new HashMap<>();
        parts.forEach(part -> newestUs.merge(part.service(), part.analysedAtUs(), Math::max));
        return parts.stream()
                .filter(part -> part.analysedAtUs() >= newestUs.get(part.service()) - overUs)
                .toList();
    }

    private static final long MINUTE_US = WindowPart.MINUTE_US;

    /** More than a minute can have late parts. */
    private static final long LATE_PARTS = 32;

    /** Whether another estimate of the same class says less of today, or of fewer parts. */
    public boolean isNewerThan(FleetPart other) {
        return analysedAtUs == other.analysedAtUs
                ? part > other.part
                : analysedAtUs > other.analysedAtUs;
    }

    /**
     * A number that is greater for a newer estimate of the same class, positive for those that
     * count at an instant, and less than 46,112.
     */
    long evidence(long instantUs) {
        long minutes = (analysedAtUs - instantUs + FleetInstant.KEPT_US) / MINUTE_US;
        long ended = Math.floorDiv(analysedAtUs / 1_000, WindowPart.LATE_PART_MS);
        long late = part == 0 ? 0 : Math.min(Math.max(part - ended + 1, 1), LATE_PARTS - 1);
        return minutes * LATE_PARTS + late;
    }

    /** Cores that a change takes, by what it frees; absent when that is not less than nothing. */
    public static Optional<Estimate> taken(Optional<Estimate> freed) {
        return freed.filter(estimate -> estimate.value() < 0)
                .map(
                        estimate ->
                                new Estimate(-estimate.value(), -estimate.high(), -estimate.low()));
    }

    /** Cluster and service: all classes of it. */
    String service() {
        return key.cluster() + '/' + key.service();
    }
}
