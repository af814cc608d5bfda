package io.quotascope.domain.alert;

import java.util.Optional;

/**
 * Where one alert of one subject stands.
 *
 * @param lastMinuteUs the last minute judged, microseconds since the Unix epoch; an earlier or
 *     equal one changes nothing any more
 * @param streak judged minutes in a row that spoke for a change of state
 * @param sinceUs first minute of the streak that led, or may lead, to firing; 0 when there is none
 * @param firing severity while the alert fires; absent otherwise
 */
public record AlertEpisode(
        long lastMinuteUs, int streak, long sinceUs, Optional<AlertSeverity> firing) {
    /** Nothing was judged yet. */
    public static final AlertEpisode NONE =
            new AlertEpisode(Long.MIN_VALUE, 0, 0, Optional.empty());

    /** What a minute does to an episode. */
    public enum Change {
        /** Nothing to tell. */
        NONE,
        /** It began. */
        BEGAN,
        /** It became more urgent. */
        GREW,
        /** It ended. */
        ENDED
    }

    /**
     * The episode after a minute, and what to tell. The ended episode still carries what it was.
     *
     * @param next the episode from now on
     * @param change what to tell
     * @param told the occurrence to tell of
     */
    public record Step(AlertEpisode next, Change change, AlertEpisode told) {}

    /** One minute further. Minutes without a value and minutes judged before change nothing. */
    public Step after(AlertRule rule, long minuteUs, double value) {
        if (minuteUs <= lastMinuteUs) {
            return unchanged(this);
        }
        return firing.isPresent()
                ? whileFiring(rule, minuteUs, value, firing.get())
                : whileQuiet(rule, minuteUs, value);
    }

    private Step whileQuiet(AlertRule rule, long minuteUs, double value) {
        if (!rule.raises(value)) {
            return unchanged(new AlertEpisode(minuteUs, 0, 0, Optional.empty()));
        }
        long since = streak == 0 ? minuteUs : sinceUs;
        if (streak + 1 < rule.raiseMinutes() && !rule.raisesAtOnce(value)) {
            return unchanged(new AlertEpisode(minuteUs, streak + 1, since, Optional.empty()));
        }
        AlertEpisode began =
                new AlertEpisode(minuteUs, 0, since, Optional.of(rule.severityOf(value)));
        return new Step(began, Change.BEGAN, began);
    }

    private Step whileFiring(AlertRule rule, long minuteUs, double value, AlertSeverity worst) {
        if (rule.clears(value)) {
            if (streak + 1 < rule.clearMinutes()) {
                return unchanged(new AlertEpisode(minuteUs, streak + 1, sinceUs, firing));
            }
            return new Step(new AlertEpisode(minuteUs, 0, 0, Optional.empty()), Change.ENDED, this);
        }
        AlertEpisode lasting = new AlertEpisode(minuteUs, 0, sinceUs, firing);
        if (!rule.raises(value) || rule.severityOf(value).compareTo(worst) <= 0) {
            return unchanged(lasting);
        }
        AlertEpisode grew =
                new AlertEpisode(minuteUs, 0, sinceUs, Optional.of(rule.severityOf(value)));
        return new Step(grew, Change.GREW, grew);
    }

    private static Step unchanged(AlertEpisode next) {
        return new Step(next, Change.NONE, next);
    }
}
