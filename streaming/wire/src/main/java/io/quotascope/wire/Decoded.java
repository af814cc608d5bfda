package io.quotascope.wire;

import io.quotascope.domain.window.Refusal;

/**
 * What came of the bytes of one message.
 *
 * @param <T> what a sound message holds
 */
public sealed interface Decoded<T> {
    /** A sound message. */
    record Sound<T>(T value) implements Decoded<T> {}

    /**
     * Bytes that are no record of ours: bad framing, unknown schema, undecodable or trailing bytes.
     */
    record Refused<T>(Refusal refusal) implements Decoded<T> {}

    /** The value of bytes that we wrote ourselves. */
    default T orElseThrow() {
        if (this instanceof Sound<T> sound) {
            return sound.value();
        }
        Refusal refusal = ((Refused<T>) this).refusal();
        throw new IllegalStateException(refusal.code() + ": " + refusal.detail());
    }
}
