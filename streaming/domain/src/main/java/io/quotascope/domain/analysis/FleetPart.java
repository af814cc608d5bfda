package io.quotascope.domain.analysis;

import io.quotascope.domain.savings.FleetSavings;
import io.quotascope.domain.window.ServiceKey;
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
