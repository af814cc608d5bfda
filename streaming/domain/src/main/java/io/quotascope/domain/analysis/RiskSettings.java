package io.quotascope.domain.analysis;

import io.quotascope.domain.fleet.CatalogView;
import io.quotascope.domain.fleet.ServiceCatalogEntry;
import io.quotascope.domain.risk.EarlyWarning;
import io.quotascope.domain.risk.RiskPolicy;
import io.quotascope.domain.risk.ServiceCliff.Redistribution;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What an operator decides about judging risk; what an owner says of a service in the catalog
 * overrules it there.
 *
 * @param policy thresholds of the search
 * @param rule thresholds of the alarm
 * @param outlookUs how far death_spiral_risk looks ahead, microseconds
 * @param redistribution what clients do with the load of a collapsed shard
 */
public record RiskSettings(
        RiskPolicy policy, EarlyWarning.Rule rule, long outlookUs, Redistribution redistribution) {
    /** The fitted policy, an hour ahead, clients that give up on a dead shard. */
    public static final RiskSettings DEFAULT =
            new RiskSettings(
                    RiskPolicy.DEFAULT,
                    EarlyWarning.Rule.DEFAULT,
                    LoadPeaks.HOUR_US,
                    Redistribution.EJECT);

    /**
     * Settings that can be judged by.
     *
     * @throws IllegalArgumentException when the outlook is not positive
     */
    public RiskSettings {
        if (outlookUs < 1) {
            throw new IllegalArgumentException("outlookUs must be positive: " + outlookUs);
        }
    }

    /**
     * The same for one service: its horizon and what its clients do, where its entry states them.
     */
    public RiskSettings of(CatalogView catalog) {
        Optional<ServiceCatalogEntry.ClientPolicy> stated =
                catalog.entry().map(ServiceCatalogEntry::load);
        OptionalLong horizon =
                stated.map(ServiceCatalogEntry.ClientPolicy::horizonUs)
                        .orElse(OptionalLong.empty());
        Redistribution clients =
                stated.flatMap(ServiceCatalogEntry.ClientPolicy::redistributesLoad)
                        .map(moves -> moves ? Redistribution.EJECT : Redistribution.STAY)
                        .orElse(redistribution);
        return new RiskSettings(
                policy, rule, horizon.orElse(0) > 0 ? horizon.getAsLong() : outlookUs, clients);
    }
}
