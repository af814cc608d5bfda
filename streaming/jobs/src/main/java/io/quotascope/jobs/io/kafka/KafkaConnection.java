package io.quotascope.jobs.io.kafka;

import io.quotascope.jobs.io.options.InvalidOptionException;
import io.quotascope.jobs.io.options.Required;
import java.io.IOException;
import java.io.Reader;
import java.io.Serializable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ReadableConfig;

/** Where Kafka is and how to speak to it; one object of it makes every client of a job. */
public final class KafkaConnection implements Serializable {
    private static final long serialVersionUID = 1L;

    private final String bootstrap;
    private final Properties client;

    private KafkaConnection(String bootstrap, Properties client) {
        this.bootstrap = bootstrap;
        this.client = client;
    }

    /** @throws InvalidOptionException if the brokers are not named or the client file cannot be read */
    public static KafkaConnection from(ReadableConfig config) {
        Properties client = new Properties();
        config.getOptional(KafkaOptions.CLIENT_FILE).ifPresent(file -> load(client, Path.of(file)));
        return new KafkaConnection(Required.get(config, KafkaOptions.BOOTSTRAP), client);
    }

    private static void load(Properties client, Path file) {
        try (Reader reader = Files.newBufferedReader(file)) {
            client.load(reader);
        } catch (IOException e) {
            throw new InvalidOptionException("option " + KafkaOptions.CLIENT_FILE.key() + ": cannot read " + file + ": " + e);
        }
    }

    /** The brokers to ask first. */
    public String bootstrap() {
        return bootstrap;
    }

    /** A copy of the client settings, with the brokers, to add to. */
    public Properties clientProperties() {
        Properties properties = new Properties();
        properties.putAll(client);
        properties.setProperty("bootstrap.servers", bootstrap);
        return properties;
    }

    /** The group under which a job shows its lag. */
    static String group(ReadableConfig config, String job) {
        return config.get(KafkaOptions.GROUP_PREFIX) + "-" + job;
    }

    /** A topic's name. */
    public static String topic(ReadableConfig config, ConfigOption<String> option) {
        return Required.get(config, option);
    }
}
