package io.quotascope.domain.window;

import java.util.OptionalDouble;

/**
 * How well the records of a row were sampled.
 *
 * @param samples sum of samples
 * @param missedSamples sum of samples planned but not taken
 * @param latenessUsMax largest lateness, microseconds
 */
public record SamplingSums(long samples, long missedSamples, int latenessUsMax) {
    /** No record. */
    public static final SamplingSums ZERO = new SamplingSums(0, 0, 0);

    SamplingSums plus(Sampling record) {
        return new SamplingSums(
                Saturating.plus(samples, record.samples()),
                Saturating.plus(missedSamples, record.missedSamples()),
                Math.max(latenessUsMax, record.latenessUsMax()));
    }

    /** The sums of both. */
    public SamplingSums plus(SamplingSums other) {
        return new SamplingSums(
                Saturating.plus(samples, other.samples),
                Saturating.plus(missedSamples, other.missedSamples),
                Math.max(latenessUsMax, other.latenessUsMax));
    }

    /** samples / (samples + missed samples). Absent without samples. */
    public OptionalDouble coverage() {
        if (samples == 0) {
            return OptionalDouble.empty();
        }
        return OptionalDouble.of(samples / (double) Saturating.plus(samples, missedSamples));
    }
}
