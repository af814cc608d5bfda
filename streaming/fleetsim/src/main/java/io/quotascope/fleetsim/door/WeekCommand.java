package io.quotascope.fleetsim.door;

import io.quotascope.console.InvalidInputException;
import io.quotascope.console.KafkaPlace;
import io.quotascope.domain.window.WindowPart;
import io.quotascope.fleetsim.FleetOptions;
import io.quotascope.fleetsim.fleet.Fleet;
import io.quotascope.fleetsim.fleet.FleetSettings;
import io.quotascope.fleetsim.minute.RawMinutes;
import io.quotascope.fleetsim.template.TemplateKey;
import io.quotascope.fleetsim.template.Templates;
import io.quotascope.fleetsim.truth.TruthFile;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The fast-forward door. */
@Command(
        name = "week",
        mixinStandardHelpOptions = true,
        description = {
            "Writes days of rows of services as the rollup would have written them, and the truth"
                    + " beside them.",
            "Append times are those of the simulated time: the topics must take their timestamps"
                    + " from producers (message.timestamp.type=CreateTime)."
        })
public final class WeekCommand implements Callable<Integer> {
    /** A collector sends at the end of a window, and a little later. */
    private static final long SENT_AFTER_MS = 2_000;

    /** How far the clocks of topics go on after the last record, so that everything closes. */
    private static final long AFTER_MS = 1_800_000;

    private static final long MINUTES_A_DAY = 1_440;

    @Mixin private KafkaPlace place;
    @Mixin private FleetOptions options;
    @Spec private CommandSpec spec;

    @Option(
            names = "--truth",
            required = true,
            paramLabel = "FILE",
            description = "where the truth is written, JSON lines")
    private Path truth;

    @Option(
            names = "--raw-hours",
            defaultValue = "1",
            paramLabel = "N",
            description =
                    "for so many of the last hours write the records of collectors too, for the"
                            + " job that reads hosts; default ${DEFAULT-VALUE}")
    private int rawHours;

    @Override
    public Integer call() throws IOException, InvalidInputException {
        PrintWriter out = spec.commandLine().getOut();
        Fleet fleet = Fleet.draw(options.settings());
        FleetSettings settings = fleet.settings();
        Templates templates = new Templates(settings.seed());
        long began = System.nanoTime();
        try (TopicWriter writer = new TopicWriter(place)) {
            WeekDoor door = new WeekDoor(fleet, templates, writer);
            Set<TemplateKey> needed = door.needed();
            say(out, began, "%d runs of the simulator are needed", needed.size());
            templates.make(needed);
            say(out, began, "they are made");
            References.write(fleet, writer);
            long minutes = 0;
            for (long minuteUs = settings.startUs();
                    minuteUs < settings.endUs();
                    minuteUs += WindowPart.MINUTE_US) {
                door.write(minuteUs);
                if (++minutes % MINUTES_A_DAY == 0) {
                    say(out, began, "day %d is written", minutes / MINUTES_A_DAY);
                }
            }
            try (TruthFile file = new TruthFile(truth)) {
                door.tell(file);
            }
            writer.tick(Topics.SERVICE_WINDOWS, settings.endUs() / 1000 + AFTER_MS);
            long records = writeRaw(fleet, templates, writer);
            say(out, began, "%d records of collectors are written", records);
        }
        say(out, began, "done");
        return 0;
    }

    private long writeRaw(Fleet fleet, Templates templates, TopicWriter writer) {
        RawMinutes raw = new RawMinutes(fleet, templates);
        RawSender sender = new RawSender();
        long endUs = fleet.settings().endUs();
        long records = 0;
        for (long minuteUs = endUs - rawHours * FleetSettings.HOUR_US;
                minuteUs < endUs;
                minuteUs += WindowPart.MINUTE_US) {
            List<List<RawMinutes.HostSend>> slots = raw.sends(minuteUs);
            for (int slot = 0; slot < slots.size(); slot++) {
                long windowEndUs = minuteUs + (slot + 1) * WindowPart.WINDOW_US;
                long atMs = windowEndUs / 1000 + SENT_AFTER_MS;
                for (RawMinutes.HostSend send : slots.get(slot)) {
                    records +=
                            sender.send(
                                    send,
                                    0,
                                    (topic, key, value) -> writer.write(topic, key, value, atMs));
                }
                tick(writer, atMs);
            }
        }
        tick(writer, endUs / 1000 + AFTER_MS);
        return records;
    }

    private static void tick(TopicWriter writer, long atMs) {
        writer.tick(Topics.CPU_USAGE_WINDOWS, atMs);
        writer.tick(Topics.HOST_WINDOWS, atMs);
    }

    private static void say(PrintWriter out, long began, String text, Object... figures) {
        double seconds = (System.nanoTime() - began) / 1e9;
        out.printf(
                Locale.ROOT, "%7.1f s  %s%n", seconds, String.format(Locale.ROOT, text, figures));
        out.flush();
    }
}
