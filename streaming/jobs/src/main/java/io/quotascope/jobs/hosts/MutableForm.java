package io.quotascope.jobs.hosts;

import io.quotascope.jobs.io.state.ByteForm;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/** A form of state that is added to in place; its copy goes through its bytes. */
abstract class MutableForm<T> implements ByteForm<T> {
    private static final long serialVersionUID = 1L;

    @Override
    public int version() {
        return 1;
    }

    @Override
    public final boolean immutable() {
        return false;
    }

    @Override
    public final T copy(T value) {
        try {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            write(value, new DataOutputStream(bytes));
            return read(
                    new DataInputStream(new ByteArrayInputStream(bytes.toByteArray())), version());
        } catch (IOException e) {
            throw new UncheckedIOException(e); // arrays do not fail
        }
    }
}
