package io.quotascope.jobs.savings;

import io.quotascope.domain.analysis.FleetPart;
import io.quotascope.jobs.io.parts.AnalysisInput;
import io.quotascope.jobs.io.state.AvroForm;
import io.quotascope.jobs.io.state.ByteFormType;
import io.quotascope.wire.FleetTotals;
import io.quotascope.wire.SavingsEstimates;
import io.quotascope.wire.avro.FleetTotal;
import io.quotascope.wire.avro.SavingsEstimate;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.util.Collector;

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

    /**
     * Totals of the fleet, its clusters and its teams, every ten minutes.
     *
     * @param turnUs time between two analyses of one service, microseconds
     */
    public static DataStream<FleetTotal> totals(
            DataStream<SavingsEstimate> rows, long revision, long turnUs) {
        return rows.flatMap(
                        (SavingsEstimate row, Collector<FleetPart> out) ->
                                FleetTotals.part(row).ifPresent(out::collect))
                .returns(new ByteFormType<>(new FleetPartForm()))
                .uid("fleet-parts")
                .name("parts of totals")
                .setParallelism(rows.getParallelism())
                .keyBy(part -> part.key().origin().label(), Types.STRING)
                .process(
                        new TotalsFunction<>(total -> FleetTotals.toAvro(total, revision), turnUs),
                        new ByteFormType<>(new AvroForm<>(FleetTotal.class, "fleet_total")))
                .uid("fleet-totals")
                .name("totals of the fleet");
    }
}
