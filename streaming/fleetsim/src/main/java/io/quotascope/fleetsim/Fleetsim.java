package io.quotascope.fleetsim;

import io.quotascope.fleetsim.door.ClockCommand;
import io.quotascope.fleetsim.door.RawCommand;
import io.quotascope.fleetsim.door.WeekCommand;
import java.io.IOException;
import java.io.PrintWriter;
import org.apache.kafka.common.KafkaException;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IExecutionExceptionHandler;

/** The command: a synthetic fleet of which everything is known. */
@Command(
        name = "fleetsim",
        mixinStandardHelpOptions = true,
        version = "fleetsim 0.1.0",
        description = {
            "A seeded synthetic fleet with its ground truth, for scale and for judging judgements.",
            "Every record says origin = simulated."
        },
        subcommands = {WeekCommand.class, RawCommand.class, ClockCommand.class},
        footer = {
            "",
            "Exit codes: 0 done, 1 Kafka does not answer, 2 the command line or a file has to be"
                    + " corrected."
        })
public final class Fleetsim {
    static final int NOT_THERE = 1;
    static final int TO_CORRECT = 2;

    private Fleetsim() {}

    /** Runs the command and ends the process. */
    public static void main(String[] args) {
        // Avro loads generated classes of listed packages only.
        System.setProperty("org.apache.avro.SERIALIZABLE_PACKAGES", "io.quotascope.wire.avro");
        // No log is wanted from a command that says in one line what it did.
        System.setProperty("slf4j.internal.verbosity", "ERROR");
        System.exit(commandLine().execute(args));
    }

    /** The command line with its way to tell faults. */
    public static CommandLine commandLine() {
        return new CommandLine(new Fleetsim()).setExecutionExceptionHandler(told());
    }

    private static IExecutionExceptionHandler told() {
        return (fault, command, parsed) -> {
            PrintWriter errors = command.getErr();
            if (fault instanceof IllegalArgumentException) {
                errors.println(fault.getMessage());
                return TO_CORRECT;
            }
            if (fault instanceof KafkaException) {
                errors.println("nothing more is written, Kafka did not answer: " + fault);
                return NOT_THERE;
            }
            if (fault instanceof IOException) {
                errors.println("cannot read or write: " + fault);
                return TO_CORRECT;
            }
            throw fault;
        };
    }
}
