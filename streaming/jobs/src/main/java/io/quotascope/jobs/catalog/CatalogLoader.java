package io.quotascope.jobs.catalog;

import io.quotascope.domain.fleet.ServiceCatalogEntry;
import io.quotascope.jobs.io.kafka.KafkaConnection;
import io.quotascope.jobs.io.kafka.Topics;
import io.quotascope.jobs.io.options.InvalidOptionException;
import java.io.IOException;
import java.io.PrintStream;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.common.KafkaException;

/**
 * Makes the topic of the service catalog say what a YAML file says: {@code CatalogLoader
 * --bootstrap HOST:PORT --file CATALOG.yaml [--topic NAME] [--client-file FILE]}. Running it again
 * changes nothing. Exit status: 0 done, 1 Kafka is not there, 2 arguments or file have to be
 * corrected.
 */
public final class CatalogLoader {
    private static final int DONE = 0;
    private static final int NO_KAFKA = 1;
    private static final int TO_CORRECT = 2;
    private static final List<String> ARGUMENTS =
            List.of("--bootstrap", "--file", "--topic", "--client-file");

    private CatalogLoader() {}

    /** Loads and exits. */
    public static void main(String[] args) throws InterruptedException {
        // No log is wanted from a command that says in one line what it did.
        System.setProperty("slf4j.internal.verbosity", "ERROR");
        System.exit(run(args, System.out, System.err));
    }

    /**
     * The exit status; what was done goes to {@code out}, what has to be corrected to {@code err}.
     */
    public static int run(String[] args, PrintStream out, PrintStream err)
            throws InterruptedException {
        try {
            Map<String, String> given = arguments(args);
            KafkaConnection connection =
                    KafkaConnection.to(
                            given.get("--bootstrap"),
                            Optional.ofNullable(given.get("--client-file")).map(Path::of));
            load(
                    Path.of(given.get("--file")),
                    new CatalogTopic(
                            connection, given.getOrDefault("--topic", Topics.SERVICE_CATALOG)),
                    out);
            return DONE;
        } catch (InvalidOptionException | InvalidCatalogException e) {
            err.println(e.getMessage());
            return TO_CORRECT;
        } catch (IOException e) {
            err.println(
                    "cannot read the catalog: "
                            + (e instanceof NoSuchFileException
                                    ? "there is no file " + e.getMessage()
                                    : e));
            return TO_CORRECT;
        } catch (KafkaException | ExecutionException e) {
            err.println("the catalog is not loaded, Kafka did not answer: " + e);
            return NO_KAFKA;
        }
    }

    private static Map<String, String> arguments(String[] args) {
        Map<String, String> given = new HashMap<>();
        for (int i = 0; i < args.length; i += 2) {
            if (!ARGUMENTS.contains(args[i])) {
                throw new InvalidOptionException(
                        "unknown option "
                                + args[i]
                                + ", expected one of "
                                + String.join(", ", ARGUMENTS));
            }
            if (i + 1 == args.length) {
                throw new InvalidOptionException("option " + args[i] + " has no value");
            }
            given.put(args[i], args[i + 1]);
        }
        if (!given.containsKey("--file") || !given.containsKey("--bootstrap")) {
            throw new InvalidOptionException("options --bootstrap and --file are needed");
        }
        return given;
    }

    private static void load(Path path, CatalogTopic topic, PrintStream out)
            throws IOException, InvalidCatalogException, InterruptedException, ExecutionException {
        CatalogFile file;
        try (Reader text = Files.newBufferedReader(path)) {
            file = CatalogFile.read(String.valueOf(path.getFileName()), text);
        }
        List<ServiceCatalogEntry> changes = CatalogChanges.between(topic.read(), file);
        topic.write(changes);
        for (ServiceCatalogEntry change : changes) {
            out.println(
                    (change.deleted() ? "withdrawn " : "loaded ")
                            + change.topicKey()
                            + " version "
                            + change.catalogVersion());
        }
        out.println(
                file.entries().size()
                        + " services in "
                        + path.getFileName()
                        + ", "
                        + changes.size()
                        + " changes written");
    }
}
