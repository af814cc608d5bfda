package io.quotascope.jobs.io.state;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/** Byte arrays with their length before them; a length of -1 is null. */
public final class FramedBytes {
    private static final int ABSENT = -1;

    private FramedBytes() {}

    /**
     * @param bytes may be null
     */
    public static void write(byte[] bytes, DataOutput out) throws IOException {
        out.writeInt(bytes == null ? ABSENT : bytes.length);
        if (bytes != null) {
            out.write(bytes);
        }
    }

    /** Null if null was written. */
    public static byte[] read(DataInput in) throws IOException {
        int length = in.readInt();
        if (length == ABSENT) {
            return null;
        }
        byte[] bytes = new byte[length];
        in.readFully(bytes);
        return bytes;
    }
}
