package io.quotascope.jobs.verification;

import io.quotascope.domain.verification.ChangeEvent;

/**
 * A change that is being verified.
 *
 * @param event what happened
 * @param judgedHours hours after it that the last row looked at; 0 before the first
 * @param dueHours hours after it that the next row looks at; 0 when none is due
 * @param dueMs when, milliseconds since the Unix epoch
 * @param regressed whether the last row said that it took back what had been saved
 */
record KeptChange(
        ChangeEvent event, long judgedHours, long dueHours, long dueMs, boolean regressed) {
    static KeptChange of(ChangeEvent event) {
        return new KeptChange(event, 0, 0, 0, false);
    }

    KeptChange due(long hours, long atMs) {
        return new KeptChange(event, judgedHours, hours, atMs, regressed);
    }

    KeptChange judged(boolean tookBack) {
        return new KeptChange(event, dueHours, 0, 0, tookBack);
    }

    boolean isDue(long nowMs) {
        return dueHours > 0 && dueMs <= nowMs;
    }
}
