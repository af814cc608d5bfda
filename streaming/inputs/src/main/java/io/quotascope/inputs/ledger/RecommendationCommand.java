package io.quotascope.inputs.ledger;

import io.quotascope.console.InvalidInputException;
import io.quotascope.console.KafkaPlace;
import io.quotascope.domain.ledger.IllegalStepException;
import io.quotascope.domain.ledger.Proposal;
import io.quotascope.domain.ledger.Recommendation;
import io.quotascope.domain.ledger.Recommendation.Step;
import io.quotascope.inputs.Rows;
import io.quotascope.inputs.text.Fields;
import io.quotascope.inputs.text.InputFile;
import io.quotascope.inputs.topic.InputTopics;
import io.quotascope.inputs.topic.TopicLog;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The recommendation ledger. */
@Command(
        name = "recommendation",
        description = "What was advised, what was answered, and what became of it.")
public final class RecommendationCommand {
    @Spec private CommandSpec spec;

    /** Which entry is meant and who answers. */
    static final class Answer {
        @Mixin KafkaPlace place;

        @Parameters(paramLabel = "ID", description = "recommendation_id")
        String id;

        @Option(names = "--service", description = "service, where several have this id")
        Optional<String> service = Optional.empty();

        @Option(names = "--by", required = true, description = "who answers")
        String actor;

        @Option(names = "--at", description = "instant, such as 2026-11-22T10:00:00Z; else now")
        Optional<String> at = Optional.empty();

        Step step(Optional<String> reason) throws InvalidInputException {
            try {
                long atUs = Fields.instantUsOf(at.orElse(Instant.now().toString()));
                return new Step(atUs, Optional.of(actor), reason);
            } catch (DateTimeParseException e) {
                throw new InvalidInputException(
                        "--at must be an instant such as 2026-11-22T10:00:00Z or a day, found "
                                + at.orElse(""));
            }
        }
    }

    /** One step from an entry to its next version. */
    private interface Taking {
        Recommendation of(Recommendation entry, Ledger ledger)
                throws IllegalStepException, InvalidInputException;
    }

    @Command(
            name = "list",
            mixinStandardHelpOptions = true,
            description = "Shows every entry as it stands.")
    int list(
            @Mixin KafkaPlace place,
            @Option(names = "--state", description = "only those in this state")
                    Optional<String> state,
            @Option(names = "--service", description = "only those of this service")
                    Optional<String> service)
            throws InvalidInputException {
        PrintWriter out = spec.commandLine().getOut();
        out.printf(
                Locale.ROOT,
                "%-10s %-28s %-30s %10s %10s  %s%n",
                "state",
                "id",
                "service",
                "cores",
                "credited",
                "setting");
        for (Recommendation each : new Ledger(InputTopics.ledger(place).read()).entries()) {
            if (state.map(each.state().label()::equals).orElse(true)
                    && service.map(each.advice().service()::equals).orElse(true)) {
                out.printf(
                        Locale.ROOT,
                        "%-10s %-28s %-30s %10s %10.2f  %s%n",
                        each.state().label(),
                        each.advice().recommendationId(),
                        each.advice().cluster() + '/' + each.advice().service(),
                        each.forecast()
                                .reclaimableCores()
                                .map(cores -> String.format(Locale.ROOT, "%.2f", cores.value()))
                                .orElse("-"),
                        each.credited().cores(),
                        each.advice().settingText());
            }
        }
        return 0;
    }

    @Command(
            name = "propose",
            mixinStandardHelpOptions = true,
            description =
                    "Adds what the newest estimate of a service's savings advises, or the recommendations"
                            + " of a file, for somebody to answer.")
    int propose(
            @Mixin KafkaPlace place,
            @Mixin Estimated estimated,
            @Option(names = "--by", description = "who proposes") Optional<String> actor,
            @Parameters(
                            paramLabel = "FILE",
                            arity = "0..1",
                            description = "recommendations, .yaml or .csv; instead of --service")
                    Optional<Path> path)
            throws IOException, InvalidInputException, InterruptedException, ExecutionException {
        if (path.isPresent() == estimated.service.isPresent()) {
            throw new InvalidInputException("give either a file, or --cluster and --service");
        }
        return path.isPresent()
                ? fromFile(
                        place,
                        path.get(),
                        (ledger, stated) -> ledger.propose(stated, nowUs(), actor))
                : fromEstimates(place, estimated, actor);
    }

    /** Whose estimates are meant. */
    static final class Estimated {
        @Option(names = "--cluster", description = "cluster of the service")
        Optional<String> cluster = Optional.empty();

        @Option(names = "--service", description = "service whose newest estimate is proposed")
        Optional<String> service = Optional.empty();

        @Option(names = "--quota-class", description = "one class of it; else each")
        Optional<String> quotaClass = Optional.empty();

        @Option(names = "--fix-set", description = "this set of fixes; else the best one")
        Optional<String> fixSet = Optional.empty();

        @Option(names = "--origin", description = "measured (default), replayed or simulated")
        String origin = "measured";
    }

    private int fromEstimates(KafkaPlace place, Estimated asked, Optional<String> actor)
            throws InvalidInputException, InterruptedException, ExecutionException {
        String cluster =
                asked.cluster.orElseThrow(
                        () -> new InvalidInputException("--service needs --cluster"));
        Estimates estimates =
                new Estimates(
                        InputTopics.estimates(place).read(),
                        asked.origin,
                        cluster,
                        asked.service.orElseThrow());
        TopicLog<Recommendation> topic = InputTopics.ledger(place);
        Ledger ledger = new Ledger(topic.read());
        for (Proposal proposal : estimates.chosen(asked.quotaClass, asked.fixSet)) {
            try {
                ledger.propose(
                        proposal.advice().orElseThrow(),
                        estimates.forecast(proposal),
                        nowUs(),
                        actor);
            } catch (IllegalStepException refused) {
                throw new InvalidInputException(refused.getMessage());
            }
        }
        write(topic, ledger);
        return 0;
    }

    @Command(
            name = "import",
            mixinStandardHelpOptions = true,
            description =
                    "Adds recommendations that were accepted elsewhere; each needs an owner. A wrong one"
                            + " is left out and named.")
    int importAccepted(
            @Mixin KafkaPlace place,
            @Option(names = "--by", description = "who imports") Optional<String> actor,
            @Parameters(paramLabel = "FILE", description = "recommendations, .yaml or .csv")
                    Path path)
            throws IOException, InvalidInputException, InterruptedException, ExecutionException {
        return fromFile(
                place, path, (ledger, stated) -> ledger.importAccepted(stated, nowUs(), actor));
    }

    @Command(
            name = "accept",
            mixinStandardHelpOptions = true,
            description = "Somebody will do it: freezes its prediction and credits its cores.")
    int accept(
            @Mixin Answer answer,
            @Option(names = "--owner", required = true, description = "who carries it out")
                    String owner)
            throws InvalidInputException, InterruptedException, ExecutionException {
        Step step = answer.step(Optional.empty());
        return take(answer, (entry, ledger) -> entry.accept(ledger.entries(), owner, step));
    }

    @Command(
            name = "reject",
            mixinStandardHelpOptions = true,
            description = "Nobody will do it; the reason is kept.")
    int reject(
            @Mixin Answer answer,
            @Option(names = "--reason", required = true, description = "why") String reason)
            throws InvalidInputException, InterruptedException, ExecutionException {
        Step step = answer.step(Optional.of(reason));
        return take(answer, (entry, ledger) -> entry.reject(step));
    }

    @Command(
            name = "applied",
            mixinStandardHelpOptions = true,
            description = "It is carried out; tell the change as well (change add).")
    int applied(@Mixin Answer answer)
            throws InvalidInputException, InterruptedException, ExecutionException {
        Step step = answer.step(Optional.empty());
        return take(answer, (entry, ledger) -> entry.apply(step));
    }

    private int take(Answer answer, Taking taking)
            throws InvalidInputException, InterruptedException, ExecutionException {
        TopicLog<Recommendation> topic = InputTopics.ledger(answer.place);
        Ledger ledger = new Ledger(topic.read());
        try {
            ledger.add(taking.of(ledger.find(answer.service, answer.id), ledger));
        } catch (IllegalStepException refused) {
            throw new InvalidInputException(refused.getMessage());
        }
        write(topic, ledger);
        return 0;
    }

    /** What is done with each recommendation of a file. */
    private interface Adding {
        void to(Ledger ledger, RecommendationFields.Stated stated)
                throws IllegalStepException, InvalidInputException;
    }

    private int fromFile(KafkaPlace place, Path path, Adding adding)
            throws IOException, InvalidInputException, InterruptedException, ExecutionException {
        List<Fields> entries = InputFile.read(path, RecommendationFields.FORM).entries();
        TopicLog<Recommendation> topic = InputTopics.ledger(place);
        Ledger ledger = new Ledger(topic.read());
        Rows<RecommendationFields.Stated> rows =
                Rows.of(
                        entries,
                        fields -> {
                            RecommendationFields.Stated stated = RecommendationFields.read(fields);
                            try {
                                adding.to(ledger, stated);
                            } catch (IllegalStepException refused) {
                                throw fields.fault("recommendation_id", refused.getMessage());
                            }
                            return stated;
                        },
                        spec.commandLine().getErr());
        write(topic, ledger);
        return rows.status();
    }

    private void write(TopicLog<Recommendation> topic, Ledger ledger)
            throws InvalidInputException, InterruptedException, ExecutionException {
        topic.write(ledger.steps());
        PrintWriter out = spec.commandLine().getOut();
        for (Recommendation each : ledger.steps()) {
            out.printf(
                    Locale.ROOT,
                    "%s %s version %d, %.2f cores credited%n",
                    each.state().label(),
                    each.key(),
                    each.version(),
                    each.credited().cores());
        }
        out.println(ledger.steps().size() + " steps written");
    }

    private static long nowUs() {
        return Fields.instantUsOf(Instant.now().toString());
    }
}
