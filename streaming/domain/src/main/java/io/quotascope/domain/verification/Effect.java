package io.quotascope.domain.verification;

/**
 * What a change did to one quantity, beyond what happened to unaffected services in the same hours.
 *
 * @param quantity what was compared
 * @param verdict what can be said
 * @param effect difference of ratios, or factor - 1 ({@link Quantity})
 * @param low 5th percentile of it
 * @param high 95th percentile of it
 * @param pairs matched hours it rests on
 * @param controls unaffected services it was compared with
 */
public record Effect(
        Quantity quantity,
        Verdict verdict,
        double effect,
        double low,
        double high,
        int pairs,
        int controls) {
    /** What can be said. */
    public enum Verdict {
        /** Certainly higher than before. */
        RISEN,
        /** Certainly lower than before. */
        FALLEN,
        /** The interval holds zero, or the change is too small to matter. */
        NO_DETECTABLE_CHANGE,
        /** Too few matched hours. */
        TOO_LITTLE_EVIDENCE
    }

    static Effect tooLittle(Quantity quantity, int pairs, int controls) {
        return new Effect(quantity, Verdict.TOO_LITTLE_EVIDENCE, 0, 0, 0, pairs, controls);
    }
}
