package io.quotascope.fleetsim.fleet;

import java.util.List;

/**
 * A fleet and everything that happens to it.
 *
 * @param settings what it was drawn from
 * @param kinds kinds of service
 * @param hosts hosts
 * @param services services
 * @param silences times in which records did not arrive
 */
public record Fleet(
        FleetSettings settings,
        List<Kind> kinds,
        List<Host> hosts,
        List<Service> services,
        List<Silence> silences) {
    /** Lists that cannot change any more. */
    public Fleet {
        kinds = List.copyOf(kinds);
        hosts = List.copyOf(hosts);
        services = List.copyOf(services);
        silences = List.copyOf(silences);
    }

    /** Draws a fleet. */
    public static Fleet draw(FleetSettings settings) {
        return new FleetDraw(settings).fleet();
    }
}
