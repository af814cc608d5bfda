package io.quotascope.domain.alert;

import io.quotascope.domain.fleet.CatalogView;
import io.quotascope.domain.fleet.JudgementScope;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/**
 * What an alert's row says beside the alert: of how much, against which reservation, whose.
 *
 * @param version version of the row
 * @param catalogVersion version of the catalog entry used; 0 = none
 * @param team team of the entry
 * @param shards shards of the class; absent when it is not about a class
 * @param completeness records received / expected; absent when unknown
 * @param quotaCores cores that the kernel allows a shard
 * @param reservedCores cores that a shard reserves
 */
public record AlertContext(
        long version,
        long catalogVersion,
        Optional<String> team,
        OptionalInt shards,
        OptionalDouble completeness,
        OptionalDouble quotaCores,
        OptionalDouble reservedCores) {
    /** Of a service and class. */
    public static AlertContext of(JudgementScope scope) {
        return new AlertContext(
                scope.version(),
                scope.catalogVersion(),
                scope.team(),
                OptionalInt.of(scope.shards()),
                scope.completeness(),
                scope.quotaCores(),
                scope.reservedCores());
    }

    /** Of a host, or of a service as a whole. */
    public static AlertContext of(CatalogView catalog) {
        return new AlertContext(
                catalog.rowVersion(),
                catalog.catalogVersion(),
                catalog.team(),
                OptionalInt.empty(),
                OptionalDouble.empty(),
                OptionalDouble.empty(),
                OptionalDouble.empty());
    }
}
