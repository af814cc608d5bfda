package io.quotascope.jobs.io.parts;

import io.quotascope.domain.analysis.Cadence;
import io.quotascope.domain.risk.EarlyWarning;
import io.quotascope.jobs.io.options.InvalidOptionException;
import io.quotascope.jobs.io.options.OptionGroup;
import io.quotascope.jobs.io.options.Required;
import java.util.List;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;
import org.apache.flink.configuration.ReadableConfig;

/** How often services are analysed, alike in all jobs of analyses. */
public final class CadenceOptions implements OptionGroup {

    public static final ConfigOption<Integer> TURN_MINUTES =
            ConfigOptions.key("analysis.turn-minutes")
                    .intType()
                    .defaultValue(Cadence.DEFAULT.turnMinutes())
                    .withDescription(
                            "Minutes between two analyses of one service. Its name decides which minute is its own, so that the cost is spread evenly.");

    public static final ConfigOption<Integer> HOST_CPUS =
            ConfigOptions.key("analysis.host-cpus")
                    .intType()
                    .defaultValue(16)
                    .withDescription(
                            "CPUs of the hosts, a count: the most that a shard can use at once. A shard that was seen to use more has more.");

    /** When a service is analysed between its turns. */
    public static AnalysingFunction.Settings<Cadence> cadence(
            ReadableConfig config, int movedMinutes) {
        int turn = Required.atLeast(config, TURN_MINUTES, 1);
        if (turn > Cadence.VALID_MINUTES) {
            throw new InvalidOptionException(
                    "option "
                            + TURN_MINUTES.key()
                            + " must be at most "
                            + Cadence.VALID_MINUTES
                            + ", found "
                            + turn);
        }
        return () -> new Cadence(turn, movedMinutes, EarlyWarning.Rule.DEFAULT);
    }

    /** Time between two analyses of one service, microseconds. */
    public static long turnUs(ReadableConfig config) {
        return Required.atLeast(config, TURN_MINUTES, 1) * 60_000_000L;
    }

    /** CPUs of the hosts. */
    public static double hostCpus(ReadableConfig config) {
        return Required.atLeast(config, HOST_CPUS, 1);
    }

    @Override
    public String name() {
        return "analysis";
    }

    @Override
    public String purpose() {
        return "Cadence of the heavy judgements: risk, what-if and savings.";
    }

    @Override
    public List<ConfigOption<?>> options() {
        return List.of(TURN_MINUTES, HOST_CPUS);
    }
}
