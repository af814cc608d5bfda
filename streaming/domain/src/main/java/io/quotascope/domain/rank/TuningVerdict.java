package io.quotascope.domain.rank;

/** What to do about a service. */
public enum TuningVerdict {
    /** It sleeps while it has work: tune threads, quota or period. */
    THROTTLED(1),
    /** It reserves far more than its short peaks use. */
    GIVE_BACK(2),
    /** Leave it. */
    HEALTHY(3),
    /** Too little evidence. */
    UNKNOWN(4);

    private final int rankClass;

    TuningVerdict(int rankClass) {
        this.rankClass = rankClass;
    }

    /** Order of verdicts for ranking, 1 first. */
    public int rankClass() {
        return rankClass;
    }
}
