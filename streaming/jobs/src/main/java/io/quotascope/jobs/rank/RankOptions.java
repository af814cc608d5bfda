package io.quotascope.jobs.rank;

import io.quotascope.domain.rank.RankPolicy;
import io.quotascope.jobs.io.options.InvalidOptionException;
import io.quotascope.jobs.io.options.OptionGroup;
import java.util.List;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;
import org.apache.flink.configuration.ReadableConfig;

/** Thresholds of the ranking; what they mean and their defaults are in {@link RankPolicy}. */
public final class RankOptions implements OptionGroup {
    private static final RankPolicy DEFAULT = RankPolicy.DEFAULT;

    public static final ConfigOption<Integer> HORIZON_MINUTES =
            ConfigOptions.key("rank.horizon-minutes")
                    .intType()
                    .defaultValue(DEFAULT.horizonMinutes())
                    .withDescription(
                            "Minutes that are judged together, ending with the row's own minute.");

    public static final ConfigOption<Long> SAMPLES_MIN =
            ConfigOptions.key("rank.samples-min")
                    .longType()
                    .defaultValue(DEFAULT.samplesMin())
                    .withDescription(
                            "With fewer 10 ms samples in the horizon, a count, the verdict is unknown.");

    public static final ConfigOption<Double> THROTTLED_PERIOD_RATIO_MIN =
            share(
                    "rank.throttled-period-ratio-min",
                    DEFAULT.throttledPeriodRatioMin(),
                    "From this share of throttled periods on, 0..1, the verdict is throttled.");

    public static final ConfigOption<Double> THREADS_PER_RESERVED_CORE_MAX =
            share(
                    "rank.threads-per-reserved-core-max",
                    DEFAULT.threadsPerReservedCoreMax(),
                    "Above this many threads for each reserved core the pool is named as a cause.");

    public static final ConfigOption<Double> UTILIZATION_MAX =
            share(
                    "rank.utilization-max",
                    DEFAULT.utilizationMax(),
                    "Highest share of a reservation, 0..1, that the 10 ms peaks should use; what lies beyond is reclaimable.");

    public static final ConfigOption<Double> GIVE_BACK_SHARE_MIN =
            share(
                    "rank.give-back-share-min",
                    DEFAULT.giveBackShareMin(),
                    "Least share of the reservation, 0..1, that is worth giving back.");

    public static final ConfigOption<Double> GIVE_BACK_CORES_MIN =
            share(
                    "rank.give-back-cores-min",
                    DEFAULT.giveBackCoresMin(),
                    "Least number of cores that is worth giving back.");

    public static final ConfigOption<Double> COMPLETENESS_MIN =
            share(
                    "rank.completeness-min",
                    DEFAULT.completenessMin(),
                    "Below this completeness, 0..1, the row says that records are missing.");

    public static final ConfigOption<Double> STAND_IN_USD_PER_CORE_YEAR =
            share(
                    "rank.stand-in-usd-per-core-year",
                    DEFAULT.standInUsdPerCoreYear(),
                    "At what a reserved core without a known price counts in the order of services, US dollars a year. It orders and is shown nowhere as money.");

    private static ConfigOption<Double> share(String key, double value, String meaning) {
        return ConfigOptions.key(key).doubleType().defaultValue(value).withDescription(meaning);
    }

    /**
     * @throws InvalidOptionException if a threshold makes no sense
     */
    static RankFunction.Policy policy(ReadableConfig config) {
        int horizonMinutes = config.get(HORIZON_MINUTES);
        long samplesMin = config.get(SAMPLES_MIN);
        double throttledMin = config.get(THROTTLED_PERIOD_RATIO_MIN);
        double threadsMax = config.get(THREADS_PER_RESERVED_CORE_MAX);
        double utilizationMax = config.get(UTILIZATION_MAX);
        double shareMin = config.get(GIVE_BACK_SHARE_MIN);
        double coresMin = config.get(GIVE_BACK_CORES_MIN);
        double completenessMin = config.get(COMPLETENESS_MIN);
        double standInUsd = config.get(STAND_IN_USD_PER_CORE_YEAR);
        RankFunction.Policy policy =
                () ->
                        new RankPolicy(
                                horizonMinutes,
                                samplesMin,
                                throttledMin,
                                threadsMax,
                                utilizationMax,
                                shareMin,
                                coresMin,
                                completenessMin,
                                standInUsd);
        try {
            policy.make();
        } catch (IllegalArgumentException e) {
            throw new InvalidOptionException("options rank.*: " + e.getMessage());
        }
        return policy;
    }

    @Override
    public String name() {
        return "rank";
    }

    @Override
    public String purpose() {
        return "Thresholds of the rank job, which says which service to look at first and why.";
    }

    @Override
    public List<ConfigOption<?>> options() {
        return List.of(
                HORIZON_MINUTES,
                SAMPLES_MIN,
                THROTTLED_PERIOD_RATIO_MIN,
                THREADS_PER_RESERVED_CORE_MAX,
                UTILIZATION_MAX,
                GIVE_BACK_SHARE_MIN,
                GIVE_BACK_CORES_MIN,
                COMPLETENESS_MIN,
                STAND_IN_USD_PER_CORE_YEAR);
    }
}
