package io.quotascope.domain.alert;

import java.util.List;
import java.util.OptionalDouble;

/**
 * That an alert began, grew worse or ended.
 *
 * @param subject what it is about
 * @param context what its row says beside it
 * @param windowStartUs start of the minute judged, microseconds since the Unix epoch, UTC
 * @param kind what is wrong
 * @param severity how urgent, at its worst since it began
 * @param state what happened
 * @param sinceUs start of the first minute of this occurrence, microseconds since the Unix epoch
 * @param value value judged; absent for an end without one
 * @param threshold threshold passed
 * @param reasons why, in words
 */
public record ThrottlingAlert(
        AlertSubject subject,
        AlertContext context,
        long windowStartUs,
        AlertKind kind,
        AlertSeverity severity,
        State state,
        long sinceUs,
        OptionalDouble value,
        double threshold,
        List<String> reasons) {
    /** What happened to an alert. */
    public enum State {
        /** It began or grew worse. */
        FIRING("firing"),
        /** It ended. */
        RESOLVED("resolved");

        private final String label;

        State(String label) {
            this.label = label;
        }

        /** Name in records. */
        public String label() {
            return label;
        }
    }

    /** Identity by kind and subject; key on topic throttling-alerts.v1. */
    public String alertId() {
        return subject.alertId(kind);
    }

    /** What to do about it. */
    public String remedy() {
        return kind.remedy();
    }
}
