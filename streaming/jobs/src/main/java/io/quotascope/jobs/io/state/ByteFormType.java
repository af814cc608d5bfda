package io.quotascope.jobs.io.state;

import org.apache.flink.api.common.serialization.SerializerConfig;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.TypeSerializer;

/**
 * Flink's description of a type whose bytes a {@link ByteForm} defines. It is no key type: keys are
 * strings.
 */
public final class ByteFormType<T> extends TypeInformation<T> {
    private static final long serialVersionUID = 1L;

    private final ByteForm<T> form;

    public ByteFormType(ByteForm<T> form) {
        this.form = form;
    }

    @Override
    public boolean isBasicType() {
        return false;
    }

    @Override
    public boolean isTupleType() {
        return false;
    }

    @Override
    public int getArity() {
        return 1;
    }

    @Override
    public int getTotalFields() {
        return 1;
    }

    @Override
    public Class<T> getTypeClass() {
        return form.type();
    }

    @Override
    public boolean isKeyType() {
        return false;
    }

    @Override
    public TypeSerializer<T> createSerializer(SerializerConfig config) {
        return new ByteFormSerializer<>(form);
    }

    @Override
    public String toString() {
        return form.type().getSimpleName();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ByteFormType<?> that && form.getClass() == that.form.getClass();
    }

    @Override
    public int hashCode() {
        return form.getClass().hashCode();
    }

    @Override
    public boolean canEqual(Object other) {
        return other instanceof ByteFormType;
    }
}
