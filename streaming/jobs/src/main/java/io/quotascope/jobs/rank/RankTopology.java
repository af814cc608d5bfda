package io.quotascope.jobs.rank;

import io.quotascope.jobs.io.parts.JudgingInput;
import io.quotascope.jobs.io.state.AvroForm;
import io.quotascope.jobs.io.state.ByteFormType;
import io.quotascope.wire.TuningRanks;
import io.quotascope.wire.avro.TuningRank;
import org.apache.flink.streaming.api.datastream.DataStream;

/** From service windows and the catalog to the ranking of services. */
public final class RankTopology {

    private RankTopology() {}

    /** One judgement for every row that is no repetition. */
    public static DataStream<TuningRank> build(
            JudgingInput input, long revision, RankFunction.Policy policy) {
        RankFunction<TuningRank> function =
                new RankFunction<>(JudgingInput.STATE, TuningRanks::toAvro, revision, policy);
        return input.judge(
                "rank",
                function,
                new ByteFormType<>(new AvroForm<>(TuningRank.class, "tuning_rank")));
    }
}
