package io.quotascope.wire;

import io.quotascope.domain.window.Refusal;
import io.quotascope.domain.window.RefusalReason;
import java.util.function.Function;
import org.apache.avro.specific.SpecificRecord;

/**
 * Framed bytes to the domain's form of a record and back. Safe for many threads.
 *
 * @param <D> the domain's form
 */
public final class RecordCodec<D> {
    private final Function<byte[], Decoded<D>> decoding;
    private final Function<D, byte[]> encoding;

    private RecordCodec(Function<byte[], Decoded<D>> decoding, Function<D, byte[]> encoding) {
        this.decoding = decoding;
        this.encoding = encoding;
    }

    static <A extends SpecificRecord, D> RecordCodec<D> of(
            SingleObject<A> format, Function<A, D> toDomain, Function<D, A> toAvro) {
        return new RecordCodec<>(
                bytes -> mapped(format.decode(bytes), toDomain),
                value -> format.encode(toAvro.apply(value)));
    }

    private static <A, D> Decoded<D> mapped(Decoded<A> decoded, Function<A, D> toDomain) {
        if (decoded instanceof Decoded.Refused<A> refused) {
            return new Decoded.Refused<>(refused.refusal());
        }
        try {
            return new Decoded.Sound<>(toDomain.apply(decoded.orElseThrow()));
        } catch (
                IllegalArgumentException
                        broken) { // packed sums, slots or versions that no writer of ours makes
            return new Decoded.Refused<>(
                    Refusal.of(RefusalReason.UNDECODABLE, broken.getMessage()));
        }
    }

    /** The record of framed bytes, or why there is none. */
    public Decoded<D> decode(byte[] framed) {
        return decoding.apply(framed);
    }

    /** The framed bytes of a record, in the current version of its schema. */
    public byte[] encode(D value) {
        return encoding.apply(value);
    }
}
