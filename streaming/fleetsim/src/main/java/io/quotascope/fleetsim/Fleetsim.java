package io.quotascope.fleetsim;

import io.quotascope.console.Shell;
import io.quotascope.fleetsim.door.ClockCommand;
import io.quotascope.fleetsim.door.RawCommand;
import io.quotascope.fleetsim.door.WeekCommand;
import picocli.CommandLine.Command;

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
    private Fleetsim() {}

    /** Runs the command and ends the process. */
    public static void main(String[] args) {
        Shell.run(Shell.of(new Fleetsim()), args);
    }
}
