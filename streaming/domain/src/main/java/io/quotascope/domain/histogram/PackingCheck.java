package io.quotascope.domain.histogram;

/** What a look at packed bytes found. */
public sealed interface PackingCheck {
    /** The bytes are sound and hold this many members (samples, records). */
    record Holds(long members) implements PackingCheck {}

    /** The bytes cannot be read. */
    record Broken(PackingFault fault) implements PackingCheck {}
}
