package io.quotascope.jobs.costs;

import io.quotascope.domain.load.ConcurrencyCost;
import io.quotascope.domain.load.CostEvidence;
import io.quotascope.domain.load.ServiceLoad;
import io.quotascope.domain.window.Origin;
import io.quotascope.domain.window.ServiceWindow;
import io.quotascope.domain.window.WindowPart;
import io.quotascope.jobs.io.log.DeadLetter;
import io.quotascope.jobs.io.log.DecodeFunction;
import io.quotascope.jobs.io.log.LogRecord;
import io.quotascope.jobs.io.parts.ConcurrencyCostForm;
import io.quotascope.jobs.io.state.ByteFormType;
import io.quotascope.wire.Codecs;
import io.quotascope.wire.Decoded;
import java.util.Locale;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;

/**
 * From service windows and request load to what concurrency costs. The clock is that of the windows
 * alone: load is imported when somebody does so.
 */
public final class CostTopology {
    private static final TypeInformation<CostReading> READING =
            new ByteFormType<>(new CostReadingForm());

    /** Joins the three names of a key; no name holds a line feed. */
    private static final char DIVIDER = '\n';

    /**
     * @param costs what is known of services, anew every 30 counted minutes
     * @param deadLetters messages of the load's topic that are no record of it
     */
    public record Output(DataStream<ConcurrencyCost> costs, DataStream<DeadLetter> deadLetters) {}

    private CostTopology() {}

    /**
     * @param rows service windows, with the clock of their topic
     * @param loads messages of topic service-load.v1, with a clock that holds nothing back
     */
    public static Output build(DataStream<ServiceWindow> rows, DataStream<LogRecord> loads) {
        SingleOutputStreamOperator<CostReading> counted =
                loads.forward()
                        .process(new DecodeFunction<CostReading>(CostTopology::decoded), READING)
                        .uid("decode-service-load")
                        .name("decode service load")
                        .setParallelism(loads.getParallelism());
        DataStream<ConcurrencyCost> costs =
                rows.filter(CostTopology::isWhole)
                        .uid("costs-whole-minutes")
                        .name("whole minutes")
                        .setParallelism(rows.getParallelism())
                        .map(row -> CostReading.of(row.sums()), READING)
                        .uid("costs-work")
                        .name("work of minutes")
                        .setParallelism(rows.getParallelism())
                        .union(counted)
                        .keyBy(CostTopology::keyOf, Types.STRING)
                        .process(new CostFunction(), new ByteFormType<>(new ConcurrencyCostForm()))
                        .uid("costs")
                        .name("costs of concurrency");
        return new Output(costs, counted.getSideOutput(DecodeFunction.DEAD_LETTERS));
    }

    private static Decoded<CostReading> decoded(byte[] framed) {
        Decoded<ServiceLoad> load = Codecs.SERVICE_LOADS.decode(framed);
        return load instanceof Decoded.Refused<ServiceLoad> refused
                ? new Decoded.Refused<>(refused.refusal())
                : new Decoded.Sound<>(CostReading.of(load.orElseThrow()));
    }

    /** Requests of shards that were not heard would look like dearer ones. */
    private static boolean isWhole(ServiceWindow row) {
        return row.part() == 0
                && row.sums().reporting().records() >= row.sums().reporting().expectedRecords();
    }

    static String keyOf(CostReading reading) {
        return reading.origin().label() + DIVIDER + reading.cluster() + DIVIDER + reading.service();
    }

    /** The record of a key's evidence; its version rises with the newest minute. */
    static ConcurrencyCost named(String key, CostEvidence evidence, long newestUs) {
        String[] names = key.split(String.valueOf(DIVIDER), -1);
        CostEvidence.Estimate estimate = evidence.estimate();
        return new ConcurrencyCost(
                Origin.valueOf(names[0].toUpperCase(Locale.ROOT)),
                names[1],
                names[2],
                newestUs,
                evidence.minutes(),
                estimate.value(),
                estimate.low(),
                estimate.high(),
                newestUs / WindowPart.MINUTE_US);
    }
}
