package io.quotascope.jobs.catalog;

import io.quotascope.domain.fleet.ServiceCatalogEntry;
import io.quotascope.jobs.io.kafka.KafkaConnection;
import io.quotascope.jobs.io.kafka.KafkaOptions;
import io.quotascope.jobs.io.options.InvalidOptionException;
import java.io.IOException;
import java.io.PrintStream;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.flink.configuration.Configuration;
import org.apache.kafka.common.KafkaException;

/**
 * Makes the topic of the service catalog say what a YAML file says: {@code CatalogLoader --bootstrap HOST:PORT --file CATALOG.yaml [--topic NAME] [--client-file
 * FILE]}. Running it again changes nothing. Exit status: 0 done, 1 Kafka is not there, 2 arguments or file have to be corrected.
 */
public final class CatalogLoader {
    private static final int DONE = 0;
    private static final int NO_KAFKA = 1;
    private static final int TO_CORRECT = 2;
    private static final Map<String, String> ARGUMENTS =
            Map.of("--bootstrap", KafkaOptions.BOOTSTRAP.key(), "--topic", KafkaOptions.SERVICE_CATALOG.key(), "--client-file", KafkaOptions.CLIENT_FILE.key());

    private CatalogLoader() {}

    /** Loads and exits. */
    public static void main(String[] args) throws InterruptedException {
        System.exit(run(args, System.out, System.err));
    }

    static int run(String[] args, PrintStream out, PrintStream err) throws InterruptedException {
        try {
            Map<String, String> settings = new LinkedHashMap<>();
            Path file = arguments(args, settings);
            Configuration config = Configuration.fromMap(settings);
            load(file, new CatalogTopic(KafkaConnection.from(config), KafkaConnection.topic(config, KafkaOptions.SERVICE_CATALOG)), out);
            return DONE;
        } catch (InvalidOptionException | InvalidCatalogException e) {
            err.println(e.getMessage());
            return TO_CORRECT;
        } catch (IOException e) {
            err.println("cannot read the catalog: " + (e instanceof NoSuchFileException ? "there is no file " + e.getMessage() : e));
            return TO_CORRECT;
        } catch (KafkaException | ExecutionException e) {
            err.println("the catalog is not loaded, Kafka did not answer: " + e);
            return NO_KAFKA;
        }
    }

    private static Path arguments(String[] args, Map<String, String> settings) {
        Path file = null;
        for (int i = 0; i < args.length; i += 2) {
            if (i + 1 == args.length) {
                throw new InvalidOptionException("option " + args[i] + " has no value");
            }
            if (args[i].equals("--file")) {
                file = Path.of(args[i + 1]);
            } else if (ARGUMENTS.containsKey(args[i])) {
                settings.put(ARGUMENTS.get(args[i]), args[i + 1]);
            } else {
                throw new InvalidOptionException("unknown option " + args[i] + ", expected --bootstrap, --file, --topic or --client-file");
            }
        }
        if (file == null || !settings.containsKey(KafkaOptions.BOOTSTRAP.key())) {
            throw new InvalidOptionException("options --bootstrap and --file are needed");
        }
        return file;
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
            out.println((change.deleted() ? "withdrawn " : "loaded ") + change.topicKey() + " version " + change.catalogVersion());
        }
        out.println(file.entries().size() + " services in " + path.getFileName() + ", " + changes.size() + " changes written");
    }
}
