package io.quotascope.jobs.whatif;

import io.quotascope.jobs.io.options.InvalidOptionException;
import io.quotascope.jobs.io.options.OptionGroup;
import io.quotascope.jobs.io.options.Required;
import io.quotascope.jobs.io.options.SharedOptions;
import io.quotascope.jobs.io.parts.CadenceOptions;
import java.util.List;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;
import org.apache.flink.configuration.ReadableConfig;

/** Options of the what-if job. */
public final class WhatIfOptions implements OptionGroup {

    public static final ConfigOption<Integer> HORIZON_MINUTES =
            ConfigOptions.key("whatif.horizon-minutes")
                    .intType()
                    .defaultValue(60)
                    .withDescription("Minutes that an analysis looks at, ending with its own.");

    public static final ConfigOption<Integer> MOVED_MINUTES =
            ConfigOptions.key("whatif.moved-minutes")
                    .intType()
                    .defaultValue(5)
                    .withDescription(
                            "Minutes that lie at least between an analysis and one because load, throttling or run length has moved.");

    /**
     * @throws InvalidOptionException if an option makes no sense
     */
    static WhatIfFunction.Plan plan(ReadableConfig config) {
        return new WhatIfFunction.Plan(
                CadenceOptions.cadence(config, Required.atLeast(config, MOVED_MINUTES, 1)),
                Required.atLeast(config, HORIZON_MINUTES, 1),
                CadenceOptions.hostCpus(config),
                SharedOptions.revision(config));
    }

    @Override
    public String name() {
        return "whatif";
    }

    @Override
    public String purpose() {
        return "Options of the what-if job, which says what other settings and loads would give.";
    }

    @Override
    public List<ConfigOption<?>> options() {
        return List.of(HORIZON_MINUTES, MOVED_MINUTES);
    }
}
