package io.quotascope.domain.alert;

import io.quotascope.domain.window.Origin;
import io.quotascope.domain.window.ServiceKey;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.UUID;

/**
 * What an alert is about: a service and class, a service as a whole, or a host.
 *
 * @param origin where the numbers come from
 * @param cluster named part of the fleet
 * @param service the service; absent for a host
 * @param quotaClass its class; absent for a host and for a service as a whole
 * @param hostId the host; absent for a service
 */
public record AlertSubject(
        Origin origin,
        String cluster,
        Optional<String> service,
        Optional<String> quotaClass,
        Optional<String> hostId) {
    /** A service and class. */
    public static AlertSubject of(ServiceKey key) {
        return new AlertSubject(
                key.origin(),
                key.cluster(),
                Optional.of(key.service()),
                Optional.of(key.quotaClass()),
                Optional.empty());
    }

    /** A service with all its classes. */
    public static AlertSubject ofService(Origin origin, String cluster, String service) {
        return new AlertSubject(
                origin, cluster, Optional.of(service), Optional.empty(), Optional.empty());
    }

    /** A host. */
    public static AlertSubject ofHost(Origin origin, String cluster, String hostId) {
        return new AlertSubject(
                origin, cluster, Optional.empty(), Optional.empty(), Optional.of(hostId));
    }

    /**
     * Identity of the alert of a kind about this: a UUID made from both, so that it is the same in
     * every run and on every machine. Every part is led by its length, so that no name can make two
     * subjects one.
     */
    public String alertId(AlertKind kind) {
        StringBuilder text = new StringBuilder();
        append(text, kind.label());
        append(text, origin.label());
        append(text, cluster);
        append(text, service.orElse(""));
        append(text, quotaClass.orElse(""));
        append(text, hostId.orElse(""));
        return UUID.nameUUIDFromBytes(text.toString().getBytes(StandardCharsets.UTF_8)).toString();
    }

    private static void append(StringBuilder text, String part) {
        text.append(part.length()).append(':').append(part);
    }
}
