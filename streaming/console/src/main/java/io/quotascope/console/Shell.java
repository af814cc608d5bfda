package io.quotascope.console;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.NoSuchFileException;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.common.KafkaException;
import picocli.CommandLine;
import picocli.CommandLine.ParseResult;

/** Runs a command and tells a fault in one line: no stack trace for what a person can mend. */
public final class Shell {
    /** Done. */
    public static final int DONE = 0;

    /** Kafka or the asked system does not answer. */
    public static final int NOT_THERE = 1;

    /** The command line or a file has to be corrected. */
    public static final int TO_CORRECT = 2;

    private Shell() {}

    /** Runs the command and ends the process. */
    public static void run(CommandLine command, String... args) {
        // Avro loads generated classes of listed packages only.
        System.setProperty("org.apache.avro.SERIALIZABLE_PACKAGES", "io.quotascope.wire.avro");
        // No log is wanted from a command that says in one line what it did.
        System.setProperty("slf4j.internal.verbosity", "ERROR");
        System.exit(command.execute(args));
    }

    /** The command line with its way to tell faults. */
    public static CommandLine of(Object command) {
        return new CommandLine(command).setExecutionExceptionHandler(Shell::told);
    }

    private static int told(Exception fault, CommandLine command, ParseResult parsed)
            throws Exception {
        PrintWriter errors = command.getErr();
        if (fault instanceof InvalidInputException) {
            errors.println(fault.getMessage());
            return TO_CORRECT;
        }
        if (fault instanceof NoSuchFileException) {
            errors.println("there is no file " + fault.getMessage());
            return TO_CORRECT;
        }
        if (fault instanceof KafkaException || fault instanceof ExecutionException) {
            errors.println("nothing more is written, Kafka did not answer: " + fault);
            return NOT_THERE;
        }
        if (fault instanceof IOException) {
            errors.println("cannot read or write: " + fault);
            return TO_CORRECT;
        }
        throw fault;
    }
}
