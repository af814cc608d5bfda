package io.quotascope.jobs.hosts;

import io.quotascope.domain.hosts.HostCounter;
import io.quotascope.domain.hosts.HostKey;
import io.quotascope.domain.hosts.HostShards;
import io.quotascope.domain.hosts.HostSpan;
import io.quotascope.domain.hosts.HostTally;
import io.quotascope.domain.hosts.Pressure;
import io.quotascope.domain.kernel.ShardHour;
import io.quotascope.domain.window.Origin;
import io.quotascope.jobs.io.state.FramedBytes;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** Bytes of what the state of hosts is made of. Counters and origins go by name. */
final class HostBytes {
    private HostBytes() {}

    static void writeKey(HostKey key, DataOutput out) throws IOException {
        out.writeUTF(key.origin().name());
        out.writeUTF(key.cluster());
        out.writeUTF(key.hostId());
    }

    static HostKey readKey(DataInput in) throws IOException {
        return new HostKey(Origin.valueOf(in.readUTF()), in.readUTF(), in.readUTF());
    }

    static void writeSpan(HostSpan span, DataOutput out) throws IOException {
        writeKey(span.key(), out);
        writeTally(span.tally(), out);
        writeShards(span.shards(), out);
    }

    static HostSpan readSpan(DataInput in) throws IOException {
        return new HostSpan(readKey(in), readTally(in), readShards(in));
    }

    private static void writeTally(HostTally tally, DataOutput out) throws IOException {
        out.writeInt(HostCounter.values().length);
        for (HostCounter counter : HostCounter.values()) {
            out.writeUTF(counter.name());
            out.writeLong(tally.count(counter));
        }
        writeTexts(tally.kernels(), out);
        out.writeInt(tally.methods().size());
        for (String method : tally.methods()) {
            out.writeUTF(method);
        }
    }

    private static HostTally readTally(DataInput in) throws IOException {
        HostTally tally = new HostTally();
        for (int left = in.readInt(); left > 0; left--) {
            tally.add(HostCounter.valueOf(in.readUTF()), in.readLong());
        }
        tally.kernels().putAll(readTexts(in));
        for (int left = in.readInt(); left > 0; left--) {
            tally.methods().add(in.readUTF());
        }
        return tally;
    }

    static void writeTexts(SortedMap<Long, String> texts, DataOutput out) throws IOException {
        out.writeInt(texts.size());
        for (Map.Entry<Long, String> entry : texts.entrySet()) {
            out.writeLong(entry.getKey());
            out.writeUTF(entry.getValue());
        }
    }

    static SortedMap<Long, String> readTexts(DataInput in) throws IOException {
        SortedMap<Long, String> texts = new TreeMap<>();
        for (int left = in.readInt(); left > 0; left--) {
            texts.put(in.readLong(), in.readUTF());
        }
        return texts;
    }

    static void writeShards(HostShards shards, DataOutput out) throws IOException {
        out.writeInt(shards.shards().size());
        for (Map.Entry<HostShards.Key, ShardHour> entry : shards.shards().entrySet()) {
            out.writeLong(entry.getKey().shardId());
            out.writeLong(entry.getKey().agentEpoch());
            ShardHour seen = entry.getValue();
            out.writeUTF(seen.name());
            out.writeLong(seen.quotaUs());
            out.writeLong(seen.periodUs());
            FramedBytes.write(seen.windows().toByteArray(), out);
            out.writeLong(seen.periods());
            out.writeLong(seen.throttledPeriods());
            out.writeLong(seen.usageUs());
            out.writeLong(seen.cpusAllowed());
        }
    }

    static HostShards readShards(DataInput in) throws IOException {
        HostShards shards = new HostShards();
        for (int left = in.readInt(); left > 0; left--) {
            long shardId = in.readLong();
            long agentEpoch = in.readLong();
            ShardHour seen =
                    new ShardHour(
                            in.readUTF(),
                            in.readLong(),
                            in.readLong(),
                            BitSet.valueOf(FramedBytes.read(in)),
                            in.readLong(),
                            in.readLong(),
                            in.readLong(),
                            in.readLong());
            shards.add(
                    new HostShards.Key(shardId, agentEpoch, seen.quotaUs(), seen.periodUs()), seen);
        }
        return shards;
    }

    static void writePressure(Pressure pressure, DataOutput out) throws IOException {
        out.writeBoolean(pressure.isSaturated());
        out.writeLong(pressure.aboveQuotaUs());
        out.writeLong(pressure.waitingUs());
        writeShares(pressure.above(), out);
        writeShares(pressure.waiting(), out);
    }

    static Pressure readPressure(DataInput in) throws IOException {
        return Pressure.of(
                in.readBoolean(), in.readLong(), in.readLong(), readShares(in), readShares(in));
    }

    private static void writeShares(Collection<Pressure.Share> shares, DataOutput out)
            throws IOException {
        out.writeInt(shares.size());
        for (Pressure.Share share : shares) {
            out.writeLong(share.us());
            out.writeUTF(share.name());
        }
    }

    private static List<Pressure.Share> readShares(DataInput in) throws IOException {
        List<Pressure.Share> shares = new ArrayList<>();
        for (int left = in.readInt(); left > 0; left--) {
            shares.add(new Pressure.Share(in.readLong(), in.readUTF()));
        }
        return shares;
    }
}
