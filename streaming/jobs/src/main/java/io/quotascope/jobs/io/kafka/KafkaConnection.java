package io.quotascope.jobs.io.kafka;

import io.quotascope.jobs.io.options.InvalidOptionException;
import java.io.IOException;
import java.io.Reader;
import java.io.Serializable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Properties;

/** Where Kafka is and how to speak to it; one object of it makes every client of a program. */
public final class KafkaConnection implements Serializable {
    private static final long serialVersionUID = 1L;

    private final String bootstrap;
    private final Properties client;

    private KafkaConnection(String bootstrap, Properties client) {
        this.bootstrap = bootstrap;
        this.client = client;
    }

    /**
     * @param bootstrap brokers to ask first
     * @param clientFile properties of Kafka clients
     * @throws InvalidOptionException if the file cannot be read
     */
    public static KafkaConnection to(String bootstrap, Optional<Path> clientFile) {
        Properties client = new Properties();
        clientFile.ifPresent(file -> load(client, file));
        return new KafkaConnection(bootstrap, client);
    }

    private static void load(Properties client, Path file) {
        try (Reader reader = Files.newBufferedReader(file)) {
            client.load(reader);
        } catch (IOException e) {
            throw new InvalidOptionException(
                    "cannot read the Kafka client settings in " + file + ": " + e);
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
}
