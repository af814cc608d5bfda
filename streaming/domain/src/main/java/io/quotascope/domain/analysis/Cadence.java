package io.quotascope.domain.analysis;

import io.quotascope.domain.risk.EarlyWarning;
import io.quotascope.domain.throttling.UsedCores;
import io.quotascope.domain.whatif.Reconstruction;
import io.quotascope.domain.window.ServiceKey;
import io.quotascope.domain.window.ServiceSums;
import io.quotascope.domain.window.WindowPart;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Which minutes of a service are analysed: every so many minutes its turn comes, at a minute that
 * the hash of its name decides, and in between when it has moved. A function of rows alone, so that
 * a replay analyses the same minutes with the same seeds.
 *
 * @param turnMinutes minutes between two turns
 * @param movedMinutes least minutes between an analysis and one because of a move
 * @param rule what counts as a move
 */
public record Cadence(int turnMinutes, int movedMinutes, EarlyWarning.Rule rule) {
    /** Every ten minutes, and at once when something moved. */
    public static final Cadence DEFAULT = new Cadence(10, 1, EarlyWarning.Rule.DEFAULT);

    /** What an analysis found is of use to later minutes for so many of them. */
    public static final int VALID_MINUTES = 360;

    /**
     * A cadence.
     *
     * @throws IllegalArgumentException when a number of minutes is not positive or turns are
     *     further apart than an analysis is of use
     */
    public Cadence {
        if (turnMinutes < 1 || turnMinutes > VALID_MINUTES || movedMinutes < 1) {
            throw new IllegalArgumentException(
                    "turns are 1 to "
                            + VALID_MINUTES
                            + " minutes apart and moves at least 1: "
                            + turnMinutes
                            + ", "
                            + movedMinutes);
        }
    }

    /** Whether the analysis of one minute is of use to another. */
    public static boolean isValid(long analysedUs, long windowStartUs) {
        return analysedUs <= windowStartUs
                && windowStartUs - analysedUs <= VALID_MINUTES * WindowPart.MINUTE_US;
    }

    /**
     * The last analysis before a minute.
     *
     * @param windowStartUs start of the analysed minute, microseconds since the Unix epoch
     * @param load what it did
     */
    public record Before(long windowStartUs, EarlyWarning.Minute load) {}

    /** Whether the turn of a service comes in a minute. */
    public boolean isTurn(ServiceKey key, long windowStartUs) {
        long phase = Long.remainderUnsigned(Reconstruction.seed(key.topicKey(), 0), turnMinutes);
        return Math.floorMod(windowStartUs / WindowPart.MINUTE_US, (long) turnMinutes) == phase;
    }

    /** Why a minute is to be analysed when its first part has arrived; absent when it is not. */
    public Optional<AnalysisTrigger> onTime(ServiceSums minute, Optional<Before> before) {
        if (isTurn(minute.key(), minute.windowStartUs())) {
            return Optional.of(AnalysisTrigger.CADENCE);
        }
        Optional<EarlyWarning.Minute> now = loadOf(minute);
        if (now.isEmpty()) {
            return Optional.empty();
        }
        return hasMoved(minute.windowStartUs(), now.get(), before)
                ? Optional.of(AnalysisTrigger.MOVED)
                : Optional.empty();
    }

    private boolean hasMoved(long startUs, EarlyWarning.Minute now, Optional<Before> before) {
        if (before.isEmpty()) {
            // A service that is new waits for its turn, unless it is badly throttled.
            return now.throttledPeriodRatio() > rule.throttledRatioMax();
        }
        long since = startUs - before.get().windowStartUs();
        return since >= movedMinutes * WindowPart.MINUTE_US
                && EarlyWarning.moved(before.get().load(), now, rule);
    }

    /** Why a minute is to be analysed after a late part of it; absent when it is not. */
    public Optional<AnalysisTrigger> late(ServiceSums minute, boolean wasAnalysed) {
        return wasAnalysed || isTurn(minute.key(), minute.windowStartUs())
                ? Optional.of(AnalysisTrigger.LATE_PART)
                : Optional.empty();
    }

    /**
     * What is watched of a minute: the load of one shard, so that hosts that are silent do not look
     * like a fall of load. Absent without records.
     */
    public static Optional<EarlyWarning.Minute> loadOf(ServiceSums minute) {
        OptionalDouble used =
                UsedCores.perShard(minute.usage().usageUs(), minute.reporting().records());
        return used.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        new EarlyWarning.Minute(
                                used.getAsDouble(),
                                minute.throttling().throttledPeriodRatio().orElse(0),
                                minute.throttling().throttledRunPeriodsMax()));
    }
}
