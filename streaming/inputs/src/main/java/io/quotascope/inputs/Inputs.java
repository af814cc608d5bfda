package io.quotascope.inputs;

import io.quotascope.inputs.catalog.CatalogCommand;
import io.quotascope.inputs.changes.ChangeCommand;
import io.quotascope.inputs.ledger.RecommendationCommand;
import io.quotascope.inputs.load.LoadCommand;
import io.quotascope.inputs.prices.PricesCommand;
import io.quotascope.inputs.text.InvalidInputException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.NoSuchFileException;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.common.KafkaException;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IExecutionExceptionHandler;

/** The command: what people and other systems know of services, checked and put on its topics. */
@Command(
        name = "inputs",
        mixinStandardHelpOptions = true,
        version = "inputs 0.1.0",
        description = "Tells the pipeline what it cannot measure.",
        subcommands = {
            CatalogCommand.class,
            PricesCommand.class,
            ChangeCommand.class,
            RecommendationCommand.class,
            LoadCommand.class
        },
        footer = {
            "",
            "Exit codes: 0 done, 1 Kafka or the asked system does not answer, 2 the command line or"
                    + " a file has to be corrected; what was sound in it is written."
        })
public final class Inputs {
    static final int NOT_THERE = 1;
    static final int TO_CORRECT = 2;

    private Inputs() {}

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
        return new CommandLine(new Inputs()).setExecutionExceptionHandler(told());
    }

    private static IExecutionExceptionHandler told() {
        return (fault, command, parsed) -> {
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
        };
    }
}
