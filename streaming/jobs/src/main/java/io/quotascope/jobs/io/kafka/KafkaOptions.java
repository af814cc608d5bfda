package io.quotascope.jobs.io.kafka;

import io.quotascope.jobs.io.options.OptionGroup;
import io.quotascope.jobs.io.options.Required;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;
import org.apache.flink.configuration.ReadableConfig;

/**
 * Where Kafka is and which topics are read and written; the topics' settings are in {@code
 * schemas/topics.yaml}.
 */
public final class KafkaOptions implements OptionGroup {

    public static final ConfigOption<String> BOOTSTRAP =
            ConfigOptions.key("kafka.bootstrap")
                    .stringType()
                    .noDefaultValue()
                    .withDescription(
                            "Brokers to ask first, host:port, separated by commas. Required.");

    public static final ConfigOption<String> CLIENT_FILE =
            ConfigOptions.key("kafka.client-file")
                    .stringType()
                    .noDefaultValue()
                    .withDescription(
                            "Properties file with settings of Kafka clients, read when the job is submitted: TLS, SASL and the like. Optional.");

    public static final ConfigOption<String> GROUP_PREFIX =
            ConfigOptions.key("kafka.group-prefix")
                    .stringType()
                    .defaultValue("quotascope")
                    .withDescription(
                            "Consumer groups are named prefix-job. They show the lag; positions are restored from Flink's checkpoints.");

    public static final ConfigOption<Duration> PARTITION_DISCOVERY =
            ConfigOptions.key("kafka.partition-discovery")
                    .durationType()
                    .defaultValue(Duration.ofSeconds(30))
                    .withDescription(
                            "How often to look for partitions that were added to a topic.");

    public static final ConfigOption<Integer> SOURCE_PARALLELISM =
            ConfigOptions.key("kafka.source-parallelism")
                    .intType()
                    .defaultValue(1)
                    .withDescription(
                            "Parallel readers of each topic, a count. Never more than the partitions of the topic: a reader without a partition would hold back the clock of the log.");

    public static final ConfigOption<String> CPU_USAGE_WINDOWS =
            topic(
                    "cpu-usage-windows",
                    Topics.CPU_USAGE_WINDOWS,
                    "CpuUsageWindow, from the collectors");
    public static final ConfigOption<String> HOST_WINDOWS =
            topic("host-windows", Topics.HOST_WINDOWS, "HostWindow, from the collectors");
    public static final ConfigOption<String> SHARD_IDENTITIES =
            topic(
                    "shard-identities",
                    Topics.SHARD_IDENTITIES,
                    "ShardIdentity, from the collectors");
    public static final ConfigOption<String> SERVICE_WINDOWS =
            topic(
                    "service-windows",
                    Topics.SERVICE_WINDOWS,
                    "ServiceWindow, from the rollup to the judging jobs");
    public static final ConfigOption<String> SERVICE_HOURS =
            topic(
                    "service-hours",
                    Topics.SERVICE_HOURS,
                    "ServiceHour, from the hours job to whoever looks back over days");
    public static final ConfigOption<String> COLLAPSE_RISKS =
            topic("collapse-risks", Topics.COLLAPSE_RISKS, "CollapseRisk, from the risk job");
    public static final ConfigOption<String> SAVINGS_ESTIMATES =
            topic(
                    "savings-estimates",
                    Topics.SAVINGS_ESTIMATES,
                    "SavingsEstimate, from the savings job to the ranking");
    public static final ConfigOption<String> SERVICE_CATALOG =
            topic(
                    "service-catalog",
                    Topics.SERVICE_CATALOG,
                    "ServiceCatalogEntry, from the inputs command");
    public static final ConfigOption<String> PRICE_BOOK =
            topic("price-book", Topics.PRICE_BOOK, "PriceBook, from the inputs command");
    public static final ConfigOption<String> CHANGE_EVENTS =
            topic(
                    "change-events",
                    Topics.CHANGE_EVENTS,
                    "ChangeEvent, declared by people and detected in the stream");
    public static final ConfigOption<String> THROTTLING_ALERTS =
            topic(
                    "throttling-alerts",
                    Topics.THROTTLING_ALERTS,
                    "ThrottlingAlert, to whoever pages people");
    public static final ConfigOption<String> RECOMMENDATION_LEDGER =
            topic(
                    "recommendation-ledger",
                    Topics.RECOMMENDATION_LEDGER,
                    "Recommendation, from the inputs command");
    public static final ConfigOption<String> SERVICE_LOAD =
            topic("service-load", Topics.SERVICE_LOAD, "ServiceLoad, from the inputs command");
    public static final ConfigOption<String> CONCURRENCY_COSTS =
            topic(
                    "concurrency-costs",
                    Topics.CONCURRENCY_COSTS,
                    "ConcurrencyCost, from the alerts job to the analyses");
    public static final ConfigOption<String> DEAD_LETTERS =
            topic("dead-letters", Topics.DEAD_LETTERS, "what intake refuses, of any input topic");

    private static ConfigOption<String> topic(String word, String name, String record) {
        return ConfigOptions.key("kafka.topic." + word)
                .stringType()
                .defaultValue(name)
                .withDescription("Topic of " + record + ".");
    }

    /**
     * @throws io.quotascope.jobs.io.options.InvalidOptionException if the brokers are not named or
     *     the client file cannot be read
     */
    public static KafkaConnection connection(ReadableConfig config) {
        return KafkaConnection.to(
                Required.get(config, BOOTSTRAP), config.getOptional(CLIENT_FILE).map(Path::of));
    }

    @Override
    public String name() {
        return "kafka";
    }

    @Override
    public String purpose() {
        return "Where Kafka is and which topics are read and written.";
    }

    @Override
    public List<ConfigOption<?>> options() {
        return List.of(
                BOOTSTRAP,
                CLIENT_FILE,
                GROUP_PREFIX,
                PARTITION_DISCOVERY,
                SOURCE_PARALLELISM,
                CPU_USAGE_WINDOWS,
                HOST_WINDOWS,
                SHARD_IDENTITIES,
                SERVICE_WINDOWS,
                SERVICE_HOURS,
                COLLAPSE_RISKS,
                SAVINGS_ESTIMATES,
                SERVICE_CATALOG,
                PRICE_BOOK,
                CHANGE_EVENTS,
                THROTTLING_ALERTS,
                RECOMMENDATION_LEDGER,
                SERVICE_LOAD,
                CONCURRENCY_COSTS,
                DEAD_LETTERS);
    }
}
