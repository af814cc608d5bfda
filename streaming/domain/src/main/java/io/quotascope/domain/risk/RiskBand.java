package io.quotascope.domain.risk;

/** Where today's load lies between the load that heals and the load that breaks. */
public enum RiskBand {
    /** Below the recovery load: a pulse passes. */
    STABLE("stable"),
    /** Between recovery and collapse: a pulse is enough to collapse it for good (metastable). */
    VULNERABLE("vulnerable"),
    /** At or above the collapse load. */
    COLLAPSED("collapsed"),
    /** No demand could be reconstructed. */
    UNKNOWN("unknown");

    private final String label;

    RiskBand(String label) {
        this.label = label;
    }

    /** Name in records. */
    public String label() {
        return label;
    }

    /** The band of a load at which both multiples are those of its own. */
    public static RiskBand of(double collapseMultiple, double recoveryMultiple) {
        if (collapseMultiple <= 1) {
            return COLLAPSED;
        }
        return recoveryMultiple <= 1 ? VULNERABLE : STABLE;
    }
}
