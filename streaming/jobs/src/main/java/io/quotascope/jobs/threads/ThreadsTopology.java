package io.quotascope.jobs.threads;

import io.quotascope.jobs.io.parts.JudgingInput;
import io.quotascope.jobs.io.state.AvroForm;
import io.quotascope.jobs.io.state.ByteFormType;
import io.quotascope.wire.ThreadRatios;
import io.quotascope.wire.avro.ThreadRatio;
import org.apache.flink.streaming.api.datastream.DataStream;

/** From service windows and the catalog to threads per reserved core. */
public final class ThreadsTopology {

    private ThreadsTopology() {}

    /** One judgement for every row that is no repetition. */
    public static DataStream<ThreadRatio> build(JudgingInput input, long revision) {
        ThreadsFunction<ThreadRatio> function =
                new ThreadsFunction<>(JudgingInput.STATE, ThreadRatios::toAvro, revision);
        return input.judge(
                "threads",
                function,
                new ByteFormType<>(new AvroForm<>(ThreadRatio.class, "thread_ratio")));
    }
}
