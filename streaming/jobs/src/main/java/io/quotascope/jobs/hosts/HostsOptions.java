package io.quotascope.jobs.hosts;

import io.quotascope.domain.hosts.Saturation;
import io.quotascope.jobs.io.options.InvalidOptionException;
import io.quotascope.jobs.io.options.OptionGroup;
import java.util.List;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;
import org.apache.flink.configuration.ReadableConfig;

/** Options of the hosts job. */
public final class HostsOptions implements OptionGroup {

    public static final ConfigOption<Double> SATURATED =
            ConfigOptions.key("hosts.saturated-utilization-min")
                    .doubleType()
                    .defaultValue(Saturation.DEFAULT.utilization())
                    .withDescription(
                            "From this share of its CPUs' time in a window of 10 s, 0..1 and steal included, a host counts as saturated.");

    /**
     * The share in force.
     *
     * @throws InvalidOptionException if it is no share
     */
    public static double saturated(ReadableConfig config) {
        try {
            return new Saturation(config.get(SATURATED)).utilization();
        } catch (IllegalArgumentException e) {
            throw new InvalidOptionException("option " + SATURATED.key() + ": " + e.getMessage());
        }
    }

    @Override
    public String name() {
        return "hosts";
    }

    @Override
    public String purpose() {
        return "Thresholds of the hosts job, which sums up hosts by the hour and judges their kernels.";
    }

    @Override
    public List<ConfigOption<?>> options() {
        return List.of(SATURATED);
    }
}
