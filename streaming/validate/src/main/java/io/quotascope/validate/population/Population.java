package io.quotascope.validate.population;

import java.util.List;

/**
 * Services drawn from a seed.
 *
 * @param name as files and tables spell it
 * @param configured services with utilizations from 0.2 to 0.85, for changes of configuration
 * @param collapsible services of up to 20 cores, for the load from which they collapse
 * @param tunable services like service-1 of the articles, for what pools and caps gain
 */
public record Population(
        String name, List<Subject> configured, List<Subject> collapsible, List<Subject> tunable) {
    /** Lists that cannot change any more. */
    public Population {
        configured = List.copyOf(configured);
        collapsible = List.copyOf(collapsible);
        tunable = List.copyOf(tunable);
    }

    /** The same with other services that collapse. */
    public Population with(List<Subject> collapsing) {
        return new Population(name, configured, collapsing, tunable);
    }
}
