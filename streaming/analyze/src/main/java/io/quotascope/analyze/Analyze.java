package io.quotascope.analyze;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command: one file of recorded usage in, a report out. */
@Command(
        name = "analyze",
        mixinStandardHelpOptions = true,
        version = "analyze 0.1.0",
        description = {
            "Says what a CPU quota does to one service, from a recording of its CPU usage.",
            "",
            "FILE is either windows as a collector encodes them (cgroupreplay windows --avro), or"
                    + " comma-separated slices with a column usage_us, usage_ns or used_cores and"
                    + " optionally elapsed_us, slot, runnable_threads, periods,"
                    + " throttled_periods, throttled_us."
        },
        sortOptions = false,
        footer = {
            "",
            "Exit codes: 0 a report was made, 1 the file cannot be used, 2 the command line is"
                    + " wrong."
        })
public final class Analyze implements Callable<Integer> {
    /** How a report is shown. */
    enum Format {
        TEXT,
        JSON,
        HTML
    }

    @Spec private CommandSpec spec;

    @Parameters(paramLabel = "FILE", description = "recorded usage")
    private Path file;

    @Option(
            names = "--format",
            defaultValue = "TEXT",
            description = "text, json or html (default: text)")
    private Format format;

    @Option(names = "--out", paramLabel = "FILE", description = "write the report here")
    private Optional<Path> out = Optional.empty();

    @Mixin private SubjectOptions options;

    /** Runs the command and ends the process. */
    public static void main(String[] args) {
        // Avro loads generated classes of listed packages only.
        System.setProperty("org.apache.avro.SERIALIZABLE_PACKAGES", "io.quotascope.wire.avro");
        System.exit(commandLine().execute(args));
    }

    static CommandLine commandLine() {
        return new CommandLine(new Analyze()).setCaseInsensitiveEnumValuesAllowed(true);
    }

    @Override
    public Integer call() {
        PrintWriter errors = spec.commandLine().getErr();
        try {
            Report report = report();
            String page =
                    switch (format) {
                        case TEXT -> TextPage.of(report);
                        case JSON -> JsonPage.of(report);
                        case HTML -> HtmlPage.of(report);
                    };
            write(page);
            return 0;
        } catch (UnusableInputException fault) {
            errors.println("analyze: " + fault.getMessage());
        } catch (NoSuchFileException missing) {
            errors.println("analyze: " + missing.getFile() + ": there is no such file");
        } catch (IOException | UncheckedIOException unreadable) {
            errors.println("analyze: " + unreadable.getMessage());
        }
        return 1;
    }

    private Report report() throws IOException, UnusableInputException {
        Subject subject = options.subject(file);
        Optional<Analysis> analysis = Analysis.of(subject);
        if (analysis.isEmpty()) {
            throw new UnusableInputException(file.toString(), "its windows hold no samples");
        }
        return ReportOf.report(analysis.get());
    }

    private void write(String page) throws IOException {
        if (out.isPresent()) {
            Files.writeString(out.get(), page);
            return;
        }
        PrintWriter terminal = spec.commandLine().getOut();
        terminal.print(page);
        terminal.flush();
    }
}
