package io.quotascope.jobs.io;

import io.quotascope.domain.fleet.ServiceCatalogEntry;
import io.quotascope.domain.load.ConcurrencyCost;
import io.quotascope.domain.savings.PriceBook;
import io.quotascope.jobs.io.clickhouse.ClickHouseSink;
import io.quotascope.jobs.io.clickhouse.ClickHouseTarget;
import io.quotascope.jobs.io.clickhouse.Table;
import io.quotascope.jobs.io.clickhouse.TableRow;
import io.quotascope.jobs.io.kafka.KafkaOptions;
import io.quotascope.jobs.io.kafka.LogSink;
import io.quotascope.jobs.io.kafka.LogSource;
import io.quotascope.jobs.io.log.DeadLetter;
import io.quotascope.jobs.io.log.DecodeFunction;
import io.quotascope.jobs.io.options.JobArguments;
import io.quotascope.jobs.io.parts.CatalogEntryForm;
import io.quotascope.jobs.io.parts.ConcurrencyCostForm;
import io.quotascope.jobs.io.parts.JudgingInput;
import io.quotascope.jobs.io.parts.PriceBookForm;
import io.quotascope.jobs.io.state.ByteForm;
import io.quotascope.jobs.io.state.ByteFormType;
import io.quotascope.jobs.io.tick.TickOptions;
import io.quotascope.jobs.io.tick.TickSource;
import io.quotascope.wire.Codecs;
import java.util.List;
import org.apache.avro.generic.IndexedRecord;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.configuration.ReadableConfig;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.streaming.api.graph.StreamGraph;
import org.apache.flink.streaming.api.lineage.LineageGraphUtils;

/**
 * What the mains have in common: arguments, environment, and Kafka and ClickHouse around a
 * topology.
 */
public final class JobShell {

    private final String job;
    private final Configuration config;
    private final StreamExecutionEnvironment env;

    private JobShell(String job, Configuration config) {
        this.job = job;
        this.config = config;
        this.env = StreamExecutionEnvironment.getExecutionEnvironment(settings());
    }

    /**
     * @throws io.quotascope.jobs.io.options.InvalidOptionException if an argument has to be
     *     corrected
     */
    public static JobShell of(String job, String... args) {
        return new JobShell(job, JobArguments.parse(args));
    }

    /**
     * What holds wherever a job runs. Checkpoints, state backend and restarts are the cluster's to
     * decide.
     */
    public static Configuration settings() {
        Configuration settings = new Configuration();
        // A type without an explicit form is a mistake, not a case for Kryo.
        settings.set(PipelineOptions.GENERIC_TYPES, false);
        // Elements of ours do not change after they were emitted, so chained operators may share
        // them.
        settings.set(PipelineOptions.OBJECT_REUSE, true);
        return settings;
    }

    /** The options of this run. */
    public ReadableConfig config() {
        return config;
    }

    /** The environment that the job is built in. */
    public StreamExecutionEnvironment env() {
        return env;
    }

    /** Reads topics. */
    public LogSource source() {
        return new LogSource(env, config, job);
    }

    /** Reads what every judging job reads, and sends what is not readable to the dead letters. */
    public JudgingInput judgingInput() {
        JudgingInput input = readJudgingInput();
        deadLetterSink(input.deadLetters());
        return input;
    }

    /** The same for a job that refuses messages of further topics. */
    public JudgingInput judgingInput(DataStream<DeadLetter> further) {
        JudgingInput input = readJudgingInput();
        deadLetterSink(input.deadLetters().union(further));
        return input;
    }

    private JudgingInput readJudgingInput() {
        return JudgingInput.of(
                source().timed(
                                "source-service-windows",
                                List.of(topic(KafkaOptions.SERVICE_WINDOWS))),
                source().timeless("source-service-catalog", topic(KafkaOptions.SERVICE_CATALOG)));
    }

    /** Reads the catalog alone, and sends what is not readable to the dead letters. */
    public DataStream<ServiceCatalogEntry> catalog() {
        return beside(
                KafkaOptions.SERVICE_CATALOG,
                "service-catalog",
                framed -> Codecs.CATALOG_ENTRIES.decode(framed),
                new CatalogEntryForm());
    }

    /** Reads the price book, and sends what is not readable to the dead letters. */
    public DataStream<PriceBook> priceBooks() {
        return beside(
                KafkaOptions.PRICE_BOOK,
                "price-book",
                framed -> Codecs.PRICE_BOOKS.decode(framed),
                new PriceBookForm());
    }

    /**
     * Reads what concurrency costs services, and sends what is not readable to the dead letters.
     */
    public DataStream<ConcurrencyCost> concurrencyCosts() {
        return beside(
                KafkaOptions.CONCURRENCY_COSTS,
                "concurrency-costs",
                framed -> Codecs.CONCURRENCY_COSTS.decode(framed),
                new ConcurrencyCostForm());
    }

    /** A topic that is joined by what was last said; it is read by one reader, like the catalog. */
    private <T> DataStream<T> beside(
            ConfigOption<String> option,
            String name,
            DecodeFunction.Decoder<T> decoder,
            ByteForm<T> form) {
        SingleOutputStreamOperator<T> said =
                source().timeless("source-" + name, topic(option))
                        .forward()
                        .process(new DecodeFunction<>(decoder), new ByteFormType<>(form))
                        .uid("decode-" + name)
                        .name("decode " + name.replace('-', ' '))
                        .setParallelism(1);
        said.getSideOutput(DecodeFunction.DEAD_LETTERS)
                .sinkTo(LogSink.deadLetters(config))
                .uid("sink-" + name + "-dead-letters")
                .name("dead letters of " + name);
        return said;
    }

    /** A topic's name. */
    public String topic(org.apache.flink.configuration.ConfigOption<String> option) {
        return config.get(option);
    }

    /** Writes rows that are nothing but a record. */
    public <A extends IndexedRecord> void tableSink(Table table, DataStream<A> rows) {
        tableSink(table, rows, TableRow::of);
    }

    /** Writes rows. */
    public <T> void tableSink(Table table, DataStream<T> elements, ClickHouseSink.Rows<T> rows) {
        String name = table.layout().table();
        elements.sinkTo(new ClickHouseSink<>(ClickHouseTarget.from(config), table, rows))
                .uid("sink-" + name)
                .name("ClickHouse " + name);
    }

    /** Writes refused messages. */
    public void deadLetterSink(DataStream<DeadLetter> letters) {
        letters.sinkTo(LogSink.deadLetters(config)).uid("sink-dead-letters").name("dead letters");
    }

    /**
     * Appends ticks to topics, which move their clock where no record comes. It belongs to the job
     * whose rows they carry.
     */
    public void writeTicks(List<String> topics) {
        if (config.get(TickOptions.INTERVAL).isZero()) {
            return;
        }
        TickSource ticks =
                new TickSource(
                        KafkaOptions.connection(config), topics, config.get(TickOptions.INTERVAL));
        env.fromSource(ticks, WatermarkStrategy.noWatermarks(), "ticks", Types.LONG)
                .uid("ticks")
                .setParallelism(1)
                .sinkTo(new DiscardingSink<>())
                .uid("ticks-end")
                .name("no elements")
                .setParallelism(1);
    }

    /**
     * Hands the job to the cluster. The result of a job without an end is never asked for, which a
     * submission over REST could not give.
     */
    public void submit() throws Exception {
        StreamGraph graph = env.getStreamGraph();
        graph.setJobName("quotascope-" + job);
        // Nobody listens to lineage; its objects would keep the classes of this program loaded
        // beside those of the running job for as long as the job manager holds the graph.
        graph.setLineageGraph(LineageGraphUtils.convertToLineageGraph(List.of()));
        env.execute(graph);
    }
}
