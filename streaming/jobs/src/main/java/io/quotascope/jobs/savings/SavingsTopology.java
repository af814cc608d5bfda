package io.quotascope.jobs.savings;

import io.quotascope.jobs.io.parts.AnalysisInput;
import io.quotascope.jobs.io.state.AvroForm;
import io.quotascope.jobs.io.state.ByteFormType;
import io.quotascope.wire.SavingsEstimates;
import io.quotascope.wire.avro.SavingsEstimate;
import org.apache.flink.streaming.api.datastream.DataStream;

/** From service windows, the catalog and the price book to estimates of savings. */
public final class SavingsTopology {

    private SavingsTopology() {}

    /** One row for every set of fixes of every analysis. */
    public static DataStream<SavingsEstimate> build(
            AnalysisInput input, SavingsFunction.Plan plan) {
        return input.analyse(
                "savings",
                new SavingsFunction<>(plan, SavingsEstimates::toAvro),
                new ByteFormType<>(new AvroForm<>(SavingsEstimate.class, "savings_estimate")));
    }
}
