package io.quotascope.oracle;

import io.quotascope.domain.analysis.CollapseRisk;
import io.quotascope.domain.fleet.ServiceCatalogEntry;
import io.quotascope.domain.load.ConcurrencyCost;
import io.quotascope.domain.savings.Kappa;
import io.quotascope.domain.savings.PriceBook;
import io.quotascope.domain.window.ServiceKey;
import io.quotascope.domain.window.ServiceWindow;
import io.quotascope.domain.window.WindowPart;
import io.quotascope.wire.Codecs;
import io.quotascope.wire.CollapseRisks;
import io.quotascope.wire.FleetTotals;
import io.quotascope.wire.HostHours;
import io.quotascope.wire.KernelFindings;
import io.quotascope.wire.SavingsEstimates;
import io.quotascope.wire.ServiceHours;
import io.quotascope.wire.TuningOffers;
import io.quotascope.wire.WhatIfOutcomes;
import io.quotascope.wire.avro.SavingsEstimate;
import io.quotascope.wire.avro.TuningRank;
import java.io.BufferedWriter;
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
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command: dumps in, a file of rows a table out. */
@Command(
        name = "oracle",
        description =
                "Writes the rows that the jobs of analyses, hosts and verification must have written, one JSON object a line.")
public final class Oracle implements Callable<Integer> {
    @Option(
            names = "--windows",
            description =
                    "values of topic service-windows.v1: for each its length (4 bytes, big-endian) and its bytes; without them no analyses")
    private Optional<Path> windows = Optional.empty();

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

    @Option(
            names = "--shards",
            description =
                    "accepted shard windows: for each append time and missing numbers before it (8 bytes each, -1 = unknown), length, bytes")
    private Optional<Path> shards = Optional.empty();

    @Option(names = "--hosts", description = "accepted host windows, the same way")
    private Optional<Path> hosts = Optional.empty();

    @Option(names = "--hours", description = "values of topic service-hours.v1")
    private Optional<Path> hours = Optional.empty();

    @Option(names = "--changes", description = "values of topic change-events.v1")
    private Optional<Path> changes = Optional.empty();

    @Option(names = "--ledger", description = "values of topic recommendation-ledger.v1")
    private Optional<Path> ledger = Optional.empty();

    @Option(names = "--loads", description = "values of topic service-load.v1")
    private Optional<Path> loads = Optional.empty();

    @Option(
            names = "--ranks",
            description =
                    "rows of tuning_ranks as framed records, the same way: what each says of its service, and which judgements it rests on")
    private Optional<Path> ranks = Optional.empty();

    @Option(
            names = "--clock-ms",
            description = "how far the log's clock has come, for hosts that are silent")
    private long clockMs;

    @Option(
            names = "--revision",
            description = "as revision of the jobs, for hosts, changes and totals")
    private long revision = 1;

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
        List<ConcurrencyCost> known = Dump.values(costs, Codecs.CONCURRENCY_COSTS);
        Map<ServiceKey, List<ServiceWindow>> services = new LinkedHashMap<>();
        for (ServiceWindow row : Dump.values(windows, Codecs.SERVICE_WINDOWS)) {
            services.computeIfAbsent(row.sums().key(), key -> new ArrayList<>()).add(row);
        }
        Files.createDirectories(out);
        writeHosts();
        writeChanges(entries, book);
        RankWorths worths = new RankWorths();
        FleetJudgements fleet = new FleetJudgements(turnMinutes * WindowPart.MINUTE_US);
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
                List<CollapseRisk> judged = judgements.risks(rows);
                Dump.write(judged.stream().map(CollapseRisks::toAvro).toList(), risks);
                judged.forEach(risk -> worths.offer(TuningOffers.of(risk)));
                Dump.write(
                        judgements.outcomes(rows).stream().map(WhatIfOutcomes::toAvro).toList(),
                        outcomes);
                List<SavingsEstimate> estimates =
                        judgements.savings(rows).stream().map(SavingsEstimates::toAvro).toList();
                Dump.write(estimates, savings);
                estimates.forEach(estimate -> worths.offer(TuningOffers.of(estimate)));
                estimates.forEach(estimate -> FleetTotals.part(estimate).ifPresent(fleet::add));
            }
        }
        writeWorths(worths);
        Dump.write(
                fleet.totals().stream().map(total -> FleetTotals.toAvro(total, revision)).toList(),
                out.resolve("fleet_totals.jsonl"));
        return 0;
    }

    private void writeWorths(RankWorths worths) throws IOException {
        List<TuningRank> weighed = new ArrayList<>();
        Dump.framed(ranks, RankWorths.ROWS).forEach(row -> weighed.addAll(worths.of(row)));
        Dump.write(weighed, out.resolve("tuning_worths.jsonl"));
    }

    private Map<String, ServiceCatalogEntry> entries() throws IOException {
        Map<String, ServiceCatalogEntry> newest = new HashMap<>();
        for (ServiceCatalogEntry entry : Dump.values(catalog, Codecs.CATALOG_ENTRIES)) {
            newest.merge(
                    entry.topicKey(),
                    entry,
                    (one, other) -> one.catalogVersion() > other.catalogVersion() ? one : other);
        }
        newest.values().removeIf(ServiceCatalogEntry::deleted);
        return newest;
    }

    private Optional<PriceBook> book() throws IOException {
        return Dump.values(prices, Codecs.PRICE_BOOKS).stream()
                .max(Comparator.comparingLong(PriceBook::version));
    }

    private void writeHosts() throws IOException {
        HostJudgements judged =
                new HostJudgements(
                        Dump.taken(shards, Codecs.SHARD_WINDOWS),
                        Dump.taken(hosts, Codecs.HOST_REPORTS),
                        clockMs);
        Dump.write(
                judged.hours(revision).stream().map(HostHours::toAvro).toList(),
                out.resolve("host_hours.jsonl"));
        Dump.write(
                judged.findings(revision).stream().map(KernelFindings::toAvro).toList(),
                out.resolve("kernel_findings.jsonl"));
    }

    private void writeChanges(Map<String, ServiceCatalogEntry> entries, Optional<PriceBook> book)
            throws IOException {
        ChangeJudgements judged =
                new ChangeJudgements(
                        Dump.values(hours, ServiceHours.READINGS),
                        Dump.values(changes, Codecs.CHANGE_EVENTS),
                        Dump.values(ledger, Codecs.RECOMMENDATIONS),
                        Dump.values(loads, Codecs.SERVICE_LOADS),
                        entries,
                        book);
        Dump.write(judged.rows(revision), out.resolve("verifications.jsonl"));
    }
}
