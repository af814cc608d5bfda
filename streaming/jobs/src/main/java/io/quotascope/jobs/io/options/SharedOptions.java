package io.quotascope.jobs.io.options;

import java.util.List;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;

/** Options that mean the same in every job. */
public final class SharedOptions implements OptionGroup {

    /** Reprocessing revision of every row a job writes. */
    public static final ConfigOption<Integer> REVISION =
            ConfigOptions.key("revision")
                    .intType()
                    .defaultValue(1)
                    .withDescription(
                            "Reprocessing revision, a count from 1. Raise it for a deliberate recomputation: rows of a greater revision replace those of a smaller one.");

    /** The revision in force. */
    public static int revision(org.apache.flink.configuration.ReadableConfig config) {
        return Required.atLeast(config, REVISION, 1);
    }

    @Override
    public String name() {
        return "shared";
    }

    @Override
    public String purpose() {
        return "Options of every job.";
    }

    @Override
    public List<ConfigOption<?>> options() {
        return List.of(REVISION);
    }
}
