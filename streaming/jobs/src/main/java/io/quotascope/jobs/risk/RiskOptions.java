package io.quotascope.jobs.risk;

import io.quotascope.domain.analysis.RiskSettings;
import io.quotascope.domain.risk.EarlyWarning;
import io.quotascope.domain.risk.RiskPolicy;
import io.quotascope.domain.risk.ServiceCliff.Redistribution;
import io.quotascope.jobs.io.options.InvalidOptionException;
import io.quotascope.jobs.io.options.OptionGroup;
import io.quotascope.jobs.io.options.Required;
import io.quotascope.jobs.io.options.SharedOptions;
import io.quotascope.jobs.io.parts.CadenceOptions;
import java.time.Duration;
import java.util.List;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;
import org.apache.flink.configuration.ReadableConfig;

/** Options of the risk job; thresholds of the model itself are in {@link RiskPolicy}. */
public final class RiskOptions implements OptionGroup {
    private static final EarlyWarning.Rule RULE = EarlyWarning.Rule.DEFAULT;

    public static final ConfigOption<Integer> EVIDENCE_MINUTES =
            ConfigOptions.key("risk.evidence-minutes")
                    .intType()
                    .defaultValue(10)
                    .withDescription(
                            "Minutes that an analysis looks at, ending with its own. Few, because the cliff is one of the load of now.");

    public static final ConfigOption<Integer> MOVED_MINUTES =
            ConfigOptions.key("risk.moved-minutes")
                    .intType()
                    .defaultValue(1)
                    .withDescription(
                            "Minutes that lie at least between an analysis and one because load, throttling or run length has moved.");

    public static final ConfigOption<Duration> OUTLOOK =
            ConfigOptions.key("risk.outlook")
                    .durationType()
                    .defaultValue(Duration.ofHours(1))
                    .withDescription(
                            "How far death_spiral_risk looks ahead, where the catalog states no horizon_us.");

    public static final ConfigOption<String> REDISTRIBUTION =
            ConfigOptions.key("risk.redistribution")
                    .stringType()
                    .defaultValue("eject")
                    .withDescription(
                            "What clients do with the load of a collapsed shard: eject (send it to the others) or stay (keep sending it there). A service whose catalog entry says redistributes_load is judged by that.");

    public static final ConfigOption<Double> HEADROOM_MIN =
            ConfigOptions.key("risk.headroom-min")
                    .doubleType()
                    .defaultValue(RULE.headroomMin())
                    .withDescription(
                            "The alarm is raised when collapse is nearer than this multiple of the minute's load.");

    public static final ConfigOption<Double> THROTTLED_PERIOD_RATIO_MAX =
            ConfigOptions.key("risk.throttled-period-ratio-max")
                    .doubleType()
                    .defaultValue(RULE.throttledRatioMax())
                    .withDescription(
                            "The alarm is raised above this share of throttled periods, 0..1.");

    /**
     * @throws InvalidOptionException if an option makes no sense
     */
    static RiskFunction.Plan plan(ReadableConfig config) {
        long outlookUs = config.get(OUTLOOK).toNanos() / 1_000;
        Redistribution redistribution = redistribution(config.get(REDISTRIBUTION));
        double headroom = config.get(HEADROOM_MIN);
        double ratio = config.get(THROTTLED_PERIOD_RATIO_MAX);
        if (outlookUs < 60_000_000 || !(headroom > 0) || !(ratio > 0 && ratio <= 1)) {
            throw new InvalidOptionException(
                    "options risk.*: outlook is at least 1 min, headroom-min positive, throttled-period-ratio-max a share");
        }
        return new RiskFunction.Plan(
                CadenceOptions.cadence(config, Required.atLeast(config, MOVED_MINUTES, 1)),
                () ->
                        new RiskSettings(
                                RiskPolicy.DEFAULT,
                                new EarlyWarning.Rule(
                                        headroom,
                                        ratio,
                                        RULE.loadMoved(),
                                        RULE.throttledRatioMoved(),
                                        RULE.runPeriodsMoved()),
                                outlookUs,
                                redistribution),
                Required.atLeast(config, EVIDENCE_MINUTES, 1),
                CadenceOptions.hostCpus(config),
                SharedOptions.revision(config));
    }

    private static Redistribution redistribution(String word) {
        return switch (word) {
            case "eject" -> Redistribution.EJECT;
            case "stay" -> Redistribution.STAY;
            default ->
                    throw new InvalidOptionException(
                            "option "
                                    + REDISTRIBUTION.key()
                                    + " is '"
                                    + word
                                    + "'; say eject or stay");
        };
    }

    @Override
    public String name() {
        return "risk";
    }

    @Override
    public String purpose() {
        return "Options of the risk job, which says each minute how near collapse a service is.";
    }

    @Override
    public List<ConfigOption<?>> options() {
        return List.of(
                EVIDENCE_MINUTES,
                MOVED_MINUTES,
                OUTLOOK,
                REDISTRIBUTION,
                HEADROOM_MIN,
                THROTTLED_PERIOD_RATIO_MAX);
    }
}
