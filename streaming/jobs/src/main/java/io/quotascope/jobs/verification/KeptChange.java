package io.quotascope.jobs.verification;

import io.quotascope.domain.verification.ChangeEvent;

/**
 * A change that is being verified.
 *
 * @param event what happened
 * @param judgedHours hours after it that the last row looked at; 0 before the first
 * @param dueHours hours after it that the next row looks at; 0 when none is due
 * @param dueMs when, milliseconds since the Unix epoch
 */
record KeptChange(ChangeEvent event, long judgedHours, long dueHours, long dueMs) {
    static KeptChange of(ChangeEvent event) {
        return new KeptChange(event, 0, 0, 0);
    }

    KeptChange due(long hours, long atMs) {
        return new KeptChange(event, judgedHours, hours, atMs);
    }

    KeptChange judged() {
        return new KeptChange(event, dueHours, 0, 0);
    }

    boolean isDue(long nowMs) {
        return dueHours > 0 && dueMs <= nowMs;
    }
}
