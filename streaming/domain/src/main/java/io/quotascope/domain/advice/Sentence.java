package io.quotascope.domain.advice;

import java.util.List;

/**
 * A reason of an estimate, in words.
 *
 * @param words for a person
 * @param limitsTrust whether it names what is assumed, missing or not reached; else it only says
 *     what the figures are
 */
public record Sentence(String words, boolean limitsTrust) {
    /** What the figures are. */
    public static Sentence figure(String words) {
        return new Sentence(words, false);
    }

    /** Why the figures can be believed less, or why there are none. */
    public static Sentence limit(String words) {
        return new Sentence(words, true);
    }

    /** The words of all. */
    public static List<String> words(List<Sentence> sentences) {
        return sentences.stream().map(Sentence::words).toList();
    }

    /** The words of those that limit trust. */
    public static List<String> limits(List<Sentence> sentences) {
        return sentences.stream().filter(Sentence::limitsTrust).map(Sentence::words).toList();
    }
}
