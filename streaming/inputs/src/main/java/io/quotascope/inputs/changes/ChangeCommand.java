package io.quotascope.inputs.changes;

import io.quotascope.console.InvalidInputException;
import io.quotascope.console.KafkaPlace;
import io.quotascope.domain.verification.ChangeEvent;
import io.quotascope.inputs.Rows;
import io.quotascope.inputs.text.Fields;
import io.quotascope.inputs.text.InputFile;
import io.quotascope.inputs.topic.InputTopics;
import io.quotascope.inputs.topic.TopicLog;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Changes of services. */
@Command(name = "change", description = "What happened to a service, and when.")
public final class ChangeCommand {
    @Spec private CommandSpec spec;

    @Command(
            name = "add",
            mixinStandardHelpOptions = true,
            description = "Tells one change, of one service or of several at once.")
    int add(
            @Mixin KafkaPlace place,
            @Option(names = "--cluster", required = true) String cluster,
            @Option(names = "--service", required = true, description = "may be repeated")
                    List<String> services,
            @Option(
                            names = "--kind",
                            required = true,
                            description =
                                    "deploy, quota, period, burst, shards, kernel, pools, pinning or other")
                    String kind,
            @Option(names = "--at", description = "instant, such as 2026-11-22T10:00:00Z; else now")
                    String at,
            @Option(
                            names = "--set",
                            paramLabel = "NAME=VALUE",
                            description =
                                    "origin, event_id, quota_class, recommendation_id, setting_before,"
                                            + " setting_after, author or note")
                    Map<String, String> further)
            throws InvalidInputException, InterruptedException, ExecutionException {
        List<ChangeEvent> told = new ArrayList<>();
        for (String service : services) {
            Map<String, String> values = new LinkedHashMap<>();
            values.put("cluster", cluster);
            values.put("service", service);
            values.put("kind", kind);
            values.put("changed_at", at == null ? Instant.now().toString() : at);
            if (further != null) {
                values.putAll(further);
            }
            told.add(ChangeFields.read(Fields.ofOptions(values, ChangeFields.FORM)));
        }
        write(place, told);
        return 0;
    }

    @Command(
            name = "import",
            mixinStandardHelpOptions = true,
            description = "Tells the changes of a file; a wrong one is left out and named.")
    int importFile(
            @Mixin KafkaPlace place,
            @Parameters(paramLabel = "FILE", description = "changes, .yaml or .csv") Path path)
            throws IOException, InvalidInputException, InterruptedException, ExecutionException {
        Rows<ChangeEvent> rows =
                Rows.of(
                        InputFile.read(path, ChangeFields.FORM).entries(),
                        ChangeFields::read,
                        spec.commandLine().getErr());
        write(place, rows.sound());
        return rows.status();
    }

    @Command(
            name = "withdraw",
            mixinStandardHelpOptions = true,
            description = "Takes a change back: it did not happen.")
    int withdraw(
            @Mixin KafkaPlace place,
            @Option(names = "--origin", defaultValue = "measured") String origin,
            @Option(names = "--cluster", required = true) String cluster,
            @Option(names = "--service", required = true) String service,
            @Option(names = "--event-id", required = true) String eventId)
            throws InvalidInputException, InterruptedException, ExecutionException {
        TopicLog<ChangeEvent> topic = InputTopics.changes(place);
        String key = origin + '/' + cluster + '/' + service;
        ChangeEvent known =
                new KnownChanges(topic.read())
                        .find(key, eventId)
                        .orElseThrow(
                                () ->
                                        new InvalidInputException(
                                                "there is no change "
                                                        + eventId
                                                        + " of "
                                                        + key
                                                        + "; view change_events lists them"));
        if (known.withdrawn()) {
            spec.commandLine().getOut().println(eventId + " of " + key + " is withdrawn already");
            return 0;
        }
        topic.write(List.of(known.withdraw()));
        spec.commandLine().getOut().println("withdrawn " + eventId + " of " + key);
        return 0;
    }

    private void write(KafkaPlace place, List<ChangeEvent> told)
            throws InvalidInputException, InterruptedException, ExecutionException {
        TopicLog<ChangeEvent> topic = InputTopics.changes(place);
        List<ChangeEvent> changes = new KnownChanges(topic.read()).toWrite(told);
        topic.write(changes);
        for (ChangeEvent each : changes) {
            spec.commandLine()
                    .getOut()
                    .println("told " + each.eventId() + " of " + each.topicKey());
        }
        spec.commandLine()
                .getOut()
                .println(told.size() + " changes read, " + changes.size() + " written");
    }
}
