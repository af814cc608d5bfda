package io.quotascope.fleetsim.door;

import io.quotascope.console.InvalidInputException;
import io.quotascope.console.KafkaPlace;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Moves the clock of a topic on, where no record does it any more. */
@Command(
        name = "clock",
        mixinStandardHelpOptions = true,
        description =
                "Appends a tick of a simulated instant to every partition of topics, so that what"
                        + " waits for their time goes on.")
public final class ClockCommand implements Callable<Integer> {
    @Mixin private KafkaPlace place;

    @Option(
            names = "--at-ms",
            required = true,
            paramLabel = "MS",
            description = "instant, milliseconds since the Unix epoch")
    private long atMs;

    @Parameters(arity = "1..*", paramLabel = "TOPIC", description = "names of topics")
    private List<String> topics;

    @Override
    public Integer call() throws InvalidInputException {
        try (TopicWriter writer = new TopicWriter(place)) {
            topics.forEach(topic -> writer.tick(topic, atMs));
        }
        return 0;
    }
}
