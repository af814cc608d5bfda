package io.quotascope.wire;

import io.quotascope.domain.histogram.PackedBytes;
import io.quotascope.domain.window.Origin;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** Avro's null on one side, absence as a type on the other. */
final class Nullable {
    private Nullable() {}

    static OptionalLong optional(Long value) {
        return value == null ? OptionalLong.empty() : OptionalLong.of(value);
    }

    static OptionalInt optional(Integer value) {
        return value == null ? OptionalInt.empty() : OptionalInt.of(value);
    }

    static OptionalLong widened(Integer value) {
        return value == null ? OptionalLong.empty() : OptionalLong.of(value);
    }

    static OptionalDouble optional(Double value) {
        return value == null ? OptionalDouble.empty() : OptionalDouble.of(value);
    }

    static Optional<PackedBytes> optional(ByteBuffer value) {
        return value == null ? Optional.empty() : Optional.of(packed(value));
    }

    static Long orNull(OptionalLong value) {
        return value.isPresent() ? value.getAsLong() : null;
    }

    static Integer orNull(OptionalInt value) {
        return value.isPresent() ? value.getAsInt() : null;
    }

    static Double orNull(OptionalDouble value) {
        return value.isPresent() ? value.getAsDouble() : null;
    }

    static Integer intOrNull(OptionalLong value) {
        return value.isPresent() ? Math.toIntExact(value.getAsLong()) : null;
    }

    static ByteBuffer orNull(Optional<PackedBytes> value) {
        return value.map(Nullable::buffer).orElse(null);
    }

    /** The bytes of a buffer, without a copy where the buffer spans its array, as ours do. */
    static PackedBytes packed(ByteBuffer value) {
        if (value.hasArray()
                && value.arrayOffset() == 0
                && value.remaining() == value.array().length) {
            return PackedBytes.of(value.array());
        }
        byte[] copy = new byte[value.remaining()];
        value.duplicate().get(copy);
        return PackedBytes.of(copy);
    }

    static ByteBuffer buffer(PackedBytes value) {
        return ByteBuffer.wrap(value.bytes());
    }

    static Origin origin(io.quotascope.wire.avro.Origin origin) {
        return switch (origin) {
            case measured -> Origin.MEASURED;
            case replayed -> Origin.REPLAYED;
            case simulated -> Origin.SIMULATED;
        };
    }

    static io.quotascope.wire.avro.Origin origin(Origin origin) {
        return switch (origin) {
            case MEASURED -> io.quotascope.wire.avro.Origin.measured;
            case REPLAYED -> io.quotascope.wire.avro.Origin.replayed;
            case SIMULATED -> io.quotascope.wire.avro.Origin.simulated;
        };
    }
}
