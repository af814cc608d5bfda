package io.quotascope.jobs.changes;

import io.quotascope.domain.verification.ChangeEvent;
import io.quotascope.domain.window.ServiceKey;
import io.quotascope.domain.window.ServiceWindow;
import io.quotascope.jobs.io.state.ByteFormType;
import io.quotascope.jobs.io.state.KeyText;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.datastream.DataStream;

/** From service windows to the changes that show in them. */
public final class ChangesTopology {
    private ChangesTopology() {}

    /**
     * @param rows service windows, with the clock of their topic
     * @param policy when a change has settled
     */
    public static DataStream<ChangeEvent> build(
            DataStream<ServiceWindow> rows, ChangesFunction.Policy policy) {
        return rows.keyBy(row -> keyText(row.sums().key()), Types.STRING)
                .process(
                        new ChangesFunction(
                                new ByteFormType<>(new ServiceShapeForm()),
                                new ByteFormType<>(new ChangeWatchForm()),
                                policy),
                        new ByteFormType<>(new ChangeEventForm()))
                .uid("changes")
                .name("changes of services");
    }

    private static String keyText(ServiceKey key) {
        return KeyText.of(key.origin().label(), key.cluster(), key.service());
    }
}
