package io.quotascope.jobs.rollup;

import io.quotascope.domain.window.ServiceAccumulator;
import io.quotascope.domain.window.ServiceKey;
import io.quotascope.domain.window.ServiceWindow;
import io.quotascope.domain.window.WindowPart;
import java.util.Comparator;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.metrics.Counter;
import org.apache.flink.streaming.api.functions.co.KeyedCoProcessFunction;
import org.apache.flink.util.Collector;

/**
 * Sums the records and host statements of one service and class by minute and part, and emits each
 * row once, when the log's clock has passed the end of its part: no record of it can follow. The
 * state of a row ends with its emission, so nothing is left behind.
 */
public final class RollupFunction
        extends KeyedCoProcessFunction<String, ShardArrival, StatementArrival, ServiceWindow> {
    private static final long serialVersionUID = 1L;

    private final TypeInformation<WindowPart> partType;
    private final TypeInformation<ServiceAccumulator> sumsType;
    private final long revision;
    private transient MapState<WindowPart, ServiceAccumulator> open;
    private transient Counter rows;

    /**
     * @param partType how minute and part become bytes
     * @param sumsType how sums become bytes
     * @param revision reprocessing revision of the rows
     */
    public RollupFunction(
            TypeInformation<WindowPart> partType,
            TypeInformation<ServiceAccumulator> sumsType,
            long revision) {
        this.partType = partType;
        this.sumsType = sumsType;
        this.revision = revision;
    }

    @Override
    public void open(OpenContext context) {
        open =
                getRuntimeContext()
                        .getMapState(new MapStateDescriptor<>("open-rows", partType, sumsType));
        rows = getRuntimeContext().getMetricGroup().counter("rows");
    }

    @Override
    public void processElement1(ShardArrival arrival, Context context, Collector<ServiceWindow> out)
            throws Exception {
        ServiceAccumulator sums = sumsOf(arrival.part(), arrival.window().key(), context);
        sums.add(arrival.window());
        open.put(arrival.part(), sums);
    }

    @Override
    public void processElement2(
            StatementArrival arrival, Context context, Collector<ServiceWindow> out)
            throws Exception {
        ServiceAccumulator sums = sumsOf(arrival.part(), arrival.statement().key(), context);
        sums.add(arrival.statement());
        open.put(arrival.part(), sums);
    }

    private ServiceAccumulator sumsOf(WindowPart part, ServiceKey key, Context context)
            throws Exception {
        ServiceAccumulator sums = open.get(part);
        if (sums == null) {
            sums = new ServiceAccumulator(key, part.minuteStartUs());
            context.timerService().registerEventTimeTimer(part.closesAtMs());
        }
        return sums;
    }

    /**
     * Rows of one instant leave in the order of their minutes, so that whoever reads them gets the
     * same sequence in every run.
     */
    @Override
    public void onTimer(long timestamp, OnTimerContext context, Collector<ServiceWindow> out)
            throws Exception {
        TreeMap<WindowPart, ServiceAccumulator> closed =
                new TreeMap<>(Comparator.comparingLong(WindowPart::minuteStartUs));
        for (Map.Entry<WindowPart, ServiceAccumulator> entry : open.entries()) {
            if (entry.getKey().closesAtMs() == timestamp) {
                closed.put(entry.getKey(), entry.getValue());
            }
        }
        for (Map.Entry<WindowPart, ServiceAccumulator> entry : closed.entrySet()) {
            out.collect(
                    new ServiceWindow(
                            entry.getValue().toServiceSums(), entry.getKey().part(), revision));
            open.remove(entry.getKey());
            rows.inc();
        }
    }
}
