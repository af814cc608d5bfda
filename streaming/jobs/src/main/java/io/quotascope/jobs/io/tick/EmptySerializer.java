package io.quotascope.jobs.io.tick;

import org.apache.flink.core.io.SimpleVersionedSerializer;

/** For checkpoints in which there is nothing to remember. */
final class EmptySerializer<T> implements SimpleVersionedSerializer<T> {

    @Override
    public int getVersion() {
        return 1;
    }

    @Override
    public byte[] serialize(T nothing) {
        return new byte[0];
    }

    @Override
    public T deserialize(int version, byte[] serialized) {
        return null;
    }
}
