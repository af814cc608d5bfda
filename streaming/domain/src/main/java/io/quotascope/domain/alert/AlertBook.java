package io.quotascope.domain.alert;

import io.quotascope.domain.alert.ThrottlingAlert.State;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * All alerts of one subject: at most one of each kind at a time. Immutable; about 40 bytes for each
 * kind that was ever judged.
 *
 * @param episodes where each kind stands that was judged
 */
public record AlertBook(SortedMap<AlertKind, AlertEpisode> episodes) {
    /** Nothing was judged yet. */
    public static final AlertBook EMPTY = new AlertBook(new TreeMap<>());

    /**
     * A book and what happened on the way to it.
     *
     * @param book the book from now on
     * @param alerts what happened, in the order of the readings
     */
    public record Outcome(AlertBook book, List<ThrottlingAlert> alerts) {}

    /** Judges one minute. */
    public Outcome judge(
            AlertSubject subject,
            AlertContext context,
            long minuteUs,
            List<AlertReading> readings,
            AlertRules rules) {
        SortedMap<AlertKind, AlertEpisode> next = new TreeMap<>(episodes);
        List<ThrottlingAlert> alerts = new ArrayList<>();
        for (AlertReading reading : readings) {
            if (reading.value().isEmpty()) {
                continue;
            }
            AlertRule rule = rules.of(reading.kind());
            AlertEpisode.Step step =
                    next.getOrDefault(reading.kind(), AlertEpisode.NONE)
                            .after(rule, minuteUs, reading.value().getAsDouble());
            next.put(reading.kind(), step.next());
            event(step, rule, reading)
                    .ifPresent(event -> alerts.add(event.about(subject, context, minuteUs)));
        }
        return new Outcome(new AlertBook(next), alerts);
    }

    /** Ends what fires, because the subject is no more. The book after it is empty. */
    public List<ThrottlingAlert> close(
            AlertSubject subject,
            AlertContext context,
            long minuteUs,
            AlertRules rules,
            String reason) {
        List<ThrottlingAlert> ended = new ArrayList<>();
        for (Map.Entry<AlertKind, AlertEpisode> entry : episodes.entrySet()) {
            AlertEpisode episode = entry.getValue();
            if (episode.firing().isPresent()) {
                AlertReading reading =
                        new AlertReading(entry.getKey(), OptionalDouble.empty(), List.of(reason));
                ended.add(
                        new Event(
                                        State.RESOLVED,
                                        episode,
                                        rules.of(entry.getKey()).clear(),
                                        reading)
                                .about(subject, context, minuteUs));
            }
        }
        return ended;
    }

    /** Kinds that fire. */
    public List<AlertKind> firing() {
        return episodes.entrySet().stream()
                .filter(entry -> entry.getValue().firing().isPresent())
                .map(Map.Entry::getKey)
                .toList();
    }

    private static Optional<Event> event(
            AlertEpisode.Step step, AlertRule rule, AlertReading reading) {
        return switch (step.change()) {
            case NONE -> Optional.empty();
            case BEGAN, GREW ->
                    Optional.of(new Event(State.FIRING, step.told(), rule.raise(), reading));
            case ENDED ->
                    Optional.of(new Event(State.RESOLVED, step.told(), rule.clear(), reading));
        };
    }

    private record Event(
            State state, AlertEpisode episode, double threshold, AlertReading reading) {
        ThrottlingAlert about(AlertSubject subject, AlertContext context, long minuteUs) {
            return new ThrottlingAlert(
                    subject,
                    context,
                    minuteUs,
                    reading.kind(),
                    episode.firing().orElseThrow(),
                    state,
                    episode.sinceUs(),
                    reading.value(),
                    threshold,
                    reading.reasons());
        }
    }
}
