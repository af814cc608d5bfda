package io.quotascope.jobs.rank;

import io.quotascope.domain.window.Origin;
import io.quotascope.domain.window.ServiceKey;
import io.quotascope.jobs.io.state.AvroForm;
import io.quotascope.jobs.io.state.ByteForm;
import io.quotascope.wire.avro.ServiceLatest;
import io.quotascope.wire.avro.TuningRank;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Locale;

/** Bytes of {@link RankRows} between operators; like all finished rows they are no state. */
public final class RankRowsForm implements ByteForm<RankRows> {
    private static final long serialVersionUID = 1L;

    private final AvroForm<TuningRank> ranks = new AvroForm<>(TuningRank.class, "tuning_rank");
    private final AvroForm<ServiceLatest> latests =
            new AvroForm<>(ServiceLatest.class, "service_latest");

    @Override
    public Class<RankRows> type() {
        return RankRows.class;
    }

    @Override
    public int version() {
        return 1;
    }

    @Override
    public void write(RankRows value, DataOutput out) throws IOException {
        ranks.write(value.rank(), out);
        latests.write(value.latest(), out);
    }

    @Override
    public RankRows read(DataInput in, int version) throws IOException {
        TuningRank rank = ranks.read(in, 1);
        ServiceKey key =
                new ServiceKey(
                        Origin.valueOf(rank.getOrigin().name().toUpperCase(Locale.ROOT)),
                        rank.getCluster(),
                        rank.getService(),
                        rank.getQuotaClass());
        return new RankRows(key, rank, latests.read(in, 1));
    }
}
