package io.quotascope.fleetsim.truth;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.quotascope.fleetsim.fleet.Change;
import io.quotascope.fleetsim.fleet.Flaw;
import io.quotascope.fleetsim.fleet.Fleet;
import io.quotascope.fleetsim.fleet.FleetSettings;
import io.quotascope.fleetsim.fleet.Host;
import io.quotascope.fleetsim.fleet.Service;
import io.quotascope.fleetsim.fleet.Setting;
import io.quotascope.fleetsim.fleet.Silence;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Writes the truth; the fields are described in the module's README. */
public final class TruthFile implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final BufferedWriter out;

    public TruthFile(Path file) throws IOException {
        if (file.toAbsolutePath().getParent() != null) {
            Files.createDirectories(file.toAbsolutePath().getParent());
        }
        out = Files.newBufferedWriter(file);
    }

    /** What the fleet is and what is wrong with it. */
    public void write(Fleet fleet) throws IOException {
        FleetSettings settings = fleet.settings();
        write(
                line("fleet")
                        .put("seed", settings.seed())
                        .put("services", settings.services())
                        .put("shards", settings.shards())
                        .put("start_us", settings.startUs())
                        .put("end_us", settings.endUs()));
        for (Service service : fleet.services()) {
            write(service);
        }
        for (Host host : fleet.hosts()) {
            write(
                    line("host")
                            .put("cluster", host.cluster())
                            .put("host_id", host.id())
                            .put("kernel_release", host.kernel().release())
                            .put("faulty_kernel", host.kernel().faulty())
                            .put("noisy", host.noisy()));
        }
        for (Silence silence : fleet.silences()) {
            write(
                    line("silence")
                            .put("cluster", silence.host().cluster())
                            .put("host_id", silence.host().id())
                            .put("from_us", silence.fromUs())
                            .put("until_us", silence.untilUs())
                            .put("whole", silence.whole()));
        }
    }

    private void write(Service service) throws IOException {
        Flaw flaw = service.kind().flaw();
        ObjectNode line =
                line("service")
                        .put("cluster", service.cluster())
                        .put("service", service.name())
                        .put("kind", service.kind().name())
                        .put("flaw", flaw.label())
                        .put("mistuned", flaw.mistuned())
                        .put("mistuned_at_end", flaw.mistuned() && !isMended(service))
                        .put("shards", service.shards().size());
        put(line, "", service.kind().setting());
        service.change().ifPresent(change -> put(line, "end_", change.after()));
        write(line);
    }

    /** Injected changes of flawed services mend them; those of healthy ones do not count here. */
    private static boolean isMended(Service service) {
        return service.change()
                .filter(change -> !change.before().equals(change.after()))
                .isPresent();
    }

    private static void put(ObjectNode line, String prefix, Setting setting) {
        line.put(prefix + "quota_us", setting.quotaUs())
                .put(prefix + "period_us", setting.periodUs())
                .put(prefix + "pool_threads", setting.poolThreads());
    }

    /** What a change really did, hour by hour. */
    public void write(Service service, Change change, ChangeEffect effect) throws IOException {
        ObjectNode line =
                line("change")
                        .put("cluster", service.cluster())
                        .put("service", service.name())
                        .put("kind", change.kind().label())
                        .put("at_us", change.atUs())
                        .put("declared", change.declared())
                        .put("changes_something", !change.before().equals(change.after()));
        put(line, "before_", change.before());
        put(line, "after_", change.after());
        effect.describe(line.putArray("hours"));
        write(line);
    }

    /** What was sent and what arrived of one service in an hour with a silence in it. */
    public void write(Service service, String quotaClass, SentHour hour) throws IOException {
        write(
                line("service_hour")
                        .put("cluster", service.cluster())
                        .put("service", service.name())
                        .put("quota_class", quotaClass)
                        .put("hour_start_us", hour.startUs())
                        .put("stated", hour.stated())
                        .put("arrived", hour.arrived())
                        .put("mute", hour.mute()));
    }

    private static ObjectNode line(String record) {
        return JSON.createObjectNode().put("record", record);
    }

    private void write(ObjectNode line) throws IOException {
        out.write(JSON.writeValueAsString(line));
        out.newLine();
    }

    @Override
    public void close() throws IOException {
        out.close();
    }
}
