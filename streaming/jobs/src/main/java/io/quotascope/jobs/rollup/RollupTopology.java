package io.quotascope.jobs.rollup;

import io.quotascope.domain.window.HostReport;
import io.quotascope.domain.window.ServiceWindow;
import io.quotascope.domain.window.ShardWindow;
import io.quotascope.domain.window.WindowPart;
import io.quotascope.jobs.io.log.Accepted;
import io.quotascope.jobs.io.parts.ServiceWindowForm;
import io.quotascope.jobs.io.state.ByteFormType;
import io.quotascope.jobs.io.state.KeyText;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.KeyedStream;

/** From accepted records of shards and hosts to rows of services. */
public final class RollupTopology {

    private RollupTopology() {}

    /**
     * @param shards shard windows, each once, with the clock of the log
     * @param hosts host windows, each once, with the clock of the log
     * @param revision reprocessing revision of the rows
     */
    public static DataStream<ServiceWindow> build(
            DataStream<Accepted<ShardWindow>> shards,
            DataStream<Accepted<HostReport>> hosts,
            long revision) {
        KeyedStream<ShardArrival, String> ofShards =
                shards.map(
                                each -> new ShardArrival(each.framed(), each.record(), each.part()),
                                new ByteFormType<>(new ShardArrivalForm()))
                        .uid("rollup-shards")
                        .name("shards to rollup")
                        .keyBy(each -> KeyText.of(each.window().key()), Types.STRING);
        KeyedStream<StatementArrival, String> ofHosts =
                hosts.<StatementArrival>flatMap(
                                (each, out) ->
                                        each.record()
                                                .statements()
                                                .forEach(
                                                        stated ->
                                                                out.collect(
                                                                        new StatementArrival(
                                                                                stated,
                                                                                WindowPart.of(
                                                                                        stated
                                                                                                .windowStartUs(),
                                                                                        each
                                                                                                .appendTimeMs())))),
                                new ByteFormType<>(new StatementArrivalForm()))
                        .uid("rollup-hosts")
                        .name("host statements to rollup")
                        .keyBy(each -> KeyText.of(each.statement().key()), Types.STRING);
        return ofShards.connect(ofHosts)
                .process(
                        new RollupFunction(
                                new ByteFormType<>(new WindowPartForm()),
                                new ByteFormType<>(new AccumulatorForm()),
                                revision),
                        new ByteFormType<>(new ServiceWindowForm()))
                .uid("rollup")
                .name("rollup: minutes of services");
    }
}
