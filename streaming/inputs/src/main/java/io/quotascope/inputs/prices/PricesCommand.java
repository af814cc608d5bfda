package io.quotascope.inputs.prices;

import io.quotascope.console.InvalidInputException;
import io.quotascope.console.KafkaPlace;
import io.quotascope.domain.savings.PriceBook;
import io.quotascope.inputs.text.InputFile;
import io.quotascope.inputs.topic.InputTopics;
import io.quotascope.inputs.topic.TopicLog;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The price book. */
@Command(name = "prices", description = "What cores and memory cost.")
public final class PricesCommand {
    @Spec private CommandSpec spec;

    @Command(
            name = "load",
            mixinStandardHelpOptions = true,
            description =
                    "Makes the book in force what the file says, in a new version if anything changed.")
    int load(
            @Mixin KafkaPlace place,
            @Parameters(paramLabel = "FILE", description = "price book, .yaml") Path path)
            throws IOException, InvalidInputException, InterruptedException, ExecutionException {
        PriceBook stated = PriceBookFile.of(InputFile.read(path, PriceBookFile.FORM));
        TopicLog<PriceBook> topic = InputTopics.prices(place);
        Optional<PriceBook> known =
                topic.read().stream().max(Comparator.comparingLong(PriceBook::version));
        PrintWriter out = spec.commandLine().getOut();
        Optional<PriceBook> next = next(known, stated);
        if (next.isPresent()) {
            topic.write(List.of(next.get()));
        }
        out.println(
                stated.prices().size()
                        + " prices in "
                        + path.getFileName()
                        + ", price book version "
                        + next.or(() -> known).orElseThrow().version()
                        + (next.isPresent() ? " written" : " says the same already"));
        return 0;
    }

    /** The book to write: the next version; none when the known one says the same. */
    static Optional<PriceBook> next(Optional<PriceBook> known, PriceBook stated) {
        long version = known.map(PriceBook::version).orElse(0L);
        boolean same =
                known.isPresent()
                        && known.get().prices().equals(stated.prices())
                        && known.get().note().equals(stated.note());
        return same
                ? Optional.empty()
                : Optional.of(new PriceBook(version + 1, stated.prices(), stated.note()));
    }
}
