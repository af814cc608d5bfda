package io.quotascope.oracle;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.quotascope.domain.fleet.ServiceCatalogEntry;
import io.quotascope.domain.load.ConcurrencyCost;
import io.quotascope.domain.savings.Kappa;
import io.quotascope.domain.savings.PriceBook;
import io.quotascope.domain.window.ServiceKey;
import io.quotascope.domain.window.ServiceWindow;
import io.quotascope.wire.Codecs;
import io.quotascope.wire.CollapseRisks;
import io.quotascope.wire.RecordCodec;
import io.quotascope.wire.SavingsEstimates;
import io.quotascope.wire.WhatIfOutcomes;
import java.io.BufferedInputStream;
import java.io.BufferedWriter;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.apache.avro.Schema;
import org.apache.avro.specific.SpecificRecord;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command: a dump in, three files of rows out. */
@Command(
        name = "oracle",
        description =
                "Writes the rows that the jobs of risk, what-if and savings must have written, one JSON object a line.")
public final class Oracle implements Callable<Integer> {
    @Option(
            names = "--windows",
            required = true,
            description =
                    "values of topic service-windows.v1: for each its length (4 bytes, big-endian) and its bytes")
    private Path windows;

    @Option(names = "--catalog", description = "values of topic service-catalog.v1, the same way")
    private Optional<Path> catalog = Optional.empty();

    @Option(names = "--prices", description = "values of topic price-book.v1, the same way")
    private Optional<Path> prices = Optional.empty();

    @Option(
            names = "--costs",
            description =
                    "values of topic concurrency-costs.v1, the same way; the last of each holds")
    private Optional<Path> costs = Optional.empty();

    @Option(names = "--out", required = true, description = "folder of the rows, made if missing")
    private Path out;

    @Option(names = "--turn-minutes", description = "as analysis.turn-minutes of the jobs")
    private int turnMinutes = Judgements.Options.DEFAULT.turnMinutes();

    @Option(names = "--host-cpus", description = "as analysis.host-cpus of the jobs")
    private double hostCpus = Judgements.Options.DEFAULT.hostCpus();

    private final ObjectMapper json = new ObjectMapper();

    /** Runs the command. */
    public static void main(String[] args) {
        // Avro makes objects only of classes it is told to trust.
        System.setProperty("org.apache.avro.SERIALIZABLE_PACKAGES", "io.quotascope.wire.avro");
        System.exit(new CommandLine(new Oracle()).execute(args));
    }

    @Override
    public Integer call() throws IOException {
        Judgements.Options jobs = Judgements.Options.DEFAULT;
        Judgements.Options options =
                new Judgements.Options(
                        turnMinutes,
                        jobs.riskMovedMinutes(),
                        jobs.whatIfMovedMinutes(),
                        jobs.savingsMovedMinutes(),
                        jobs.evidenceMinutes(),
                        jobs.horizonMinutes(),
                        hostCpus);
        Map<String, ServiceCatalogEntry> entries = entries();
        Optional<PriceBook> book = book();
        List<ConcurrencyCost> known =
                costs.isEmpty() ? List.of() : read(costs.get(), Codecs.CONCURRENCY_COSTS);
        Map<ServiceKey, List<ServiceWindow>> services = new LinkedHashMap<>();
        for (ServiceWindow row : read(windows, Codecs.SERVICE_WINDOWS)) {
            services.computeIfAbsent(row.sums().key(), key -> new ArrayList<>()).add(row);
        }
        Files.createDirectories(out);
        try (BufferedWriter risks = Files.newBufferedWriter(out.resolve("collapse_risks.jsonl"));
                BufferedWriter outcomes =
                        Files.newBufferedWriter(out.resolve("what_if_outcomes.jsonl"));
                BufferedWriter savings =
                        Files.newBufferedWriter(out.resolve("savings_estimates.jsonl"))) {
            for (Map.Entry<ServiceKey, List<ServiceWindow>> service : services.entrySet()) {
                ServiceKey key = service.getKey();
                Judgements judgements =
                        new Judgements(
                                options,
                                Optional.ofNullable(
                                        entries.get(
                                                ServiceCatalogEntry.topicKey(
                                                        key.cluster(), key.service()))),
                                book,
                                known.stream()
                                        .filter(cost -> cost.isOf(key))
                                        .max(Comparator.comparingLong(ConcurrencyCost::version))
                                        .map(ConcurrencyCost::asKappa)
                                        .orElse(Kappa.PRIOR));
                List<ServiceWindow> rows = service.getValue();
                write(judgements.risks(rows).stream().map(CollapseRisks::toAvro).toList(), risks);
                write(
                        judgements.outcomes(rows).stream().map(WhatIfOutcomes::toAvro).toList(),
                        outcomes);
                write(
                        judgements.savings(rows).stream().map(SavingsEstimates::toAvro).toList(),
                        savings);
            }
        }
        return 0;
    }

    private Map<String, ServiceCatalogEntry> entries() throws IOException {
        Map<String, ServiceCatalogEntry> newest = new HashMap<>();
        if (catalog.isPresent()) {
            for (ServiceCatalogEntry entry : read(catalog.get(), Codecs.CATALOG_ENTRIES)) {
                newest.merge(
                        entry.topicKey(),
                        entry,
                        (one, other) ->
                                one.catalogVersion() > other.catalogVersion() ? one : other);
            }
        }
        newest.values().removeIf(ServiceCatalogEntry::deleted);
        return newest;
    }

    private Optional<PriceBook> book() throws IOException {
        return prices.isEmpty()
                ? Optional.empty()
                : read(prices.get(), Codecs.PRICE_BOOKS).stream()
                        .max(Comparator.comparingLong(PriceBook::version));
    }

    private static <T> List<T> read(Path file, RecordCodec<T> codec) throws IOException {
        List<T> records = new ArrayList<>();
        try (DataInputStream input =
                new DataInputStream(new BufferedInputStream(Files.newInputStream(file)))) {
            while (input.available() > 0) {
                byte[] framed = new byte[input.readInt()];
                input.readFully(framed);
                records.add(codec.decode(framed).orElseThrow());
            }
        }
        return records;
    }

    private void write(List<? extends SpecificRecord> rows, BufferedWriter file)
            throws IOException {
        for (SpecificRecord row : rows) {
            ObjectNode object = json.createObjectNode();
            for (Schema.Field field : row.getSchema().getFields()) {
                Object value = row.get(field.pos());
                object.set(
                        field.name(),
                        json.valueToTree(value instanceof Enum<?> word ? word.toString() : value));
            }
            file.write(json.writeValueAsString(object));
            file.newLine();
        }
    }
}
