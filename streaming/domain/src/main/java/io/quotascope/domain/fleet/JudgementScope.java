package io.quotascope.domain.fleet;

import io.quotascope.domain.window.Bandwidth;
import io.quotascope.domain.window.Reporting;
import io.quotascope.domain.window.ServiceKey;
import io.quotascope.domain.window.ServiceSums;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What every judgement says about itself: of what, of when, from how much of it, and against which
 * reservation.
 *
 * @param key service and class
 * @param windowStartUs start of the minute judged, microseconds since the Unix epoch
 * @param part the last part merged
 * @param version version of the row
 * @param catalogVersion version of the catalog entry used; 0 = none
 * @param team team of the entry
 * @param shards greatest record count of a window of 10 s
 * @param completeness records received / expected; absent when the hosts have not said
 * @param quotaCores cores that the kernel allows a shard; absent when unlimited or without
 *     controller
 * @param reservedCores cores that a shard reserves; absent when unknown
 */
public record JudgementScope(
        ServiceKey key,
        long windowStartUs,
        long part,
        long version,
        long catalogVersion,
        Optional<String> team,
        int shards,
        OptionalDouble completeness,
        OptionalDouble quotaCores,
        OptionalDouble reservedCores) {

    /** The scope of one minute, all parts up to the given one merged. */
    public static JudgementScope of(ServiceSums merged, long part, CatalogView catalog) {
        Reporting reporting = merged.reporting();
        return new JudgementScope(
                merged.key(),
                merged.windowStartUs(),
                part,
                catalog.rowVersion(),
                catalog.catalogVersion(),
                catalog.team(),
                reporting.shards(),
                reporting.completeness(),
                merged.bandwidth().quotaCores(),
                reserved(catalog, merged.bandwidth()));
    }

    private static OptionalDouble reserved(CatalogView catalog, Bandwidth bandwidth) {
        return ReservedCores.of(catalog.entry(), bandwidth).cores();
    }

    /** A quantity of one shard over its reserved cores; absent when either is. */
    public OptionalDouble perReservedCore(OptionalDouble quantity) {
        if (quantity.isEmpty() || reservedCores.isEmpty()) {
            return OptionalDouble.empty();
        }
        return OptionalDouble.of(quantity.getAsDouble() / reservedCores.getAsDouble());
    }
}
