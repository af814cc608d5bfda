package io.quotascope.fleetsim;

import io.quotascope.console.InvalidInputException;
import io.quotascope.fleetsim.fleet.FleetSettings;
import java.time.Instant;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Which fleet, as the command line says. */
public final class FleetOptions {
    @Option(
            names = "--seed",
            defaultValue = "20261122",
            paramLabel = "N",
            description = "seed of the fleet; default ${DEFAULT-VALUE}")
    private long seed;

    @Option(
            names = "--services",
            defaultValue = "200",
            paramLabel = "N",
            description = "services; default ${DEFAULT-VALUE}")
    private int services;

    @Option(
            names = "--shards",
            defaultValue = "5000",
            paramLabel = "N",
            description = "shards of all services together; default ${DEFAULT-VALUE}")
    private int shards;

    @Option(
            names = "--days",
            defaultValue = "7",
            paramLabel = "N",
            description = "simulated days; default ${DEFAULT-VALUE}")
    private int days;

    @Option(
            names = "--start",
            paramLabel = "INSTANT",
            description =
                    "first instant, a full hour, as 2026-11-15T00:00:00Z; default: so that the"
                            + " simulated days end with the last full hour. The same seed and start"
                            + " give the same bytes.")
    private Optional<Instant> start = Optional.empty();

    /** The fleet's settings. */
    public FleetSettings settings() throws InvalidInputException {
        long startUs =
                start.map(instant -> instant.toEpochMilli() * 1000)
                        .orElseGet(() -> lastHourUs() - days * FleetSettings.DAY_US);
        try {
            return new FleetSettings(seed, services, shards, startUs, days);
        } catch (IllegalArgumentException unfit) {
            throw new InvalidInputException(unfit.getMessage());
        }
    }

    private static long lastHourUs() {
        long nowUs = System.currentTimeMillis() * 1000;
        return Math.floorDiv(nowUs, FleetSettings.HOUR_US) * FleetSettings.HOUR_US;
    }
}
