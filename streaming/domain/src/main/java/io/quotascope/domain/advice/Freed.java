package io.quotascope.domain.advice;

/**
 * Reserved cores that a candidate frees: what goes without any fix, and what goes further with its
 * fixes. Together they are what is reserved less what the candidate keeps; never a sum of sets.
 *
 * @param rightSizing without any fix; negative, for the candidate without fixes alone, where the
 *     service needs more than it has
 * @param byFixes further ones; negative where the candidate needs more than the service without it
 */
public record Freed(Ends rightSizing, Ends byFixes) {
    static final Ends NONE = new Ends(0, 0, 0);

    /**
     * A value with its ends.
     *
     * @param low 5th percentile
     * @param value middle
     * @param high 95th percentile
     */
    public record Ends(double low, double value, double high) {}

    /**
     * What a candidate of a decision frees.
     *
     * @param nearest 5th percentile of collapse load / peak load: then the most is needed
     * @param farthest 95th percentile
     */
    public static Freed of(
            Decision decision, Candidate candidate, double nearest, double farthest) {
        if (decision.coresStay()) {
            return new Freed(NONE, NONE);
        }
        FreedCores cores = new FreedCores(decision, nearest, farthest);
        if (candidate.fixes().isEmpty()) {
            return new Freed(cores.withoutFixes(), NONE);
        }
        Ends free = cores.withoutFixes();
        Ends rightSizing =
                new Ends(
                        Math.max(0, free.low()),
                        Math.max(0, free.value()),
                        Math.max(0, free.high()));
        return new Freed(
                rightSizing,
                candidate.reached() ? cores.byFixes(candidate, candidate.fixes().get()) : NONE);
    }

    /** Freed in all. */
    public double cores() {
        return rightSizing.value() + byFixes.value();
    }
}
