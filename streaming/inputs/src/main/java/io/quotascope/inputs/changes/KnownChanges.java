package io.quotascope.inputs.changes;

import io.quotascope.domain.verification.ChangeEvent;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The events of the topic, each in its newest version. */
final class KnownChanges {
    private final Map<String, ChangeEvent> newest = new LinkedHashMap<>();

    KnownChanges(Collection<ChangeEvent> log) {
        for (ChangeEvent event : log) {
            newest.merge(
                    key(event),
                    event,
                    (before, after) -> after.version() >= before.version() ? after : before);
        }
    }

    /**
     * What has to be written so that the topic holds these events: those that it does not know, and
     * a greater version of those that it knows otherwise. Telling twice changes nothing.
     */
    List<ChangeEvent> toWrite(Collection<ChangeEvent> told) {
        List<ChangeEvent> changes = new ArrayList<>();
        for (ChangeEvent event : told) {
            ChangeEvent before = newest.get(key(event));
            if (before == null || !versioned(event, before.version()).equals(before)) {
                ChangeEvent next = versioned(event, before == null ? 1 : before.version() + 1);
                newest.put(key(event), next);
                changes.add(next);
            }
        }
        return changes;
    }

    /** An event by its names. */
    Optional<ChangeEvent> find(String topicKey, String eventId) {
        return newest.values().stream()
                .filter(event -> event.topicKey().equals(topicKey))
                .filter(event -> event.eventId().equals(eventId))
                .findFirst();
    }

    private static String key(ChangeEvent event) {
        // The instant is part of the row's key in the table, and so of an event's identity.
        return event.topicKey() + '\n' + event.eventId() + '\n' + event.atUs();
    }

    private static ChangeEvent versioned(ChangeEvent event, long version) {
        return new ChangeEvent(
                event.origin(),
                event.cluster(),
                event.service(),
                event.eventId(),
                event.atUs(),
                event.kind(),
                event.source(),
                event.quotaClass(),
                event.recommendationId(),
                event.wording(),
                version,
                event.withdrawn());
    }
}
