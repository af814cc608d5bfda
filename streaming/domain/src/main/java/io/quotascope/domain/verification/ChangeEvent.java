package io.quotascope.domain.verification;

import io.quotascope.domain.window.Origin;
import java.util.Locale;
import java.util.Optional;

/**
 * Something that happened to a service and may have changed how it behaves.
 *
 * @param origin which rows it explains
 * @param cluster named part of the fleet
 * @param service the service
 * @param eventId identity within the service: the same event told again has the same
 * @param atUs when, microseconds since the Unix epoch, UTC
 * @param kind what was changed
 * @param source who knows of it
 * @param quotaClass quota class it happened to; absent = all of the service, or not known
 * @param recommendationId the accepted recommendation that it carries out; absent when it is none
 * @param wording what is said of it to people
 * @param version rises with every correction of the same event, from 1
 * @param withdrawn true takes the event back
 */
public record ChangeEvent(
        Origin origin,
        String cluster,
        String service,
        String eventId,
        long atUs,
        Kind kind,
        Source source,
        Optional<String> quotaClass,
        Optional<String> recommendationId,
        Wording wording,
        long version,
        boolean withdrawn) {
    /** What was changed. */
    public enum Kind {
        /** A new version of the service. */
        DEPLOY,
        /** Quota. */
        QUOTA,
        /** Enforcement period. */
        PERIOD,
        /** Burst allowance. */
        BURST,
        /** Number of shards. */
        SHARDS,
        /** The hosts' kernel. */
        KERNEL,
        /** Sizes of thread pools. */
        POOLS,
        /** Pinning, CPUs as a whole, or a concurrency cap. */
        PINNING,
        /** Anything else. */
        OTHER;

        /** Name in records and files. */
        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Who knows of a change. */
    public enum Source {
        /** Somebody said so. */
        DECLARED,
        /** Seen in the stream of windows. */
        DETECTED;

        /** Name in records. */
        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * What people read of a change.
     *
     * @param settingBefore the setting before, e.g. 2000m/100ms
     * @param settingAfter the setting after
     * @param author who changed it
     * @param note free text
     */
    public record Wording(
            Optional<String> settingBefore,
            Optional<String> settingAfter,
            Optional<String> author,
            Optional<String> note) {
        /** Nothing is said. */
        public static final Wording NONE =
                new Wording(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());

        /** A setting's change. */
        public static Wording ofSetting(String before, String after) {
            return new Wording(
                    Optional.of(before), Optional.of(after), Optional.empty(), Optional.empty());
        }
    }

    /**
     * A change.
     *
     * @throws IllegalArgumentException for an empty name or a version below 1
     */
    public ChangeEvent {
        if (cluster.isBlank() || service.isBlank() || eventId.isBlank()) {
            throw new IllegalArgumentException("cluster, service and event_id must not be empty");
        }
        if (version < 1) {
            throw new IllegalArgumentException("version must be at least 1: " + version);
        }
    }

    /** A change that somebody tells, in its first version. */
    public static ChangeEvent declared(
            Origin origin,
            String cluster,
            String service,
            long atUs,
            Kind kind,
            Optional<String> recommendationId,
            Wording wording) {
        return new ChangeEvent(
                origin,
                cluster,
                service,
                idOf(Source.DECLARED, kind, atUs),
                atUs,
                kind,
                Source.DECLARED,
                Optional.empty(),
                recommendationId,
                wording,
                1,
                false);
    }

    /** A change of a setting that is seen in the stream; a replay names it alike. */
    public static ChangeEvent detected(
            Origin origin,
            String cluster,
            String service,
            Optional<String> quotaClass,
            long atUs,
            Kind kind,
            Wording wording) {
        return new ChangeEvent(
                origin,
                cluster,
                service,
                idOf(Source.DETECTED, kind, atUs) + quotaClass.map(shown -> "/" + shown).orElse(""),
                atUs,
                kind,
                Source.DETECTED,
                quotaClass,
                Optional.empty(),
                wording,
                1,
                false);
    }

    /** Identity of an event that was given none: source/kind/instant. */
    public static String idOf(Source source, Kind kind, long atUs) {
        return source.label() + '/' + kind.label() + '/' + atUs;
    }

    /** The same event, taken back. */
    public ChangeEvent withdraw() {
        return new ChangeEvent(
                origin,
                cluster,
                service,
                eventId,
                atUs,
                kind,
                source,
                quotaClass,
                recommendationId,
                wording,
                version + 1,
                true);
    }

    /** Key on topic change-events.v1: origin/cluster/service. */
    public String topicKey() {
        return origin.label() + '/' + cluster + '/' + service;
    }
}
