package io.quotascope.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Faults that a person can mend are one line and an exit code; others keep their stack trace. */
final class ShellTest {
    private record Told(int status, String errors) {}

    @Command(name = "fails")
    private record Fails(Exception fault) implements Callable<Integer> {
        @Override
        public Integer call() throws Exception {
            throw fault;
        }
    }

    @Command(name = "reads")
    private static final class Reads implements Callable<Integer> {
        @Mixin private KafkaPlace place;
        private Optional<Properties> read = Optional.empty();

        @Override
        public Integer call() throws InvalidInputException {
            read = Optional.of(place.properties());
            return Shell.DONE;
        }
    }

    @TempDir private Path folder;

    @Test
    void whatHasToBeCorrectedIsOneLine() {
        assertThat(told(new Fails(new InvalidInputException("prices.yaml:3: no unit"))))
                .isEqualTo(new Told(Shell.TO_CORRECT, "prices.yaml:3: no unit\n"));
        assertThat(told(new Fails(new NoSuchFileException("prices.yaml"))))
                .isEqualTo(new Told(Shell.TO_CORRECT, "there is no file prices.yaml\n"));
        assertThat(told(new Fails(new IOException("disk full"))).status())
                .isEqualTo(Shell.TO_CORRECT);
    }

    @Test
    void kafkaThatDoesNotAnswerIsNoFaultOfTheCommandLine() {
        TimeoutException silent = new TimeoutException("no broker");
        for (Exception fault : new Exception[] {silent, new ExecutionException(silent)}) {
            Told told = told(new Fails(fault));
            assertThat(told.status()).isEqualTo(Shell.NOT_THERE);
            assertThat(told.errors()).contains("no broker").hasLineCount(1);
        }
    }

    @Test
    void aFaultOfOurOwnKeepsItsTrace() {
        assertThat(told(new Fails(new IllegalStateException("wrong"))).errors())
                .contains("IllegalStateException", "ShellTest");
    }

    @Test
    void theBrokersOfTheCommandLineWinOverTheFile() throws IOException {
        Path file = folder.resolve("client.properties");
        Files.writeString(file, "security.protocol=SSL\nbootstrap.servers=elsewhere:1\n");
        Reads reads = new Reads();
        assertThat(told(reads, "--bootstrap", "here:9092", "--client-file", file.toString()))
                .isEqualTo(new Told(Shell.DONE, ""));
        assertThat(reads.read.orElseThrow())
                .containsEntry("security.protocol", "SSL")
                .containsEntry("bootstrap.servers", "here:9092");
    }

    @Test
    void aMissingFileOfSettingsIsNamed() {
        Told told = told(new Reads(), "--bootstrap", "here:9092", "--client-file", "/not/there");
        assertThat(told.status()).isEqualTo(Shell.TO_CORRECT);
        assertThat(told.errors()).contains("/not/there").hasLineCount(1);
    }

    private static Told told(Object command, String... args) {
        StringWriter errors = new StringWriter();
        CommandLine line = Shell.of(command).setErr(new PrintWriter(errors, true));
        return new Told(line.execute(args), errors.toString());
    }
}
