package io.quotascope.jobs.io.alerts;

import io.quotascope.domain.alert.AlertKind;
import io.quotascope.domain.alert.AlertRule;
import io.quotascope.domain.alert.AlertRules;
import io.quotascope.jobs.io.options.InvalidOptionException;
import io.quotascope.jobs.io.options.OptionGroup;
import io.quotascope.jobs.io.options.Required;
import java.io.Serializable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;
import org.apache.flink.configuration.ReadableConfig;

/**
 * The rules of all alerts: four numbers a kind and one more where it can become critical. Defaults
 * are {@link AlertRules#DEFAULT}.
 */
public final class AlertOptions implements OptionGroup {
    /** Rules as Flink can carry them to the task managers; the domain's are made there. */
    public interface Rules extends Serializable {
        AlertRules make();
    }

    public static final ConfigOption<Duration> FORGET_SERVICE =
            ConfigOptions.key("alerts.forget-service-after")
                    .durationType()
                    .defaultValue(Duration.ofHours(1))
                    .withDescription(
                            "A service and class is taken for gone when the minutes of other services go on for this long without it: its alerts end.");

    public static final ConfigOption<Duration> FORGET_HOST =
            ConfigOptions.key("alerts.forget-host-after")
                    .durationType()
                    .defaultValue(Duration.ofHours(24))
                    .withDescription(
                            "A host silent for this long, by the log's clock, is taken for gone: its alerts end.");

    private static String prefix(AlertKind kind) {
        return "alerts." + kind.label().replace('_', '-');
    }

    private static ConfigOption<Double> raise(AlertRule rule) {
        return ConfigOptions.key(prefix(rule.kind()) + ".raise")
                .doubleType()
                .defaultValue(rule.raise())
                .withDescription(
                        "Alert "
                                + rule.kind().label()
                                + " begins at this value or beyond. Unit: "
                                + rule.kind().unit()
                                + ".");
    }

    private static ConfigOption<Double> clear(AlertRule rule) {
        return ConfigOptions.key(prefix(rule.kind()) + ".clear")
                .doubleType()
                .defaultValue(rule.clear())
                .withDescription(
                        "It ends at this value or beyond. Unit: " + rule.kind().unit() + ".");
    }

    private static ConfigOption<Integer> raiseMinutes(AlertRule rule) {
        return ConfigOptions.key(prefix(rule.kind()) + ".raise-minutes")
                .intType()
                .defaultValue(rule.raiseMinutes())
                .withDescription("Judged minutes in a row that it takes to begin, a count.");
    }

    private static ConfigOption<Integer> clearMinutes(AlertRule rule) {
        return ConfigOptions.key(prefix(rule.kind()) + ".clear-minutes")
                .intType()
                .defaultValue(rule.clearMinutes())
                .withDescription("Judged minutes in a row that it takes to end, a count.");
    }

    private static ConfigOption<Double> critical(AlertRule rule) {
        return ConfigOptions.key(prefix(rule.kind()) + ".critical")
                .doubleType()
                .defaultValue(rule.critical().orElseThrow())
                .withDescription(
                        "From this value on it is critical. Unit: " + rule.kind().unit() + ".");
    }

    private static AlertRule rule(ReadableConfig config, AlertRule standard) {
        return new AlertRule(
                standard.kind(),
                Required.get(config, raise(standard)),
                Required.get(config, clear(standard)),
                standard.critical().isPresent()
                        ? OptionalDouble.of(Required.get(config, critical(standard)))
                        : OptionalDouble.empty(),
                Required.get(config, raiseMinutes(standard)),
                Required.get(config, clearMinutes(standard)));
    }

    private static List<AlertRule> standards() {
        return Arrays.stream(AlertKind.values()).map(AlertRules.DEFAULT::of).toList();
    }

    /**
     * The rules in force.
     *
     * @throws InvalidOptionException if a rule makes no sense
     */
    public static Rules rules(ReadableConfig config) {
        try {
            List<AlertRule> made =
                    standards().stream().map(standard -> rule(config, standard)).toList();
            // Plain numbers travel to the task managers; the domain's classes are made there.
            double[][] numbers =
                    made.stream()
                            .map(
                                    rule ->
                                            new double[] {
                                                rule.raise(),
                                                rule.clear(),
                                                rule.critical().orElse(Double.NaN),
                                                rule.raiseMinutes(),
                                                rule.clearMinutes()
                                            })
                            .toArray(double[][]::new);
            return () -> made(numbers);
        } catch (IllegalArgumentException e) {
            throw new InvalidOptionException("options alerts.*: " + e.getMessage());
        }
    }

    private static AlertRules made(double[][] numbers) {
        List<AlertRule> rules = new ArrayList<>();
        for (AlertKind kind : AlertKind.values()) {
            double[] of = numbers[kind.ordinal()];
            rules.add(
                    new AlertRule(
                            kind,
                            of[0],
                            of[1],
                            Double.isNaN(of[2]) ? OptionalDouble.empty() : OptionalDouble.of(of[2]),
                            (int) of[3],
                            (int) of[4]));
        }
        return new AlertRules(rules);
    }

    @Override
    public String name() {
        return "alerts";
    }

    @Override
    public String purpose() {
        return "When alerts begin and end. Between `raise` and `clear` nothing changes, so that noise makes no alert flap; where `clear` is above `raise`, small values are bad.";
    }

    @Override
    public List<ConfigOption<?>> options() {
        List<ConfigOption<?>> options = new ArrayList<>();
        for (AlertRule standard : standards()) {
            options.add(raise(standard));
            options.add(clear(standard));
            options.add(raiseMinutes(standard));
            options.add(clearMinutes(standard));
            if (standard.critical().isPresent()) {
                options.add(critical(standard));
            }
        }
        options.add(FORGET_SERVICE);
        options.add(FORGET_HOST);
        return options;
    }
}
