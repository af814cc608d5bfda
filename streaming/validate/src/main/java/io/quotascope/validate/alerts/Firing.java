package io.quotascope.validate.alerts;

import java.util.ArrayList;
import java.util.List;

/**
 * What one rule did to one service.
 *
 * @param on whether it fired at the end of each minute
 * @param alerts how often it began
 */
public record Firing(List<Boolean> on, int alerts) {
    /** A list that cannot change any more. */
    public Firing {
        on = List.copyOf(on);
    }

    /** A rule that fires in these minutes. */
    public static Firing of(List<Boolean> on) {
        int alerts = 0;
        boolean before = false;
        for (boolean now : on) {
            alerts += now && !before ? 1 : 0;
            before = now;
        }
        return new Firing(on, alerts);
    }

    /** Several rules taken together: on while one is, and every one pages for itself. */
    public static Firing any(List<Firing> rules) {
        List<Boolean> on = new ArrayList<>();
        for (int minute = 0; minute < rules.get(0).on().size(); minute++) {
            int at = minute;
            on.add(rules.stream().anyMatch(rule -> rule.on().get(at)));
        }
        return new Firing(on, rules.stream().mapToInt(Firing::alerts).sum());
    }

    /** The first minute in which it fires; -1 = never. */
    public int first() {
        return on.indexOf(true);
    }
}
