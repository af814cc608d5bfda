package io.quotascope.jobs.hours;

import io.quotascope.jobs.io.parts.CatalogEntryForm;
import io.quotascope.jobs.io.parts.CatalogState;
import io.quotascope.jobs.io.parts.JudgingInput;
import io.quotascope.jobs.io.state.AvroForm;
import io.quotascope.jobs.io.state.ByteFormType;
import io.quotascope.jobs.io.state.KeyText;
import io.quotascope.wire.ServiceHours;
import io.quotascope.wire.avro.ServiceHour;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.datastream.DataStream;

/** From service windows and the catalog to hours of services. */
public final class HoursTopology {
    /** How the state of the operator becomes bytes. */
    static final HoursFunction.StateTypes STATE =
            new HoursFunction.StateTypes(
                    new ByteFormType<>(new HourPartForm()),
                    new ByteFormType<>(new HourTallyForm()),
                    new CatalogState(new ByteFormType<>(new CatalogEntryForm())));

    private HoursTopology() {}

    /** One row for every hour and part that closed, and again when a row of it came later. */
    public static DataStream<ServiceHour> build(JudgingInput input, long revision) {
        return input.rows()
                .keyBy(row -> KeyText.of(row.sums().key()), Types.STRING)
                .connect(input.catalog().broadcast(STATE.catalog().descriptor()))
                .process(
                        new HoursFunction<>(STATE, ServiceHours::toAvro, revision),
                        new ByteFormType<>(new AvroForm<>(ServiceHour.class, "service_hour")))
                .uid("hours")
                .name("hours of services");
    }
}
