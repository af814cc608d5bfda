package io.quotascope.jobs.io.clickhouse;

import io.quotascope.jobs.io.options.OptionGroup;
import java.time.Duration;
import java.util.List;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;

/** Where ClickHouse is and how rows are batched on the way to it. */
public final class ClickHouseOptions implements OptionGroup {

    public static final ConfigOption<String> URL =
            ConfigOptions.key("clickhouse.url")
                    .stringType()
                    .noDefaultValue()
                    .withDescription(
                            "HTTP endpoint, for example http://127.0.0.1:18123. Required.");

    public static final ConfigOption<String> USER =
            ConfigOptions.key("clickhouse.user")
                    .stringType()
                    .defaultValue("ingest")
                    .withDescription("User; it needs INSERT on the tables and nothing else.");

    public static final ConfigOption<String> PASSWORD_FILE =
            ConfigOptions.key("clickhouse.password-file")
                    .stringType()
                    .noDefaultValue()
                    .withDescription(
                            "File that holds the user's password, read on the task managers whenever a writer starts, so that no secret lies in a job graph. Required.");

    public static final ConfigOption<String> DATABASE =
            ConfigOptions.key("clickhouse.database")
                    .stringType()
                    .defaultValue("quotascope")
                    .withDescription("Database of the tables.");

    public static final ConfigOption<Integer> BATCH_ROWS =
            ConfigOptions.key("clickhouse.batch.rows")
                    .intType()
                    .defaultValue(50_000)
                    .withDescription("Most rows of one insert, a count.");

    public static final ConfigOption<Integer> BATCH_BYTES =
            ConfigOptions.key("clickhouse.batch.bytes")
                    .intType()
                    .defaultValue(8_000_000)
                    .withDescription("Size at which an insert is sent, in bytes.");

    public static final ConfigOption<Duration> BATCH_INTERVAL =
            ConfigOptions.key("clickhouse.batch.interval")
                    .durationType()
                    .defaultValue(Duration.ofSeconds(2))
                    .withDescription(
                            "Longest time that a row waits for others. A checkpoint sends what is there.");

    public static final ConfigOption<Duration> REQUEST_TIMEOUT =
            ConfigOptions.key("clickhouse.request-timeout")
                    .durationType()
                    .defaultValue(Duration.ofSeconds(60))
                    .withDescription(
                            "Longest wait for the answer to one insert; then it is sent again.");

    public static final ConfigOption<Duration> RETRY_DELAY =
            ConfigOptions.key("clickhouse.retry-delay")
                    .durationType()
                    .defaultValue(Duration.ofMillis(200))
                    .withDescription(
                            "Wait before the first repetition of a failed insert; doubled with each further one.");

    public static final ConfigOption<Duration> RETRY_DELAY_MAX =
            ConfigOptions.key("clickhouse.retry-delay-max")
                    .durationType()
                    .defaultValue(Duration.ofSeconds(5))
                    .withDescription("Longest wait between repetitions.");

    @Override
    public String name() {
        return "clickhouse";
    }

    @Override
    public String purpose() {
        return "Where ClickHouse is and how rows are batched on the way to it. An insert is repeated until it succeeds: while ClickHouse is away the job waits and loses nothing.";
    }

    @Override
    public List<ConfigOption<?>> options() {
        return List.of(
                URL,
                USER,
                PASSWORD_FILE,
                DATABASE,
                BATCH_ROWS,
                BATCH_BYTES,
                BATCH_INTERVAL,
                REQUEST_TIMEOUT,
                RETRY_DELAY,
                RETRY_DELAY_MAX);
    }
}
