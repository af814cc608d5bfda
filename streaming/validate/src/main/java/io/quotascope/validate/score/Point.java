package io.quotascope.validate.score;

/**
 * One answer beside its truth, for plots.
 *
 * @param plot which plot it belongs to
 * @param series whose answer it is
 * @param truth what happened
 * @param estimate what was said
 */
public record Point(String plot, String series, double truth, double estimate) {}
