package io.quotascope.jobs.hosts;

import io.quotascope.domain.hosts.HostMemory;
import io.quotascope.domain.hosts.HostShards;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** Bytes of a {@link HostMemory} in state. */
public final class HostMemoryForm extends MutableForm<HostMemory> {
    private static final long serialVersionUID = 1L;

    @Override
    public Class<HostMemory> type() {
        return HostMemory.class;
    }

    @Override
    public void write(HostMemory value, DataOutput out) throws IOException {
        out.writeLong(value.hourStartUs());
        HostBytes.writeShards(value.shards(), out);
        HostBytes.writeTexts(value.kernels(), out);
        out.writeInt(value.threads().size());
        for (Map.Entry<Long, Long> entry : value.threads().entrySet()) {
            out.writeLong(entry.getKey());
            out.writeLong(entry.getValue());
        }
    }

    @Override
    public HostMemory read(DataInput in, int version) throws IOException {
        long hourStartUs = in.readLong();
        HostShards shards = HostBytes.readShards(in);
        SortedMap<Long, String> kernels = HostBytes.readTexts(in);
        SortedMap<Long, Long> threads = new TreeMap<>();
        for (int left = in.readInt(); left > 0; left--) {
            threads.put(in.readLong(), in.readLong());
        }
        return HostMemory.of(hourStartUs, shards, kernels, threads);
    }
}
