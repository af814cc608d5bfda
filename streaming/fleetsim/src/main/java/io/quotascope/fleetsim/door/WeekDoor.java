package io.quotascope.fleetsim.door;

import io.quotascope.domain.verification.ChangeEvent;
import io.quotascope.domain.window.Origin;
import io.quotascope.domain.window.ServiceWindow;
import io.quotascope.domain.window.WindowPart;
import io.quotascope.fleetsim.fleet.Change;
import io.quotascope.fleetsim.fleet.Fleet;
import io.quotascope.fleetsim.fleet.Service;
import io.quotascope.fleetsim.minute.ServiceMinutes;
import io.quotascope.fleetsim.minute.ServiceRows;
import io.quotascope.fleetsim.template.TemplateKey;
import io.quotascope.fleetsim.template.Templates;
import io.quotascope.fleetsim.truth.TruthFile;
import io.quotascope.wire.Codecs;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * The fast-forward door: what the rollup would have written, as fast as it can be made, with the
 * append times that it would have had.
 */
public final class WeekDoor {
    /** The rollup's rows follow the closing of their part. */
    private static final long AFTER_CLOSING_MS = 1_000;

    private final Fleet fleet;
    private final TopicWriter writer;
    private final List<ServiceTruth> services = new ArrayList<>();
    private final List<Change> untold = new ArrayList<>();

    WeekDoor(Fleet fleet, Templates templates, TopicWriter writer) {
        this.fleet = fleet;
        this.writer = writer;
        for (Service service : fleet.services()) {
            ServiceMinutes minutes = new ServiceMinutes(fleet, service, templates);
            services.add(new ServiceTruth(new ServiceRows(minutes)));
            service.change().filter(Change::declared).ifPresent(untold::add);
        }
        untold.sort(Comparator.comparingLong(Change::atUs));
    }

    /** Every run of the simulator that the time needs. */
    Set<TemplateKey> needed() {
        Set<TemplateKey> keys = new LinkedHashSet<>();
        for (ServiceTruth each : services) {
            each.addNeeded(fleet.settings(), keys);
        }
        return keys;
    }

    private record Row(String key, byte[] framed) {
        static Row of(ServiceWindow window) {
            return new Row(window.sums().key().topicKey(), Codecs.SERVICE_WINDOWS.encode(window));
        }
    }

    /** Writes one minute of every service, what was changed before it, and ticks. */
    void write(long minuteUs) {
        long closesMs = new WindowPart(minuteUs, 0).closesAtMs() + AFTER_CLOSING_MS;
        while (!untold.isEmpty() && untold.get(0).atUs() < minuteUs + WindowPart.MINUTE_US) {
            tell(untold.remove(0));
        }
        List<Optional<Row>> rows =
                IntStream.range(0, services.size())
                        .parallel()
                        .mapToObj(number -> services.get(number).minute(minuteUs).map(Row::of))
                        .toList();
        for (Optional<Row> row : rows) {
            row.ifPresent(
                    each ->
                            writer.write(
                                    Topics.SERVICE_WINDOWS, each.key(), each.framed(), closesMs));
        }
        writer.tick(Topics.SERVICE_WINDOWS, closesMs);
    }

    private void tell(Change change) {
        Service service =
                fleet.services().stream()
                        .filter(each -> each.name().equals(change.service()))
                        .findFirst()
                        .orElseThrow();
        ChangeEvent event =
                ChangeEvent.declared(
                        Origin.SIMULATED,
                        service.cluster(),
                        service.name(),
                        change.atUs(),
                        change.kind(),
                        Optional.empty(),
                        ChangeEvent.Wording.NONE);
        writer.write(
                Topics.CHANGE_EVENTS,
                event.topicKey(),
                Codecs.CHANGE_EVENTS.encode(event),
                change.atUs() / 1000);
    }

    /** Writes down what really happened. */
    void tell(TruthFile truth) throws IOException {
        truth.write(fleet);
        for (ServiceTruth each : services) {
            each.tell(truth);
        }
    }
}
