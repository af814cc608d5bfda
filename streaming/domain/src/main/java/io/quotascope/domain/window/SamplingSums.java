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

    /** samples / (samples + missed samples). Absent when none was planned. */
    public OptionalDouble coverage() {
        long planned = Saturating.plus(samples, missedSamples);
        return planned == 0
                ? OptionalDouble.empty()
                : OptionalDouble.of(samples / (double) planned);
    }
}
