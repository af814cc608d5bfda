package io.quotascope.domain.window;

/**
 * How well one window was sampled.
 *
 * @param sampleIntervalUs planned distance of two samples, microseconds
 * @param samples samples taken
 * @param missedSamples samples planned but not taken; never interpolated
 * @param latenessUsMax largest distance of a sample from its planned instant, microseconds
 * @param method how usage was obtained
 */
public record Sampling(
        int sampleIntervalUs,
        int samples,
        int missedSamples,
        int latenessUsMax,
        SamplingMethod method) {}
