package io.quotascope.jobs.changes;

import io.quotascope.domain.change.ChangeWatch;
import io.quotascope.domain.change.ShardLevel;
import io.quotascope.jobs.io.options.InvalidOptionException;
import io.quotascope.jobs.io.options.OptionGroup;
import java.util.List;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;
import org.apache.flink.configuration.ReadableConfig;

/** When a change that shows in the stream is told; defaults are {@link ChangeWatch.Policy}'s. */
public final class ChangesOptions implements OptionGroup {
    private static final ChangeWatch.Policy DEFAULT = ChangeWatch.Policy.DEFAULT;

    public static final ConfigOption<Integer> SETTLED_MINUTES =
            ConfigOptions.key("changes.settled-minutes")
                    .intType()
                    .defaultValue(DEFAULT.settledMinutes())
                    .withDescription(
                            "Minutes in a row, a count, in which two thirds of a service must have a new quota, period or kernel.");

    public static final ConfigOption<Double> SHARDS_SHARE =
            ConfigOptions.key("changes.shards-share-min")
                    .doubleType()
                    .defaultValue(DEFAULT.shards().share())
                    .withDescription(
                            "Least move of the number of shards that is told, as a share of it, 0..1 and above.");

    public static final ConfigOption<Integer> SHARDS_MIN =
            ConfigOptions.key("changes.shards-min")
                    .intType()
                    .defaultValue(DEFAULT.shards().shards())
                    .withDescription("Least move of the number of shards that is told, a count.");

    public static final ConfigOption<Integer> SHARDS_MINUTES =
            ConfigOptions.key("changes.shards-minutes")
                    .intType()
                    .defaultValue(DEFAULT.shards().minutes())
                    .withDescription("Minutes in a row, a count, that the move must last.");

    public static final ConfigOption<Integer> SHARDS_PER_DAY =
            ConfigOptions.key("changes.shards-per-day-max")
                    .intType()
                    .defaultValue(DEFAULT.shards().perDayMax())
                    .withDescription(
                            "Changes of the number of shards told of one service in 24 h at most, a count: an autoscaler must not flood the list.");

    /**
     * The thresholds in force.
     *
     * @throws InvalidOptionException if one makes no sense
     */
    public static ChangesFunction.Policy policy(ReadableConfig config) {
        int settled = config.get(SETTLED_MINUTES);
        double share = config.get(SHARDS_SHARE);
        int shards = config.get(SHARDS_MIN);
        int minutes = config.get(SHARDS_MINUTES);
        int perDay = config.get(SHARDS_PER_DAY);
        ChangesFunction.Policy policy =
                () ->
                        new ChangeWatch.Policy(
                                settled, new ShardLevel.Policy(share, shards, minutes, perDay));
        try {
            policy.make();
        } catch (IllegalArgumentException e) {
            throw new InvalidOptionException("options changes.*: " + e.getMessage());
        }
        return policy;
    }

    @Override
    public String name() {
        return "changes";
    }

    @Override
    public String purpose() {
        return "When a change of quota, period, kernel or number of shards that shows in the stream is told.";
    }

    @Override
    public List<ConfigOption<?>> options() {
        return List.of(SETTLED_MINUTES, SHARDS_SHARE, SHARDS_MIN, SHARDS_MINUTES, SHARDS_PER_DAY);
    }
}
