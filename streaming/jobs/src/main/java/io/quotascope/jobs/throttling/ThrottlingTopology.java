package io.quotascope.jobs.throttling;

import io.quotascope.jobs.io.parts.JudgingInput;
import io.quotascope.jobs.io.state.AvroForm;
import io.quotascope.jobs.io.state.ByteFormType;
import io.quotascope.wire.ThrottlingSummaries;
import io.quotascope.wire.avro.ThrottlingSummary;
import org.apache.flink.streaming.api.datastream.DataStream;

/** From service windows and the catalog to summaries of throttling. */
public final class ThrottlingTopology {

    private ThrottlingTopology() {}

    /** One judgement for every row that is no repetition. */
    public static DataStream<ThrottlingSummary> build(JudgingInput input, long revision) {
        ThrottlingFunction<ThrottlingSummary> function =
                new ThrottlingFunction<>(JudgingInput.STATE, ThrottlingSummaries::toAvro, revision);
        return input.judge(
                "throttling",
                function,
                new ByteFormType<>(new AvroForm<>(ThrottlingSummary.class, "throttling_summary")));
    }
}
