package io.quotascope.validate;

import io.quotascope.validate.estimate.Estimator;
import io.quotascope.validate.estimators.Registry;
import io.quotascope.validate.population.Development;
import io.quotascope.validate.population.Holdout;
import io.quotascope.validate.population.Population;
import io.quotascope.validate.population.RecordedTraces;
import io.quotascope.validate.population.Subject;
import io.quotascope.validate.report.Markdown;
import io.quotascope.validate.report.Scatter;
import io.quotascope.validate.score.Collapse;
import io.quotascope.validate.score.CollapseBounds;
import io.quotascope.validate.score.Configuration;
import io.quotascope.validate.score.Findings;
import io.quotascope.validate.score.LoadedHost;
import io.quotascope.validate.score.Point;
import io.quotascope.validate.score.Ramp;
import io.quotascope.validate.score.Rebuilt;
import io.quotascope.validate.score.RecordedKernel;
import io.quotascope.validate.score.Savings;
import io.quotascope.validate.score.WorkedExamples;
import io.quotascope.validate.truth.TruthCache;
import io.quotascope.validate.truth.Truths;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Judges every estimator on a population and writes the table: see {@code make validate}. */
public final class Validate {
    private static final int CONFIGURED = 100;

    /** Services that are put on loaded hosts. */
    private static final int HOSTED = 40;

    private static final int RAMPED = 40;

    /** Services whose truth is found once more, to know its own noise. */
    private static final int REPEATED = 40;

    /** No judged service takes part in a fit: constants of savings come from those after these. */
    public static final int TUNABLE = 96;

    private static final Path RECORDED = Path.of("schemas/golden/recorded/kernel_runs.txt");

    private Validate() {}

    /** Runs; a wrong command line ends with status 2 and one line. */
    public static void main(String[] arguments) throws IOException {
        Options options;
        try {
            options = Options.parse(arguments);
        } catch (IllegalArgumentException wrong) {
            System.err.println("validate: " + wrong.getMessage());
            System.exit(2);
            return;
        }
        run(options);
    }

    private static void run(Options options) throws IOException {
        Population population = population(options);
        Truths truths =
                new Truths(
                        new TruthCache(
                                Path.of("streaming/validate/target/truth", population.name())));
        List<Estimator> estimators = Registry.all();
        Findings findings = new Findings();
        WorkedExamples.score(findings);
        RecordedKernel.score(RECORDED, findings);
        if (options.only().contains("configuration")) {
            new Configuration(truths, estimators, findings).score(population.configured());
        }
        if (options.only().contains("rebuilt")) {
            new Rebuilt(truths, findings).score(population.configured());
            new LoadedHost(truths, findings)
                    .score(first(share(HOSTED, options), population.configured()));
        }
        if (options.only().contains("collapse")) {
            new Collapse(truths, estimators, findings).score(population.collapsible());
            new CollapseBounds(truths, findings)
                    .score(first(share(REPEATED, options), population.collapsible()));
        }
        if (options.only().contains("ramp")) {
            List<Subject> ramped = first(share(RAMPED, options), population.collapsible());
            new Ramp(truths, estimators, findings).score(ramped);
        }
        if (options.only().contains("savings")) {
            new Savings(truths, estimators, findings).score(population.tunable());
        }
        write(options, population, findings);
    }

    private static List<Subject> first(int count, List<Subject> subjects) {
        return subjects.subList(0, Math.min(count, subjects.size()));
    }

    private static Population population(Options options) {
        int configured = share(CONFIGURED, options);
        int tunable = share(TUNABLE, options);
        int each = share(Judged.BLOCK, options);
        if (options.population().equals("development")) {
            Population drawn = Development.of(configured, Judged.drawn(each), tunable);
            return drawn.with(Judged.among(drawn.collapsible(), each));
        }
        return Holdout.of(RecordedTraces.read(options.traces()), configured, 2 * each, tunable);
    }

    private static int share(int size, Options options) {
        return (int) Math.max(1, Math.round(size * options.scale()));
    }

    private static void write(Options options, Population population, Findings findings)
            throws IOException {
        String table = Markdown.table(findings.rows());
        System.out.print(table);
        Path folder = options.out().toAbsolutePath().getParent();
        Files.createDirectories(folder);
        StringBuilder text =
                new StringBuilder(
                        "# Validation: the "
                                + population.name()
                                + " population\n\n"
                                + ABOUT
                                + "\n"
                                + table);
        for (String plot : findings.points().stream().map(Point::plot).distinct().toList()) {
            String name =
                    "validation-"
                            + population.name()
                            + '-'
                            + plot.replaceAll("[^a-z]+", "-")
                            + ".svg";
            Files.writeString(
                    folder.resolve(name),
                    Scatter.svg(
                            plot,
                            findings.points().stream()
                                    .filter(p -> p.plot().equals(plot))
                                    .toList()));
            text.append("\n![").append(plot).append("](").append(name).append(")\n");
        }
        Files.writeString(options.out(), text);
    }

    private static final String ABOUT =
            """
            For whoever asks how good the judgements are. Written by `make validate`; every number can be had again by running it.
            Rows with a kernel as their oracle come first; what real changes did is in [validation-kernel.md](validation-kernel.md).
            Elsewhere the truth is a simulated service (docs/model/cfs-simulator.md); estimators see only what production records hold.
            The collapse load of a simulated service is that at which most of 15 runs of 40 s with different requests collapse, its capacity that of most of five runs; rows "truth" and "bound" say how well that repeats, and what a second such answer would score as an estimator.
            No judged service took part in choosing lines, half widths, thresholds or constants of savings ([the journal](../journal/2026-11-22-what-the-price-may-be.md)), nor in the choice of what the cliff is asked of and of its half widths ([the journal](../journal/2026-11-22-how-long-throttling-lasts.md)).
            An AUC stands beside its standard error by services, which 200 drawings of as many of them give. Errors of multiples are absolute differences of logarithms. "time-out known" means from the catalog. Baselines have no line to meet.
            """;
}
