package io.quotascope.jobs.io.tick;

import io.quotascope.jobs.io.options.OptionGroup;
import java.time.Duration;
import java.util.List;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;

/** Options of the tick writer. */
public final class TickOptions implements OptionGroup {

    public static final ConfigOption<Duration> INTERVAL =
            ConfigOptions.key("tick.interval")
                    .durationType()
                    .defaultValue(Duration.ofSeconds(5))
                    .withDescription(
                            "Distance of two ticks on every partition of the timed topics. A row of a silent service appears at most this much later. 0 writes none, for topics whose clock somebody else moves.");

    @Override
    public String name() {
        return "tick";
    }

    @Override
    public String purpose() {
        return "Ticks: empty messages that move the clock of partitions without records.";
    }

    @Override
    public List<ConfigOption<?>> options() {
        return List.of(INTERVAL);
    }
}
