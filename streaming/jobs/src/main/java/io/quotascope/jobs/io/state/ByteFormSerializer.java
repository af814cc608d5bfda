package io.quotascope.jobs.io.state;

import java.io.IOException;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/** A {@link ByteForm} as Flink wants to see it. */
public final class ByteFormSerializer<T> extends TypeSerializer<T> {
    private static final long serialVersionUID = 1L;

    private final ByteForm<T> form;

    /** The version of the bytes to be read: an older one while Flink migrates a savepoint. */
    private final int readVersion;

    public ByteFormSerializer(ByteForm<T> form) {
        this(form, form.version());
    }

    ByteFormSerializer(ByteForm<T> form, int readVersion) {
        this.form = form;
        this.readVersion = readVersion;
    }

    @Override
    public boolean isImmutableType() {
        return form.immutable();
    }

    @Override
    public TypeSerializer<T> duplicate() {
        return this;
    }

    @Override
    public T createInstance() {
        return null;
    }

    @Override
    public T copy(T from) {
        return form.copy(from);
    }

    @Override
    public T copy(T from, T reuse) {
        return form.copy(from);
    }

    @Override
    public int getLength() {
        return -1;
    }

    @Override
    public void serialize(T value, DataOutputView target) throws IOException {
        form.write(value, target);
    }

    @Override
    public T deserialize(DataInputView source) throws IOException {
        return form.read(source, readVersion);
    }

    @Override
    public T deserialize(T reuse, DataInputView source) throws IOException {
        return deserialize(source);
    }

    @Override
    public void copy(DataInputView source, DataOutputView target) throws IOException {
        serialize(deserialize(source), target);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ByteFormSerializer<?> that
                && form.getClass() == that.form.getClass()
                && readVersion == that.readVersion;
    }

    @Override
    public int hashCode() {
        return form.getClass().hashCode();
    }

    @Override
    public TypeSerializerSnapshot<T> snapshotConfiguration() {
        return new ByteFormSnapshot<>(form, form.version());
    }
}
