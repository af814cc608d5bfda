package io.quotascope.jobs.inputs;

import io.quotascope.jobs.io.JobShell;
import io.quotascope.jobs.io.clickhouse.Table;
import io.quotascope.jobs.io.kafka.KafkaOptions;
import io.quotascope.jobs.io.log.DeadLetter;
import io.quotascope.jobs.io.log.DecodeFunction;
import io.quotascope.jobs.io.state.AvroForm;
import io.quotascope.jobs.io.state.ByteFormType;
import io.quotascope.wire.ChangeEvents;
import io.quotascope.wire.Codecs;
import io.quotascope.wire.Decoded;
import io.quotascope.wire.PriceBooks;
import io.quotascope.wire.Recommendations;
import io.quotascope.wire.ServiceLoads;
import io.quotascope.wire.avro.ChangeEvent;
import io.quotascope.wire.avro.PriceBook;
import io.quotascope.wire.avro.Recommendation;
import io.quotascope.wire.avro.ServiceLoad;
import java.util.function.Function;
import org.apache.avro.specific.SpecificRecord;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;

/**
 * Copies the topics of prices, changes, recommendations and request load to their tables; what is
 * no record of its topic goes to the dead letters. It holds no state: a repetition replaces itself
 * in its table.
 */
public final class InputsJob {

    private InputsJob() {}

    /** Submits the job; arguments as in docs/options. */
    public static void main(String[] args) throws Exception {
        JobShell shell = JobShell.of("inputs", args);
        plug(shell);
        shell.submit();
    }

    /** Puts Kafka and ClickHouse around the copying. */
    public static void plug(JobShell shell) {
        DataStream<DeadLetter> refused =
                copy(
                                shell,
                                KafkaOptions.PRICE_BOOK,
                                Table.PRICE_BOOKS,
                                new AvroForm<>(PriceBook.class, "price_book"),
                                framed ->
                                        row(Codecs.PRICE_BOOKS.decode(framed), PriceBooks::toAvro))
                        .union(
                                copy(
                                        shell,
                                        KafkaOptions.CHANGE_EVENTS,
                                        Table.CHANGE_EVENTS,
                                        new AvroForm<>(ChangeEvent.class, "change_event"),
                                        framed ->
                                                row(
                                                        Codecs.CHANGE_EVENTS.decode(framed),
                                                        ChangeEvents::toAvro)),
                                copy(
                                        shell,
                                        KafkaOptions.RECOMMENDATION_LEDGER,
                                        Table.RECOMMENDATIONS,
                                        new AvroForm<>(Recommendation.class, "recommendation"),
                                        framed ->
                                                row(
                                                        Codecs.RECOMMENDATIONS.decode(framed),
                                                        Recommendations::toAvro)),
                                copy(
                                        shell,
                                        KafkaOptions.SERVICE_LOAD,
                                        Table.SERVICE_LOADS,
                                        new AvroForm<>(ServiceLoad.class, "service_load"),
                                        framed ->
                                                row(
                                                        Codecs.SERVICE_LOADS.decode(framed),
                                                        ServiceLoads::toAvro)));
        shell.deadLetterSink(refused);
    }

    /** One topic into one table; returns what is no record of it. */
    private static <A extends SpecificRecord> DataStream<DeadLetter> copy(
            JobShell shell,
            ConfigOption<String> topic,
            Table table,
            AvroForm<A> form,
            DecodeFunction.Decoder<A> decoder) {
        String name = table.layout().table();
        SingleOutputStreamOperator<A> rows =
                shell.source()
                        .untimed("source-" + name, shell.topic(topic))
                        .process(new DecodeFunction<>(decoder), new ByteFormType<>(form))
                        .uid("decode-" + name)
                        .name("decode " + name);
        shell.tableSink(table, rows);
        return rows.getSideOutput(DecodeFunction.DEAD_LETTERS);
    }

    /** The row of a sound record: it goes through the domain, which refuses what makes no sense. */
    private static <D, A> Decoded<A> row(Decoded<D> decoded, Function<D, A> toAvro) {
        return decoded instanceof Decoded.Refused<D> refused
                ? new Decoded.Refused<>(refused.refusal())
                : new Decoded.Sound<>(toAvro.apply(decoded.orElseThrow()));
    }
}
