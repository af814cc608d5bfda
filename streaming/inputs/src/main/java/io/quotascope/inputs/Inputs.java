package io.quotascope.inputs;

import io.quotascope.console.Shell;
import io.quotascope.inputs.catalog.CatalogCommand;
import io.quotascope.inputs.changes.ChangeCommand;
import io.quotascope.inputs.ledger.RecommendationCommand;
import io.quotascope.inputs.load.LoadCommand;
import io.quotascope.inputs.prices.PricesCommand;
import picocli.CommandLine;
import picocli.CommandLine.Command;

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
    private Inputs() {}

    /** Runs the command and ends the process. */
    public static void main(String[] args) {
        Shell.run(commandLine(), args);
    }

    /** The command line with its way to tell faults. */
    public static CommandLine commandLine() {
        return Shell.of(new Inputs());
    }
}
