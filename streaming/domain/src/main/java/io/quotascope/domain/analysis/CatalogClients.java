package io.quotascope.domain.analysis;

import io.quotascope.domain.fleet.CatalogView;
import io.quotascope.domain.fleet.ServiceCatalogEntry;
import io.quotascope.domain.savings.LatencyObjective;
import io.quotascope.domain.whatif.ClientPolicy;
import java.util.Optional;

/** What the catalog says of a service's clients, in the form of the models. */
final class CatalogClients {
    private CatalogClients() {}

    /**
     * Timeout and retries. Absent when the entry states no timeout; one that states a timeout only
     * has clients that try as often as those of the model.
     */
    static Optional<ClientPolicy> of(CatalogView catalog, ClientPolicy assumed) {
        return catalog.entry()
                .map(ServiceCatalogEntry::load)
                .filter(load -> load.timeoutUs().orElse(0) > 0)
                .map(
                        load ->
                                new ClientPolicy(
                                        load.timeoutUs().getAsLong(),
                                        Math.min(
                                                ClientPolicy.RETRIES_MAX,
                                                load.retries().orElse(assumed.retries()))));
    }

    /** The latency objective, or the one that stands in. */
    static LatencyObjective objective(CatalogView catalog) {
        return catalog.entry()
                .map(ServiceCatalogEntry::load)
                .filter(load -> load.sloUs().orElse(0) > 0)
                .map(load -> new LatencyObjective(load.sloUs().getAsLong(), true))
                .orElse(LatencyObjective.ASSUMED);
    }
}
