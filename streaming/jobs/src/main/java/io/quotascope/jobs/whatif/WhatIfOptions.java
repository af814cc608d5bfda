package io.quotascope.jobs.whatif;

import io.quotascope.domain.whatif.advice.Target;
import io.quotascope.jobs.io.options.InvalidOptionException;
import io.quotascope.jobs.io.options.OptionGroup;
import io.quotascope.jobs.io.options.Required;
import io.quotascope.jobs.io.options.SharedOptions;
import io.quotascope.jobs.io.parts.AnalysingFunction;
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

    public static final ConfigOption<Double> THROTTLED_PERIOD_RATIO_TARGET =
            ConfigOptions.key("whatif.throttled-period-ratio-target")
                    .doubleType()
                    .defaultValue(Target.DEFAULT.throttledPeriodRatio())
                    .withDescription(
                            "Most throttled periods that a recommendation may leave at peak, a share, 0..1.");

    public static final ConfigOption<Double> HEADROOM_TARGET =
            ConfigOptions.key("whatif.headroom-target")
                    .doubleType()
                    .defaultValue(Target.DEFAULT.headroom())
                    .withDescription(
                            "Least collapse load that a recommendation has to leave, as a multiple of the peak load.");

    /**
     * @throws InvalidOptionException if an option makes no sense
     */
    static WhatIfFunction.Plan plan(ReadableConfig config) {
        double ratio = config.get(THROTTLED_PERIOD_RATIO_TARGET);
        double headroom = config.get(HEADROOM_TARGET);
        AnalysingFunction.Settings<Target> target =
                () -> new Target(ratio, headroom, 1, Target.Aim.SAVINGS);
        try {
            target.make();
        } catch (IllegalArgumentException e) {
            throw new InvalidOptionException(
                    "options whatif.*: throttled-period-ratio-target is a share and headroom-target a ratio, not "
                            + e.getMessage());
        }
        return new WhatIfFunction.Plan(
                CadenceOptions.cadence(config, Required.atLeast(config, MOVED_MINUTES, 1)),
                target,
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
        return List.of(
                HORIZON_MINUTES, MOVED_MINUTES, THROTTLED_PERIOD_RATIO_TARGET, HEADROOM_TARGET);
    }
}
