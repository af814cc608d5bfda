package io.quotascope.jobs.io.state;

import java.io.IOException;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.TypeSerializerSchemaCompatibility;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/**
 * What a savepoint remembers of a {@link ByteFormSerializer}: the form's class and the version of
 * the form in which it wrote.
 */
public final class ByteFormSnapshot<T> implements TypeSerializerSnapshot<T> {

    private ByteForm<T> form;
    private int writtenVersion;

    /** For Flink, which reads the rest. */
    public ByteFormSnapshot() {}

    ByteFormSnapshot(ByteForm<T> form, int writtenVersion) {
        this.form = form;
        this.writtenVersion = writtenVersion;
    }

    @Override
    public int getCurrentVersion() {
        return 1;
    }

    @Override
    public void writeSnapshot(DataOutputView out) throws IOException {
        out.writeUTF(form.getClass().getName());
        out.writeInt(writtenVersion);
    }

    @Override
    @SuppressWarnings("unchecked") // The class was written by writeSnapshot of the same type.
    public void readSnapshot(int readVersion, DataInputView in, ClassLoader loader)
            throws IOException {
        String name = in.readUTF();
        try {
            form = (ByteForm<T>) loader.loadClass(name).getConstructor().newInstance();
        } catch (ReflectiveOperationException e) {
            throw new IOException(
                    "state was written by form " + name + ", which this release does not have", e);
        }
        writtenVersion = in.readInt();
    }

    @Override
    public TypeSerializer<T> restoreSerializer() {
        return new ByteFormSerializer<>(form, writtenVersion);
    }

    @Override
    public TypeSerializerSchemaCompatibility<T> resolveSchemaCompatibility(
            TypeSerializerSnapshot<T> old) {
        if (!(old instanceof ByteFormSnapshot<T> written)
                || written.form.getClass() != form.getClass()) {
            return TypeSerializerSchemaCompatibility.incompatible();
        }
        if (written.writtenVersion == form.version()) {
            return TypeSerializerSchemaCompatibility.compatibleAsIs();
        }
        return written.writtenVersion < form.version()
                ? TypeSerializerSchemaCompatibility.compatibleAfterMigration()
                : TypeSerializerSchemaCompatibility.incompatible();
    }
}
