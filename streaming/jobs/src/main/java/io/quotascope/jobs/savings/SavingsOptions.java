package io.quotascope.jobs.savings;

import io.quotascope.domain.analysis.SavingsSettings;
import io.quotascope.domain.savings.Kappa;
import io.quotascope.domain.savings.Provisioning.Targets;
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

/** Options of the savings job. */
public final class SavingsOptions implements OptionGroup {
    private static final Targets DEFAULT = Targets.DEFAULT;

    public static final ConfigOption<Integer> HORIZON_MINUTES =
            ConfigOptions.key("savings.horizon-minutes")
                    .intType()
                    .defaultValue(60)
                    .withDescription("Minutes that an analysis looks at, ending with its own.");

    public static final ConfigOption<Integer> MOVED_MINUTES =
            ConfigOptions.key("savings.moved-minutes")
                    .intType()
                    .defaultValue(10)
                    .withDescription(
                            "Minutes that lie at least between an analysis and one because load, throttling or run length has moved.");

    public static final ConfigOption<Double> HEADROOM_TARGET =
            ConfigOptions.key("savings.headroom-target")
                    .doubleType()
                    .defaultValue(DEFAULT.headroomTarget())
                    .withDescription(
                            "Collapse load to keep, as a multiple of the peak load, at least 1; what lies beyond can go.");

    public static final ConfigOption<Double> THROTTLED_PERIOD_RATIO_TARGET =
            ConfigOptions.key("savings.throttled-period-ratio-target")
                    .doubleType()
                    .defaultValue(Target.DEFAULT.throttledPeriodRatio())
                    .withDescription(
                            "Most throttled periods that the recommended change may leave at peak, a share, 0..1.");

    public static final ConfigOption<Double> UTILIZATION_MAX =
            ConfigOptions.key("savings.utilization-max")
                    .doubleType()
                    .defaultValue(DEFAULT.utilizationMax())
                    .withDescription(
                            "Highest share of a reservation, 0..1, that the peak should use.");

    public static final ConfigOption<Double> FAILED_SHARDS_RATIO =
            ConfigOptions.key("savings.failed-shards-ratio")
                    .doubleType()
                    .defaultValue(DEFAULT.failedShardsRatio())
                    .withDescription("Share of the shards, 0..1, that may fail at once.");

    /**
     * @throws InvalidOptionException if an option makes no sense
     */
    static SavingsFunction.Plan plan(ReadableConfig config) {
        double headroom = config.get(HEADROOM_TARGET);
        double ratio = config.get(THROTTLED_PERIOD_RATIO_TARGET);
        double utilization = config.get(UTILIZATION_MAX);
        double failed = config.get(FAILED_SHARDS_RATIO);
        AnalysingFunction.Settings<SavingsSettings> settings =
                () ->
                        new SavingsSettings(
                                new Targets(headroom, utilization, failed), ratio, Kappa.PRIOR);
        try {
            settings.make();
        } catch (IllegalArgumentException e) {
            throw new InvalidOptionException("options savings.*: " + e.getMessage());
        }
        return new SavingsFunction.Plan(
                CadenceOptions.cadence(config, Required.atLeast(config, MOVED_MINUTES, 1)),
                settings,
                Required.atLeast(config, HORIZON_MINUTES, 1),
                CadenceOptions.hostCpus(config),
                SharedOptions.revision(config));
    }

    @Override
    public String name() {
        return "savings";
    }

    @Override
    public String purpose() {
        return "Options of the savings job, which says what tuning would free of a reservation and recommends one change to each service.";
    }

    @Override
    public List<ConfigOption<?>> options() {
        return List.of(
                HORIZON_MINUTES,
                MOVED_MINUTES,
                HEADROOM_TARGET,
                THROTTLED_PERIOD_RATIO_TARGET,
                UTILIZATION_MAX,
                FAILED_SHARDS_RATIO);
    }
}
