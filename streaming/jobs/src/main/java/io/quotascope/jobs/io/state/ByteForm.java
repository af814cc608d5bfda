package io.quotascope.jobs.io.state;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.io.Serializable;

/**
 * How one type becomes bytes, in state and between operators. It keeps Flink's reflection and Kryo
 * out of what a savepoint holds: the form is written down here and has a version. Implementations
 * have no state and a public constructor without arguments.
 *
 * @param <T> the type
 */
public interface ByteForm<T> extends Serializable {

    /** The type. */
    Class<T> type();

    /** Version of the form that {@link #write} writes; rises when the form changes. */
    int version();

    void write(T value, DataOutput out) throws IOException;

    /**
     * Reads what {@link #write} of {@code version} wrote.
     *
     * @throws IOException if this form cannot read that version
     */
    T read(DataInput in, int version) throws IOException;

    /** Whether values never change, so that Flink need not copy them. */
    default boolean immutable() {
        return true;
    }

    /**
     * A copy that later changes of the original do not reach; the value itself when it is
     * immutable.
     */
    default T copy(T value) {
        return value;
    }
}
