package io.quotascope.jobs.io.state;

import io.quotascope.wire.SingleObject;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import org.apache.avro.specific.SpecificRecord;

/**
 * Finished rows on their way to a table, which exist as Avro records only. It is no form for state:
 * it is made with the record's class and so cannot be restored from a savepoint.
 *
 * @param <A> the record
 */
public final class AvroForm<A extends SpecificRecord> implements ByteForm<A> {
    private static final long serialVersionUID = 1L;

    private final Class<A> type;
    private final String schema;
    private transient SingleObject<A> format;

    /**
     * @param type the generated class
     * @param schema name of its .avsc file without the ending
     */
    public AvroForm(Class<A> type, String schema) {
        this.type = type;
        this.schema = schema;
    }

    private SingleObject<A> format() {
        if (format == null) {
            format = new SingleObject<>(type, schema);
        }
        return format;
    }

    @Override
    public Class<A> type() {
        return type;
    }

    @Override
    public int version() {
        return 1;
    }

    @Override
    public void write(A value, DataOutput out) throws IOException {
        FramedBytes.write(format().encode(value), out);
    }

    @Override
    public A read(DataInput in, int version) throws IOException {
        return format().decode(FramedBytes.read(in)).orElseThrow();
    }
}
