package io.quotascope.domain.alert;

import io.quotascope.domain.risk.EarlyWarning;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * One rule for each kind. The thresholds are options of the jobs; what applies unless an operator
 * says otherwise is stated here. Critical alerts are meant for a pager, warnings for working hours:
 * that a pulse would collapse a service is a state and not an event, so it never pages by itself.
 */
public final class AlertRules {
    /** The rules that apply unless an operator says otherwise. */
    public static final AlertRules DEFAULT =
            new AlertRules(
                    List.of(
                            rule(AlertKind.VULNERABLE, 1, 0, OptionalDouble.empty(), 2, 5),
                            rule(
                                    AlertKind.CLIFF_NEAR,
                                    EarlyWarning.Rule.DEFAULT.headroomMin(),
                                    1.5,
                                    OptionalDouble.of(1.1),
                                    2,
                                    10),
                            rule(AlertKind.KERNEL_FAULT, 0.05, 0, OptionalDouble.empty(), 1, 60),
                            rule(AlertKind.HOST_THREADS, 500, 400, OptionalDouble.of(2_000), 3, 10),
                            rule(
                                    AlertKind.HOST_THREADS_GROWTH,
                                    1.5,
                                    1.2,
                                    OptionalDouble.of(3),
                                    3,
                                    10),
                            rule(AlertKind.SHARD_THREADS, 8, 6, OptionalDouble.empty(), 5, 15),
                            rule(
                                    AlertKind.NEIGHBOUR_INTERFERENCE,
                                    0.05,
                                    0.02,
                                    OptionalDouble.of(0.25),
                                    2,
                                    10),
                            rule(AlertKind.SILENT_HOST, 3, 1, OptionalDouble.of(30), 1, 1),
                            rule(AlertKind.SAVINGS_REGRESSED, 1, 0, OptionalDouble.empty(), 1, 1)));

    private final Map<AlertKind, AlertRule> byKind = new EnumMap<>(AlertKind.class);

    /**
     * @throws IllegalArgumentException when a kind has no rule or two
     */
    public AlertRules(Collection<AlertRule> rules) {
        for (AlertRule rule : rules) {
            if (byKind.put(rule.kind(), rule) != null) {
                throw new IllegalArgumentException("two rules for " + rule.kind().label());
            }
        }
        for (AlertKind kind : AlertKind.values()) {
            if (!byKind.containsKey(kind)) {
                throw new IllegalArgumentException("no rule for " + kind.label());
            }
        }
    }

    private static AlertRule rule(
            AlertKind kind,
            double raise,
            double clear,
            OptionalDouble critical,
            int raiseMinutes,
            int clearMinutes) {
        return new AlertRule(kind, raise, clear, critical, raiseMinutes, clearMinutes);
    }

    /** The rule of a kind. */
    public AlertRule of(AlertKind kind) {
        return byKind.get(kind);
    }
}
