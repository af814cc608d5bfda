package io.quotascope.jobs.whatif;

import io.quotascope.jobs.io.parts.AnalysisInput;
import io.quotascope.jobs.io.state.AvroForm;
import io.quotascope.jobs.io.state.ByteFormType;
import io.quotascope.wire.WhatIfOutcomes;
import io.quotascope.wire.avro.WhatIfOutcome;
import org.apache.flink.streaming.api.datastream.DataStream;

/** From service windows and the catalog to outcomes of changes. */
public final class WhatIfTopology {

    private WhatIfTopology() {}

    /** One row for every scenario of every analysis. */
    public static DataStream<WhatIfOutcome> build(AnalysisInput input, WhatIfFunction.Plan plan) {
        return input.analyse(
                "what-if",
                new WhatIfFunction<>(plan, WhatIfOutcomes::toAvro),
                new ByteFormType<>(new AvroForm<>(WhatIfOutcome.class, "what_if_outcome")));
    }
}
