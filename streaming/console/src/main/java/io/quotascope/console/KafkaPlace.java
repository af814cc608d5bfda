package io.quotascope.console;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Properties;
import picocli.CommandLine.Option;

/** Where Kafka is and how to speak to it, as the command line says. */
public final class KafkaPlace {
    @Option(
            names = "--bootstrap",
            required = true,
            paramLabel = "HOST:PORT",
            description = "Kafka brokers to ask first")
    private String bootstrap;

    @Option(
            names = "--client-file",
            paramLabel = "FILE",
            description = "properties of Kafka clients, such as TLS and SASL")
    private Optional<Path> clientFile = Optional.empty();

    /** Settings for a client of Kafka. */
    public Properties properties() throws InvalidInputException {
        Properties properties = new Properties();
        if (clientFile.isPresent()) {
            try (Reader reader = Files.newBufferedReader(clientFile.get())) {
                properties.load(reader);
            } catch (IOException e) {
                throw new InvalidInputException(
                        "cannot read the Kafka client settings in " + clientFile.get() + ": " + e);
            }
        }
        properties.setProperty("bootstrap.servers", bootstrap);
        return properties;
    }
}
