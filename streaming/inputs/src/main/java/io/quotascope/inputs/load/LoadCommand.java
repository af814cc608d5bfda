package io.quotascope.inputs.load;

import io.quotascope.console.InvalidInputException;
import io.quotascope.console.KafkaPlace;
import io.quotascope.console.Shell;
import io.quotascope.domain.load.ServiceLoad;
import io.quotascope.domain.window.Origin;
import io.quotascope.inputs.Rows;
import io.quotascope.inputs.text.Fields;
import io.quotascope.inputs.text.InputFile;
import io.quotascope.inputs.topic.InputTopics;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Requests of services. */
@Command(name = "load", description = "How many requests a service answered, and how fast.")
public final class LoadCommand {
    private static final long MINUTE_US = ServiceLoad.WINDOW_US;

    @Spec private CommandSpec spec;

    @Command(
            name = "import-csv",
            mixinStandardHelpOptions = true,
            description = "Takes minutes from a file; a wrong line is left out and named.")
    int importCsv(
            @Mixin KafkaPlace place,
            @Option(
                            names = "--version-of-import",
                            defaultValue = "1",
                            description =
                                    "rises when minutes are imported anew with other numbers (default: 1)")
                    long version,
            @Parameters(paramLabel = "FILE", description = "minutes, .csv or .yaml") Path path)
            throws IOException, InvalidInputException, InterruptedException, ExecutionException {
        Rows<ServiceLoad> rows =
                Rows.of(
                        InputFile.read(path, LoadFields.FORM).entries(),
                        fields -> LoadFields.read(fields, version),
                        spec.commandLine().getErr());
        InputTopics.loads(place).write(rows.sound());
        spec.commandLine().getOut().println(rows.sound().size() + " minutes written");
        return rows.status();
    }

    @Command(
            name = "import-prometheus",
            mixinStandardHelpOptions = true,
            description =
                    "Takes minutes from a Prometheus by the queries of a file; queries that fail are"
                            + " named, and those of other entries are taken.")
    int importPrometheus(
            @Mixin KafkaPlace place,
            @Option(names = "--url", required = true, description = "Prometheus, http://HOST:PORT")
                    URI url,
            @Option(
                            names = "--token-file",
                            paramLabel = "FILE",
                            description = "bearer token to send")
                    Optional<Path> tokenFile,
            @Option(
                            names = "--from",
                            description =
                                    "first minute, such as 2026-11-22T10:00:00Z; else an hour before --until")
                    Optional<String> from,
            @Option(names = "--until", description = "end, exclusive; else two minutes ago")
                    Optional<String> until,
            @Option(
                            names = "--version-of-import",
                            defaultValue = "1",
                            description =
                                    "rises when minutes are imported anew with other numbers (default: 1)")
                    long version,
            @Parameters(paramLabel = "FILE", description = "queries, .yaml") Path path)
            throws IOException, InvalidInputException, InterruptedException, ExecutionException {
        Optional<String> token = Optional.empty();
        if (tokenFile.isPresent()) {
            token = Optional.of(Files.readString(tokenFile.get()).strip());
        }
        PrometheusApi api = new PrometheusApi(url, token);
        // The newest minutes may still be scraped.
        long end =
                until.isPresent()
                        ? instant("--until", until.get())
                        : Fields.instantUsOf(Instant.now().toString()) - 2 * MINUTE_US;
        long begin = from.isPresent() ? instant("--from", from.get()) : end - 60 * MINUTE_US;
        Rows<PrometheusQueries> entries =
                Rows.of(
                        InputFile.read(path, PrometheusQueries.FORM).entries(),
                        PrometheusQueries::read,
                        spec.commandLine().getErr());
        int status = entries.status();
        PrintWriter errors = spec.commandLine().getErr();
        List<ServiceLoad> loads = new ArrayList<>();
        for (PrometheusQueries each : entries.sound()) {
            String where = path.getFileName() + ":" + each.line() + ": ";
            try {
                loads.addAll(
                        new PrometheusImport(api::range, each, Origin.MEASURED, version)
                                .minutes(begin, end));
            } catch (InvalidInputException fault) {
                errors.println(where + fault.getMessage());
                status = Shell.TO_CORRECT;
            } catch (IOException away) {
                errors.println(where + url + " does not answer: " + away);
                status = Math.max(status, Shell.NOT_THERE);
            }
        }
        InputTopics.loads(place).write(loads);
        spec.commandLine().getOut().println(loads.size() + " minutes written");
        return status;
    }

    private static long instant(String option, String text) throws InvalidInputException {
        try {
            return Fields.instantUsOf(text);
        } catch (DateTimeParseException e) {
            throw new InvalidInputException(
                    option + " must be an instant such as 2026-11-22T10:00:00Z, found " + text);
        }
    }
}
