package io.quotascope.jobs.changes;

import io.quotascope.domain.change.ServiceShape;
import io.quotascope.jobs.io.state.ByteForm;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;

/** Bytes of a {@link ServiceShape} in state. */
public final class ServiceShapeForm implements ByteForm<ServiceShape> {
    private static final long serialVersionUID = 1L;

    @Override
    public Class<ServiceShape> type() {
        return ServiceShape.class;
    }

    @Override
    public int version() {
        return 1;
    }

    @Override
    public void write(ServiceShape value, DataOutput out) throws IOException {
        out.writeInt(value.shardsByClass().size());
        for (Map.Entry<String, Integer> entry : value.shardsByClass().entrySet()) {
            out.writeUTF(entry.getKey());
            out.writeInt(entry.getValue());
        }
        out.writeInt(value.hostWindowsByKernel().size());
        for (Map.Entry<String, Long> entry : value.hostWindowsByKernel().entrySet()) {
            out.writeUTF(entry.getKey());
            out.writeLong(entry.getValue());
        }
    }

    @Override
    public ServiceShape read(DataInput in, int version) throws IOException {
        TreeMap<String, Integer> shards = new TreeMap<>();
        for (int left = in.readInt(); left > 0; left--) {
            shards.put(in.readUTF(), in.readInt());
        }
        TreeMap<String, Long> kernels = new TreeMap<>();
        for (int left = in.readInt(); left > 0; left--) {
            kernels.put(in.readUTF(), in.readLong());
        }
        return new ServiceShape(shards, kernels);
    }
}
