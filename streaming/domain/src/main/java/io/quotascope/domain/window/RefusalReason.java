package io.quotascope.domain.window;

/** Why a message was set aside; {@link #label()} is the dead letter's header. */
public enum RefusalReason {
    /** It does not begin with a single-object header. */
    BAD_FRAMING("bad_framing"),
    /** No schema of ours has its fingerprint. */
    UNKNOWN_SCHEMA("unknown_schema"),
    /** Its bytes are not a record of its schema. */
    UNDECODABLE("undecodable"),
    /** Bytes follow the record. */
    TRAILING_BYTES("trailing_bytes"),
    /** A field is outside its bounds; the label is followed by a colon and the field's name. */
    INVALID_FIELD("invalid_field"),
    /** The window does not start at a multiple of 10 s. */
    UNALIGNED_WINDOW("unaligned_window"),
    /** The window ends more than 60 s after the append time: the host's clock is wrong. */
    AHEAD_OF_TIME("ahead_of_time"),
    /** The window ended longer ago than a spool may hold it. */
    TOO_OLD("too_old");

    private final String label;

    RefusalReason(String label) {
        this.label = label;
    }

    /** The spelling in dead letters and metrics. */
    public String label() {
        return label;
    }
}
