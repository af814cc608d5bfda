package io.quotascope.jobs.io.clickhouse;

import io.quotascope.jobs.io.options.InvalidOptionException;
import io.quotascope.jobs.io.options.Required;
import java.io.Serializable;
import java.net.URI;
import java.time.Duration;
import org.apache.flink.configuration.ReadableConfig;

/**
 * Where rows go and how patient the way there is.
 *
 * @param url HTTP endpoint
 * @param user user
 * @param passwordFile file with the password, read on the task manager
 * @param database database of the tables
 * @param batch when an insert is sent
 * @param retry how failed inserts are repeated
 */
public record ClickHouseTarget(
        URI url, String user, String passwordFile, String database, Batch batch, Retry retry)
        implements Serializable {

    /**
     * @param rows most rows
     * @param bytes size at which it is sent, bytes
     * @param interval longest wait of a row
     */
    public record Batch(int rows, int bytes, Duration interval) implements Serializable {}

    /**
     * @param timeout longest wait for one answer
     * @param delay wait before the first repetition, doubled with each further one
     * @param delayMax longest wait between repetitions
     */
    public record Retry(Duration timeout, Duration delay, Duration delayMax)
            implements Serializable {}

    /**
     * @throws InvalidOptionException if an option is missing or is no URL
     */
    public static ClickHouseTarget from(ReadableConfig config) {
        String url = Required.get(config, ClickHouseOptions.URL);
        if (!url.startsWith("http://") && !url.startsWith("https://")) {
            throw new InvalidOptionException(
                    "option "
                            + ClickHouseOptions.URL.key()
                            + " must begin with http:// or https://, found "
                            + url);
        }
        return new ClickHouseTarget(
                URI.create(url.endsWith("/") ? url : url + "/"),
                Required.get(config, ClickHouseOptions.USER),
                Required.get(config, ClickHouseOptions.PASSWORD_FILE),
                Required.get(config, ClickHouseOptions.DATABASE),
                new Batch(
                        Required.atLeast(config, ClickHouseOptions.BATCH_ROWS, 1),
                        Required.atLeast(config, ClickHouseOptions.BATCH_BYTES, 1),
                        config.get(ClickHouseOptions.BATCH_INTERVAL)),
                new Retry(
                        config.get(ClickHouseOptions.REQUEST_TIMEOUT),
                        config.get(ClickHouseOptions.RETRY_DELAY),
                        config.get(ClickHouseOptions.RETRY_DELAY_MAX)));
    }
}
