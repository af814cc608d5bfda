package io.quotascope.jobs;

import io.quotascope.domain.window.HostReport;
import io.quotascope.domain.window.HostStatement;
import io.quotascope.domain.window.Sender;
import io.quotascope.domain.window.ServiceAccumulator;
import io.quotascope.domain.window.ServiceWindow;
import io.quotascope.domain.window.ShardWindow;
import io.quotascope.domain.window.WindowPart;
import io.quotascope.jobs.intake.AdmissionFunction;
import io.quotascope.jobs.intake.Arrival;
import io.quotascope.jobs.intake.IntakeFunction;
import io.quotascope.jobs.io.log.Accepted;
import io.quotascope.jobs.io.log.LogRecord;
import io.quotascope.jobs.io.state.ByteFormType;
import io.quotascope.jobs.io.state.KeyText;
import io.quotascope.jobs.rollup.AccumulatorForm;
import io.quotascope.jobs.rollup.RollupFunction;
import io.quotascope.jobs.rollup.ShardArrival;
import io.quotascope.jobs.rollup.StatementArrival;
import io.quotascope.jobs.rollup.WindowPartForm;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.operators.co.KeyedCoProcessOperator;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.KeyedOneInputStreamOperatorTestHarness;
import org.apache.flink.streaming.util.KeyedTwoInputStreamOperatorTestHarness;
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;
import org.apache.flink.streaming.util.ProcessFunctionTestHarnesses;

/**
 * Admission, intake and rollup in one thread, read in whatever order a test wants, with the clock
 * of the log as the sources keep it.
 */
final class IngestHarness implements AutoCloseable {
    private final OneInputStreamOperatorTestHarness<LogRecord, Arrival<ShardWindow>> admission;
    private final KeyedOneInputStreamOperatorTestHarness<
                    String, Arrival<ShardWindow>, Accepted<ShardWindow>>
            shards;
    private final KeyedOneInputStreamOperatorTestHarness<
                    String, Arrival<HostReport>, Accepted<HostReport>>
            hosts;
    private final KeyedTwoInputStreamOperatorTestHarness<
                    String, ShardArrival, StatementArrival, ServiceWindow>
            rollup;
    private final long[] clocks;

    IngestHarness(String hostTopic, int partitions) throws Exception {
        clocks = new long[partitions];
        Arrays.fill(clocks, Long.MIN_VALUE);
        admission =
                ProcessFunctionTestHarnesses.forProcessFunction(new AdmissionFunction(hostTopic));
        shards =
                ProcessFunctionTestHarnesses.forKeyedProcessFunction(
                        new IntakeFunction<>(new OfShard()),
                        each -> run(each.record().sender()),
                        Types.STRING);
        hosts =
                ProcessFunctionTestHarnesses.forKeyedProcessFunction(
                        new IntakeFunction<>(new OfHost()),
                        each -> run(each.record().sender()),
                        Types.STRING);
        ByteFormType<ServiceAccumulator> sums = new ByteFormType<>(new AccumulatorForm());
        rollup =
                new KeyedTwoInputStreamOperatorTestHarness<>(
                        new KeyedCoProcessOperator<>(
                                new RollupFunction(
                                        new ByteFormType<>(new WindowPartForm()), sums, 1)),
                        each -> KeyText.of(each.window().key()),
                        each -> KeyText.of(each.statement().key()),
                        Types.STRING);
        rollup.open();
    }

    private static String run(Sender sender) {
        return sender.hostId() + "/" + sender.agentEpoch();
    }

    /** Reads the next message of a partition. */
    void read(int partition, LogRecord message) throws Exception {
        admission.processElement(message, message.appendTimeMs());
        drain();
        clocks[partition] = Math.max(clocks[partition], message.appendTimeMs() - 1);
        long clock = Arrays.stream(clocks).min().orElseThrow();
        if (clock > Long.MIN_VALUE) {
            shards.processWatermark(clock);
            hosts.processWatermark(clock);
            rollup.processBothWatermarks(new Watermark(clock));
        }
    }

    private void drain() throws Exception {
        for (Arrival<ShardWindow> arrival : taken(admission)) {
            shards.processElement(arrival, arrival.appendTimeMs());
        }
        Queue<StreamRecord<Arrival<HostReport>>> reports =
                admission.getSideOutput(AdmissionFunction.HOSTS);
        for (StreamRecord<Arrival<HostReport>> report :
                reports == null
                        ? new ConcurrentLinkedQueue<StreamRecord<Arrival<HostReport>>>()
                        : reports) {
            hosts.processElement(report.getValue(), report.getValue().appendTimeMs());
        }
        if (reports != null) {
            reports.clear();
        }
        for (Accepted<ShardWindow> each : taken(shards)) {
            rollup.processElement1(
                    new ShardArrival(each.framed(), each.record(), each.part()),
                    each.appendTimeMs());
        }
        for (Accepted<HostReport> each : taken(hosts)) {
            for (HostStatement statement : each.record().statements()) {
                rollup.processElement2(
                        new StatementArrival(
                                statement,
                                WindowPart.of(statement.windowStartUs(), each.appendTimeMs())),
                        each.appendTimeMs());
            }
        }
    }

    private static <T> List<T> taken(OneInputStreamOperatorTestHarness<?, T> harness) {
        List<T> values = harness.extractOutputValues();
        harness.getOutput().clear();
        return values;
    }

    /** The rows so far, in the order in which they left. */
    List<ServiceWindow> rows() {
        return rollup.extractOutputValues();
    }

    /** Keys and timers that are still held. */
    int held() {
        return shards.numKeyedStateEntries()
                + hosts.numKeyedStateEntries()
                + rollup.numKeyedStateEntries()
                + rollup.numEventTimeTimers()
                + shards.numEventTimeTimers();
    }

    @Override
    public void close() throws Exception {
        admission.close();
        shards.close();
        hosts.close();
        rollup.close();
    }

    private static final class OfShard implements IntakeFunction.Identity<ShardWindow> {
        private static final long serialVersionUID = 1L;

        @Override
        public Sender senderOf(ShardWindow window) {
            return window.sender();
        }

        @Override
        public long windowStartUsOf(ShardWindow window) {
            return window.windowStartUs();
        }
    }

    private static final class OfHost implements IntakeFunction.Identity<HostReport> {
        private static final long serialVersionUID = 1L;

        @Override
        public Sender senderOf(HostReport report) {
            return report.sender();
        }

        @Override
        public long windowStartUsOf(HostReport report) {
            return report.windowStartUs();
        }
    }
}
