package io.quotascope.domain.ledger;

import java.util.Locale;

/** How far a recommendation has come. */
public enum RecommendationState {
    /** Advised; nobody has answered. */
    PROPOSED,
    /** Somebody will do it; its prediction is frozen and its cores are credited. */
    ACCEPTED,
    /** Somebody said no, before or after accepting; an end. */
    REJECTED,
    /** Carried out; nothing is measured yet. */
    APPLIED,
    /** Measured: it did what was promised, or no less than matters. */
    VERIFIED,
    /** Measured: what was gained is not there, or is gone again; an end. */
    REGRESSED;

    /** True where one step leads from this state to the next. */
    public boolean mayBecome(RecommendationState next) {
        return switch (this) {
            case PROPOSED -> next == ACCEPTED || next == REJECTED;
            case ACCEPTED -> next == APPLIED || next == REJECTED;
            case APPLIED -> next == VERIFIED || next == REGRESSED;
            case VERIFIED -> next == REGRESSED;
            case REJECTED, REGRESSED -> false;
        };
    }

    /** True while the recommendation holds the cores that it was credited with. */
    public boolean holdsCredit() {
        return this == ACCEPTED || this == APPLIED || this == VERIFIED;
    }

    /** True once a promise was made that what comes of it is compared with, kept or not. */
    public boolean isPromise() {
        return holdsCredit() || this == REGRESSED;
    }

    /** Name in records and on the command line. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
