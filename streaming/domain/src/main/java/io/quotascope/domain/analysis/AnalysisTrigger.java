package io.quotascope.domain.analysis;

/** Why a minute was analysed. */
public enum AnalysisTrigger {
    /** Its turn had come. */
    CADENCE,
    /** Load, throttling or run length had moved since the last analysis. */
    MOVED,
    /** A part of a minute that is analysed arrived late. */
    LATE_PART
}
