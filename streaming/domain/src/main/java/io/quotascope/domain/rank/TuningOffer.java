package io.quotascope.domain.rank;

import io.quotascope.domain.whatif.Trust;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What other judgements say of the worth of tuning a service and class, as far as the ranking needs
 * it.
 */
public sealed interface TuningOffer {
    /** End of the window it was made from, microseconds since the Unix epoch, UTC. */
    long analysedAtUs();

    /**
     * The change that is worth making.
     *
     * @param analysedAtUs end of the analysed window
     * @param best whether it is the best of its service's sets; only the best is ranked
     * @param fixSet kinds of changes, joined by +
     * @param settingText how to apply it; absent when there is nothing to apply
     * @param cores reserved cores that it frees, right-sizing and tuning together; negative when it
     *     needs more; absent when not known
     * @param rightSizingCores the part of them that is free without any fix, when nothing else is
     *     changed; absent when not known
     * @param usdPerYear what {@code cores} are priced at; absent without a price
     * @param gain load at collapse after the change / now; absent when not known
     * @param successProbability probability that it is made and stays, 0..1
     * @param effortDays work of people, days; 0 when nothing is changed
     * @param trust how far the estimate can be believed
     * @param doubts why it should be trusted less, in words
     */
    record Savings(
            long analysedAtUs,
            boolean best,
            String fixSet,
            Optional<String> settingText,
            Optional<Interval> cores,
            OptionalDouble rightSizingCores,
            Optional<Interval> usdPerYear,
            OptionalDouble gain,
            double successProbability,
            double effortDays,
            Trust.Verdict trust,
            List<String> doubts)
            implements TuningOffer {
        /** An immutable list. */
        public Savings {
            doubts = List.copyOf(doubts);
        }
    }

    /**
     * How near the service is to collapse.
     *
     * @param analysedAtUs end of the analysed window
     * @param riskBand name of the band
     * @param deathSpiralRisk probability of collapse within its horizon; absent when not known
     * @param collapseMultiple multiple of the load at which it collapses; absent when not known
     * @param loadGrowth greatest load of the horizon / load now; absent when not known
     * @param loadGrowthDeviation standard error of its logarithm; absent when not known
     * @param horizonUs horizon of the risk, microseconds
     */
    record Risk(
            long analysedAtUs,
            String riskBand,
            OptionalDouble deathSpiralRisk,
            Optional<Interval> collapseMultiple,
            OptionalDouble loadGrowth,
            OptionalDouble loadGrowthDeviation,
            long horizonUs)
            implements TuningOffer {}

    /**
     * A value with its 5th and 95th percentile.
     *
     * @param low 5th percentile
     * @param value middle
     * @param high 95th percentile
     */
    record Interval(double low, double value, double high) {
        /** A value whose ends include it. */
        public Interval {
            low = Math.min(low, value);
            high = Math.max(high, value);
        }
    }
}
