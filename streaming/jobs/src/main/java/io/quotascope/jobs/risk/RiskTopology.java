package io.quotascope.jobs.risk;

import io.quotascope.jobs.io.parts.AnalysisInput;
import io.quotascope.jobs.io.state.AvroForm;
import io.quotascope.jobs.io.state.ByteFormType;
import io.quotascope.wire.CollapseRisks;
import io.quotascope.wire.avro.CollapseRisk;
import org.apache.flink.streaming.api.datastream.DataStream;

/** From service windows and the catalog to rows of risk. */
public final class RiskTopology {

    private RiskTopology() {}

    /** One row for every row that is no repetition. */
    public static DataStream<CollapseRisk> build(AnalysisInput input, RiskFunction.Plan plan) {
        return input.analyse(
                "risk",
                new RiskFunction<>(plan, CollapseRisks::toAvro),
                new ByteFormType<>(new AvroForm<>(CollapseRisk.class, "collapse_risk")));
    }
}
