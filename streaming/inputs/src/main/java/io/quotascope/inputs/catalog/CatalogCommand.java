package io.quotascope.inputs.catalog;

import io.quotascope.console.InvalidInputException;
import io.quotascope.console.KafkaPlace;
import io.quotascope.domain.fleet.ServiceCatalogEntry;
import io.quotascope.inputs.text.InputFile;
import io.quotascope.inputs.topic.InputTopics;
import io.quotascope.inputs.topic.TopicLog;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The service catalog: loaded from a file, or written from Kubernetes objects. */
@Command(name = "catalog", description = "Who owns which service, and what it reserves.")
public final class CatalogCommand {
    @Spec private CommandSpec spec;

    @Command(
            name = "load",
            mixinStandardHelpOptions = true,
            description =
                    "Makes the topic say what the file says; services of its clusters that it names no"
                            + " more are withdrawn.")
    int load(
            @Mixin KafkaPlace place,
            @Parameters(paramLabel = "FILE", description = "catalog, .yaml or .csv") Path path)
            throws IOException, InvalidInputException, InterruptedException, ExecutionException {
        String name = String.valueOf(path.getFileName());
        CatalogFile file = CatalogFile.of(name, InputFile.read(path, CatalogEntryFields.FORM));
        TopicLog<ServiceCatalogEntry> topic = InputTopics.catalog(place);
        // Withdrawn ones included: a service that comes back must go on counting its versions.
        Map<String, ServiceCatalogEntry> known = new HashMap<>();
        topic.read().forEach(entry -> known.put(entry.topicKey(), entry));
        List<ServiceCatalogEntry> changes = CatalogChanges.between(known, file);
        topic.write(changes);
        PrintWriter out = spec.commandLine().getOut();
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
                        + name
                        + ", "
                        + changes.size()
                        + " changes written");
        return 0;
    }

    @Command(
            name = "from-kubernetes",
            mixinStandardHelpOptions = true,
            description = {
                "Writes a catalog from manifests (YAML, several documents) or from the output of"
                        + " kubectl get -o json.",
                "A service is namespace/workload/container, as collectors name it."
            })
    int fromKubernetes(
            @Parameters(
                            arity = "1..*",
                            paramLabel = "FILE",
                            description = "manifests or kubectl output")
                    List<Path> files,
            @Option(names = "--cluster", required = true, description = "cluster of the services")
                    String cluster,
            @Option(
                            names = "--team-label",
                            defaultValue = "team",
                            description = "label or annotation that names the team (default: team)")
                    String team,
            @Option(
                            names = "--owner-label",
                            defaultValue = "owner",
                            description =
                                    "label or annotation that names the owner (default: owner)")
                    String owner,
            @Option(
                            names = "--price-class-label",
                            defaultValue = "price-class",
                            description =
                                    "label or annotation that names the price class (default: price-class)")
                    String priceClass,
            @Option(
                            names = "--namespace",
                            defaultValue = "default",
                            description = "namespace of objects that state none (default: default)")
                    String namespace,
            @Option(names = "--out", paramLabel = "FILE", description = "write the catalog here")
                    Optional<Path> out)
            throws IOException, InvalidInputException {
        KubernetesServices services =
                new KubernetesServices(
                        new KubernetesServices.Labels(team, owner, priceClass), cluster, namespace);
        for (Path file : files) {
            services.add(String.valueOf(file.getFileName()), Files.readString(file));
        }
        String catalog = services.toCatalog();
        if (out.isPresent()) {
            Files.writeString(out.get(), catalog);
        } else {
            spec.commandLine().getOut().print(catalog);
        }
        spec.commandLine().getErr().println(services.summary());
        return 0;
    }
}
