package io.quotascope.jobs.alerts;

import io.quotascope.domain.alert.AlertSubject;
import io.quotascope.domain.alert.ServiceReadings;
import io.quotascope.domain.alert.ThrottlingAlert;
import io.quotascope.domain.analysis.CollapseRisk;
import io.quotascope.jobs.io.alerts.AlertBookForm;
import io.quotascope.jobs.io.alerts.AlertForm;
import io.quotascope.jobs.io.alerts.AlertOptions;
import io.quotascope.jobs.io.log.DeadLetter;
import io.quotascope.jobs.io.log.DecodeFunction;
import io.quotascope.jobs.io.log.LogRecord;
import io.quotascope.jobs.io.parts.CatalogState;
import io.quotascope.jobs.io.parts.JudgingInput;
import io.quotascope.jobs.io.state.ByteFormType;
import io.quotascope.jobs.io.state.KeyText;
import io.quotascope.wire.Codecs;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;

/**
 * From service windows, the catalog and judgements of cliffs to alerts about services. The clock is
 * that of the service windows alone: judgements of cliffs follow them, and their topic may be
 * empty.
 */
public final class AlertsTopology {
    static final TypeInformation<ServiceReadings> READINGS =
            new ByteFormType<>(new ServiceReadingsForm());

    /**
     * @param alerts alerts about services
     * @param deadLetters messages of the cliffs' topic that are no record of it
     */
    public record Output(DataStream<ThrottlingAlert> alerts, DataStream<DeadLetter> deadLetters) {}

    private AlertsTopology() {}

    /**
     * @param input service windows and the catalog
     * @param risks messages of topic collapse-risks.v1, with a clock that holds nothing back
     * @param rules when alerts begin and end
     * @param forgottenMs minutes without a service after which it is taken for gone, milliseconds
     * @param revision reprocessing revision
     */
    public static Output build(
            JudgingInput input,
            DataStream<LogRecord> risks,
            AlertOptions.Rules rules,
            long forgottenMs,
            long revision) {
        DataStream<ServiceReadings> ofWindows =
                input.rows()
                        .connect(input.catalog().broadcast(JudgingInput.STATE.catalog()))
                        .process(
                                new ReadServiceFunction(
                                        new CatalogState(JudgingInput.STATE.entry()), revision),
                                READINGS)
                        .uid("alerts-read-windows")
                        .name("what windows say")
                        // Any other parallelism would let minutes of one service overtake each
                        // other.
                        .setParallelism(input.rows().getParallelism());
        SingleOutputStreamOperator<CollapseRisk> decoded =
                risks.forward()
                        .process(
                                new DecodeFunction<>(
                                        framed -> Codecs.COLLAPSE_RISKS.decode(framed)),
                                new ByteFormType<>(new CollapseRiskForm()))
                        .uid("decode-collapse-risks")
                        .name("decode collapse risks")
                        .setParallelism(risks.getParallelism());
        DataStream<ServiceReadings> ofCliffs =
                decoded.filter(risk -> risk.scope().part() == 0)
                        .uid("alerts-in-time")
                        .name("in time")
                        .setParallelism(risks.getParallelism())
                        .map(risk -> ServiceReadings.of(risk), READINGS)
                        .uid("alerts-read-cliffs")
                        .name("what cliffs say")
                        .setParallelism(risks.getParallelism());
        DataStream<Long> told =
                input.rows()
                        .process(new RowsToldFunction(), Types.LONG)
                        .uid("alerts-rows-told")
                        .name("how far rows have come")
                        .setParallelism(input.rows().getParallelism());
        DataStream<ThrottlingAlert> alerts =
                ofWindows
                        .union(ofCliffs)
                        .keyBy(readings -> keyText(readings.subject()), Types.STRING)
                        .connect(told.broadcast(RowsTold.descriptor()))
                        .process(
                                new ServiceAlertsFunction(
                                        new ByteFormType<>(new AlertBookForm()),
                                        READINGS,
                                        rules,
                                        forgottenMs),
                                new ByteFormType<>(new AlertForm()))
                        .uid("service-alerts")
                        .name("alerts about services");
        return new Output(alerts, decoded.getSideOutput(DecodeFunction.DEAD_LETTERS));
    }

    private static String keyText(AlertSubject subject) {
        return KeyText.of(
                subject.origin().label(),
                subject.cluster(),
                subject.service().orElseThrow(),
                subject.quotaClass().orElseThrow());
    }
}
