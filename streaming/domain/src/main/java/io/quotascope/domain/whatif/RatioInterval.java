package io.quotascope.domain.whatif;

/**
 * The interval of a ratio: what chance leaves open in as much time as was measured, and what the
 * model gets wrong. Its half width squared is a sum of
 *
 * <ul>
 *   <li>chance: the variance of blocks that the observations do not explain, over the measured time
 *       and over the blocks replayed;
 *   <li>distance: how far the scenario leads away from what was observed;
 *   <li>correction: how much the anchor had to correct;
 *   <li>spread: room of a ratio between 0 and 1;
 *   <li>a floor.
 * </ul>
 *
 * The weights were fitted on development services so that about nine of ten truths lie inside;
 * docs/journal/2026-11-22-what-if.md says how, docs/model/validation.md what comes of it.
 */
final class RatioInterval {
    /** Time beyond this makes chance no smaller: load itself changes. */
    private static final double SECONDS_MAX = 600.0;

    /** Keeps the spread of a ratio near 0 or 1 from vanishing. */
    private static final double EDGE = 0.004;

    private static final double CALM_BELOW = 0.01;
    private static final double CENSORED_FROM = 0.25;
    private static final long SHORT_PERIOD_US = 20_000;

    /** A polled sample is wrong by up to a tick's charge. */
    private static final double POLLED_FACTOR = 1.5;

    /** Weights of the parts of the squared half width; calm, moderate and censored services. */
    private enum Weights {
        SETTING_CALM(3.7, 0.0, 0.09, 0.020, 4e-7),
        SETTING_MODERATE(11.0, 0.04, 0.48, 0.004, 3e-6),
        SETTING_CENSORED(10.3, 0.91, 3.5, 0.0, 4e-6),
        SHORT_PERIOD_CALM(0.0, 6.3, 0.0, 0.21, 4e-7),
        SHORT_PERIOD_MODERATE(4.7, 0.012, 0.31, 0.040, 1.1e-5),
        SHORT_PERIOD_CENSORED(0.0, 0.90, 0.0, 0.0, 2.5e-3),
        LOAD_CALM(9.7, 0.84, 3.2, 0.12, 4e-7),
        LOAD_MODERATE(13.0, 0.0, 0.09, 0.117, 4e-6),
        LOAD_CENSORED(6.2, 0.0, 0.0, 0.033, 4.9e-4);

        private final double chance;
        private final double distance;
        private final double correction;
        private final double spread;
        private final double floor;

        Weights(double chance, double distance, double correction, double spread, double floor) {
            this.chance = chance;
            this.distance = distance;
            this.correction = correction;
            this.spread = spread;
            this.floor = floor;
        }

        static Weights of(double observed, Situation after, boolean demandChanges) {
            boolean calm = observed < CALM_BELOW;
            boolean censored = observed > CENSORED_FROM;
            if (demandChanges) {
                return calm ? LOAD_CALM : censored ? LOAD_CENSORED : LOAD_MODERATE;
            }
            if (after.quota().orElseThrow().periodUs() <= SHORT_PERIOD_US) {
                return calm
                        ? SHORT_PERIOD_CALM
                        : censored ? SHORT_PERIOD_CENSORED : SHORT_PERIOD_MODERATE;
            }
            return calm ? SETTING_CALM : censored ? SETTING_CENSORED : SETTING_MODERATE;
        }
    }

    private RatioInterval() {}

    static RatioEstimate around(
            Anchor.Anchored tied, DemandEvidence evidence, Situation after, boolean demandChanges) {
        double observed = evidence.throttledPeriodRatio();
        Weights weights = Weights.of(observed, after, demandChanges);
        double seconds = Math.min(SECONDS_MAX, evidence.seconds());
        double chance =
                tied.blockVariance() * (BlockReplay.BLOCK_SECONDS / seconds + 1.0 / tied.blocks());
        double inside = (tied.value() + EDGE) / (1.0 + 2.0 * EDGE);
        double room = inside * (1.0 - inside);
        double away = tied.value() - observed;
        double corrected = tied.replayed() - tied.value();
        double half =
                StrictMath.sqrt(
                        weights.chance * chance
                                + weights.distance * away * away * 4.0 * room
                                + weights.correction * corrected * corrected
                                + weights.spread * room * room
                                + weights.floor);
        half *= evidence.polled() ? POLLED_FACTOR : 1.0;
        double value = tied.value();
        return new RatioEstimate(value, Math.max(0.0, value - half), Math.min(1.0, value + half));
    }
}
