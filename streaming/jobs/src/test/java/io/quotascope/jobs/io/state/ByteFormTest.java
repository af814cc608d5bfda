package io.quotascope.jobs.io.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quotascope.domain.window.Origin;
import io.quotascope.domain.window.ServiceKey;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.junit.jupiter.api.Test;

class ByteFormTest {

    /** A form that has been changed once: version 1 wrote minutes, version 2 writes seconds. */
    public static class Seconds implements ByteForm<Long> {
        private static final long serialVersionUID = 1L;

        @Override
        public Class<Long> type() {
            return Long.class;
        }

        @Override
        public int version() {
            return 2;
        }

        @Override
        public void write(Long value, DataOutput out) throws IOException {
            out.writeLong(value);
        }

        @Override
        public Long read(DataInput in, int version) throws IOException {
            return version == 1 ? 60 * in.readLong() : in.readLong();
        }
    }

    /** Another form of the same type. */
    public static final class Other extends Seconds {
        private static final long serialVersionUID = 1L;
    }

    private static TypeSerializerSnapshot<Long> written(ByteForm<Long> form, int version)
            throws IOException {
        DataOutputSerializer out = new DataOutputSerializer(64);
        new ByteFormSnapshot<>(form, version).writeSnapshot(out);
        TypeSerializerSnapshot<Long> restored = new ByteFormSnapshot<>();
        restored.readSnapshot(
                1,
                new DataInputDeserializer(out.getCopyOfBuffer()),
                ByteFormTest.class.getClassLoader());
        return restored;
    }

    @Test
    void readsStateOfAnOlderFormAndMigratesIt() throws IOException {
        TypeSerializerSnapshot<Long> old = written(new Seconds(), 1);
        TypeSerializerSnapshot<Long> current =
                new ByteFormSerializer<>(new Seconds()).snapshotConfiguration();
        assertThat(current.resolveSchemaCompatibility(old).isCompatibleAfterMigration()).isTrue();
        TypeSerializer<Long> reader = old.restoreSerializer();
        DataOutputSerializer out = new DataOutputSerializer(8);
        out.writeLong(2);
        assertThat(reader.deserialize(new DataInputDeserializer(out.getCopyOfBuffer())))
                .isEqualTo(120L);
    }

    @Test
    void readsItsOwnState() throws IOException {
        TypeSerializerSnapshot<Long> current =
                new ByteFormSerializer<>(new Seconds()).snapshotConfiguration();
        assertThat(current.resolveSchemaCompatibility(written(new Seconds(), 2)).isCompatibleAsIs())
                .isTrue();
    }

    @Test
    void refusesStateOfAnotherFormAndOfANewerRelease() throws IOException {
        TypeSerializerSnapshot<Long> current =
                new ByteFormSerializer<>(new Seconds()).snapshotConfiguration();
        assertThat(current.resolveSchemaCompatibility(written(new Other(), 2)).isIncompatible())
                .isTrue();
        assertThat(current.resolveSchemaCompatibility(written(new Seconds(), 3)).isIncompatible())
                .isTrue();
    }

    @Test
    void saysWhichFormIsGone() throws IOException {
        DataOutputSerializer out = new DataOutputSerializer(64);
        out.writeUTF("io.quotascope.jobs.gone.Form");
        out.writeInt(1);
        ByteFormSnapshot<Long> restored = new ByteFormSnapshot<>();
        assertThatThrownBy(
                        () ->
                                restored.readSnapshot(
                                        1,
                                        new DataInputDeserializer(out.getCopyOfBuffer()),
                                        getClass().getClassLoader()))
                .hasMessageContaining("io.quotascope.jobs.gone.Form");
    }

    @Test
    void keysOfDifferentServicesAreDifferentWhateverTheirNames() {
        ServiceKey one = new ServiceKey(Origin.MEASURED, "a", "b/c", "none");
        ServiceKey other = new ServiceKey(Origin.MEASURED, "a/b", "c", "none");
        assertThat(one.topicKey()).isEqualTo(other.topicKey());
        assertThat(KeyText.of(one)).isNotEqualTo(KeyText.of(other));
    }
}
